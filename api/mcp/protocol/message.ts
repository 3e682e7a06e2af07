// Reads the one message of a POST and finds its kind.
import type { Request, Response } from 'express'
import { ServiceError } from '../../../src/errors.ts'
import { parseExactly } from '../../../src/shapes/exactNumbers.ts'
import { readText } from '../../http/body.ts'
import { isObject } from '../language/jsonSchema.ts'
import { malformed, parseError, Refusal } from './refusal.ts'

type Fields = Record<string, unknown>

export type RequestMessage = { kind: 'request'; method: string; params: Fields; body: Fields }

/** Notifications and responses are `silent`: they get no answer. */
export type Message = RequestMessage | { kind: 'silent' }

/** An absent content type counts as JSON. */
export function requireJsonType({ headers }: Request): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && type !== 'application/json') throw new Refusal(415, 'Send Content-Type: application/json.')
}

export async function readMessage(req: Request, res: Response): Promise<Message> {
  const body = parse(await readBodyText(req, res))
  if (Array.isArray(body)) throw malformed('Batches are not supported. Send one message per request.')
  if (!isObject(body) || body.jsonrpc !== '2.0') throw malformed('Send one JSON-RPC 2.0 message.')
  const { method, id } = body
  if (typeof method !== 'string') {
    if ('result' in body || 'error' in body) return { kind: 'silent' }
    throw malformed('The message has no method.')
  }
  if (id === undefined) return { kind: 'silent' }
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) throw malformed('The id must be a string or a whole number.')
  const { params = {} } = body
  if (!isObject(params)) throw malformed('The params must be an object.')
  return { kind: 'request', method, params, body }
}

async function readBodyText(req: Request, res: Response): Promise<string> {
  try {
    return await readText(req, res)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 400) throw malformed(error.message, parseError)
    throw new Refusal(error.status, error.message)
  }
}

function parse(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    throw malformed('The body is not valid JSON.', parseError)
  }
}
