// Sending the answer of a route: JSON, a body as it is, or an answer that was given before.
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { StoredAnswer } from '../../src/answers/once.ts'
import { headersWith } from './exchange.ts'
import { Answer, RawAnswer, type Route } from './route.ts'
import { tagOfText } from './tags.ts'

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends what a route returned. Written directly, because Express' `res.json` takes a twentieth of the time of a small
 * request.
 */
export function send(res: Response, route: Route, answer: unknown): Promise<void> | undefined {
  if (answer instanceof RawAnswer) return sendRaw(res, answer)
  if (answer instanceof StoredAnswer) return sendStored(res, route, answer)
  const own = answer instanceof Answer ? answer : undefined
  const status = own ? own.status : route.success.status
  if (status === 204) {
    res.writeHead(204, headersWith(res, own?.headers)).end()
    return undefined
  }
  sendJson(res, status, partsOf(own ? own.body : answer), own?.headers)
  return undefined
}

/** `parts`: the text, piece by piece. */
function sendJson(res: Response, status: number, parts: readonly string[], headers?: Answer['headers']): void {
  const list = headersWith(res, headers)
  let length = 0
  for (const part of parts) length += Buffer.byteLength(part)
  list.push('Content-Type', jsonType, 'Content-Length', String(length))
  res.writeHead(status, list)
  const last = parts.length - 1
  if (last > 0) res.cork()
  for (let nth = 0; nth < last; nth++) res.write(parts[nth])
  res.end(parts[last])
}

const itemsOfPart = 100
const isRecord = (body: unknown): body is object => typeof body === 'object' && body !== null && !Array.isArray(body)
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > itemsOfPart

function holdsLong(body: object): boolean {
  for (const name in body) if (isLong(body[name as keyof typeof body])) return true
  return false
}

/**
 * The JSON of an answer, its long lists in parts: a text of more than 128 KB gets memory of its own from the system, which
 * takes as long as writing it.
 */
function partsOf(body: unknown): string[] {
  if (!isRecord(body) || !holdsLong(body)) return [JSON.stringify(body)]
  const parts: string[] = []
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    const name = `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`
    parts.push(...(isLong(value) ? partsOfList(name, value) : [name + JSON.stringify(value)]))
  }
  return [...parts, '}']
}

function partsOfList(name: string, items: readonly unknown[]): string[] {
  const parts: string[] = []
  for (let from = 0; from < items.length; from += itemsOfPart) {
    const text = JSON.stringify(items.slice(from, from + itemsOfPart)).slice(1, -1)
    parts.push(from === 0 ? `${name}[${text}` : `,${text}`)
  }
  return [...parts, ']']
}

function sendStored(res: Response, route: Route, { status, text, requestId }: StoredAnswer): undefined {
  const headers = {
    ...tagOfText(route, text),
    'Idempotent-Replayed': 'true',
    'Idempotency-Original-Request-Id': requestId,
  }
  if (status === 204) res.writeHead(status, headersWith(res, headers)).end()
  else sendJson(res, status, [text], headers)
}

/**
 * A body that fails halfway ends the connection, so that no client takes a part for the whole, and its error is thrown. A
 * client that hangs up is not a failure.
 */
export async function sendRaw(res: Response, { status, headers, body }: RawAnswer): Promise<void> {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    const list = headersWith(res, headers)
    if (body !== undefined && status !== 304) list.push('Content-Length', String(Buffer.byteLength(body)))
    res.writeHead(status, list).end(body)
    return
  }
  res.writeHead(status, headersWith(res, headers))
  await pipeline(body, res).catch((error: NodeJS.ErrnoException) => {
    // The pipeline does not close a body that it never read.
    body.destroy()
    if (!isHangUp(error)) throw error
  })
}

/** The answer was closed before or while it was written. */
const isHangUp = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_STREAM_UNABLE_TO_PIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
