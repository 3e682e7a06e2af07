// The body of a request: unpacked, decoded, parsed as JSON or as a form, and checked for values that cannot be stored.
import { parse as parseForm } from 'node:querystring'
import express, { type Request, type Response } from 'express'
import { invalid, ServiceError } from '../../src/errors.ts'
import { parseExactly } from '../../src/shapes/exactNumbers.ts'
import { requireStorable } from './storable.ts'

const maxBodyKb = 256

/** Decompresses, and reads any content type. */
const readBytes = express.raw({ limit: maxBodyKb * 1024, type: () => true })

const formType = 'application/x-www-form-urlencoded'
/** No form of a page has this many. */
const maxFields = 100

/**
 * JSON in UTF-8; with `form`, also a form if the content type says so. An absent body is an empty object, so that the
 * answer names the first field that is missing.
 */
export async function readBody(req: Request, res: Response, { form }: { form: boolean }): Promise<unknown> {
  const text = await readText(req, res)
  if (text === '') return {}
  req.body = form && req.is(formType) ? parseFields(text) : parseJson(text)
  requireStorable(req.body)
  return req.body
}

/** The body as text; empty without one. Throws 413 if it is too large, 415 if its encoding is unknown. */
export async function readText(req: Request, res: Response): Promise<string> {
  // An empty body is empty even with a Content-Encoding.
  if (req.headers['content-length'] === '0') return ''
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error ? reject(bodyError(error)) : resolve()))
  })
  const bytes: Buffer | undefined = req.body
  req.body = undefined
  return bytes?.length ? textOf(bytes) : ''
}

const maxAnyBytes = 64 * 1024

/** The bytes as sent; undefined if the body is too large or breaks off. The rest is then not read. */
export const readAnyText = (req: Request): Promise<string | undefined> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (text: string | undefined) => {
      req.removeAllListeners('data').pause()
      resolve(text)
    }
    req.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxAnyBytes) settle(undefined)
    })
    req.on('end', () => settle(Buffer.concat(chunks).toString('utf8')))
    req.on('error', () => settle(undefined))
    req.on('close', () => settle(undefined))
  })

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON${placeOf(error)}.`)
  }
}

/** Where the parser stopped. Its own message quotes the body, which may hold secrets. */
function placeOf(error: unknown): string {
  const { message } = error as SyntaxError
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
  if (line) return `: see line ${line}, column ${column}`
  return message.startsWith('Unexpected end') ? ': it ends too early' : ''
}

/** A field that is sent twice becomes a list. */
function parseFields(text: string): unknown {
  // No browser sends an unescaped brace; curl labels every body as a form.
  if (text.trimStart().startsWith('{')) {
    throw invalid('The body looks like JSON but was sent as a form. Send Content-Type: application/json.')
  }
  try {
    // The parser itself replaces invalid escapes and invalid UTF-8 without an error.
    decodeURIComponent(text)
  } catch {
    throw invalid('The body is not a valid form in UTF-8.')
  }
  if (text.split('&', maxFields + 1).length > maxFields) throw invalid(`The form has more than ${maxFields} fields.`)
  return nested(parseForm(text, '&', '=', { maxKeys: 0 }))
}

/** A field `answers.company` is the field `company` of the object `answers`. */
function nested(fields: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null)
  const objects: Record<string, Record<string, unknown>> = Object.create(null)
  for (const [name, value] of Object.entries(fields)) {
    const [, outer, inner] = /^([a-z]+)[.]([a-z][a-z0-9_]*)$/.exec(name) ?? []
    if (outer === undefined || inner === undefined || Object.hasOwn(fields, outer)) {
      body[name] = value
      continue
    }
    objects[outer] ??= Object.create(null) as Record<string, unknown>
    objects[outer][inner] = value
  }
  return Object.assign(body, objects)
}

function bodyError(error: unknown): ServiceError {
  const { type } = error as { type?: string }
  if (type === 'entity.too.large') {
    return new ServiceError('validation_error', `The body must be at most ${maxBodyKb} KB.`, { status: 413 })
  }
  if (type === 'encoding.unsupported') {
    const message =
      'Unsupported Content-Encoding. Send the body uncompressed, or compressed with gzip, deflate, br or zstd.'
    return new ServiceError('validation_error', message, { status: 415 })
  }
  return invalid('The body could not be read.')
}
