// What is read off a request: its identity, its JSON body, its parameters.
import { parse as parseForm } from 'node:querystring'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import { invalid, notFound, ServiceError } from '../../src/errors.ts'
import { encodeId, newId } from '../../src/shapes/ids.ts'

export const requestIdOf = (res: Response): string => String(res.getHeader('X-Request-Id') ?? '')

export const openRequest = (req: Request, res: Response, successStatus: number, startedAt: Date): RequestContext => ({
  id: requestIdOf(res),
  method: req.method,
  path: req.path === '/' ? req.baseUrl : req.baseUrl + req.path,
  ip: addressOf(req),
  userAgent: req.headers['user-agent'] ?? null,
  startedAt,
  successStatus,
})

/** Gives what is asked for below a path the name that metrics, spans and logs know it by. */
export const named =
  (pattern: string): RequestHandler =>
  (_req, res, next) => {
    res.locals.route = pattern
    next()
  }

/**
 * The path as the table of routes writes it, never as the client did: that may hold a feed's token or a sealed word, and
 * each of its spellings would be another series of the metrics.
 */
export const routeOf = (res: Response): string => (res.locals.route as string | undefined) ?? 'unknown'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** As OpenTelemetry names the methods that no route has: a client may choose among some thirty. */
export const methodOf = ({ method }: Request): string => (methods.has(method) ? method : '_OTHER')

/** A socket for both families shows an IPv4 client as `::ffff:203.0.113.7`. */
export const addressOf = (req: Request): string | null => req.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null

export const newRequestId = (): string => encodeId('req', newId())

const maxBodyBytes = 256 * 1024
const maxDepth = 64

/** Unpacked, and whatever content type the client sent. */
const readBytes = express.raw({ limit: maxBodyBytes, type: () => true })

const formType = 'application/x-www-form-urlencoded'

/**
 * JSON in UTF-8; where `mayBeForm`, also a form, which the content type tells. An absent body is an empty object, so that
 * the answer names the first field that is missing.
 */
export async function readBody(req: Request, res: Response, mayBeForm = false): Promise<unknown> {
  // Packed or not, there is nothing.
  if (req.headers['content-length'] === '0') return {}
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error ? reject(bodyError(error)) : resolve()))
  })
  const bytes: Buffer | undefined = req.body
  req.body = undefined
  if (!bytes?.length) return {}
  const text = textOf(bytes)
  req.body = mayBeForm && req.is(formType) ? formFields(text) : parseJson(text)
  checkBody(req.body)
  return req.body
}

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
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON${placeOf(error)}.`)
  }
}

/** Where the parser stopped. Its own words quote the body, which may hold secrets. */
function placeOf(error: unknown): string {
  const { message } = error as SyntaxError
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
  if (line) return `: see line ${line}, column ${column}`
  return message.startsWith('Unexpected end') ? ': it ends too early' : ''
}

/** A field that is there twice is a list. */
function formFields(text: string): unknown {
  // No browser sends a brace as it is; curl calls whatever it sends a form.
  if (text.trimStart().startsWith('{')) {
    throw invalid('The body looks like JSON and came as a form. Send Content-Type: application/json.')
  }
  try {
    // The parser itself puts something else where an escape is none, or tells no UTF-8.
    decodeURIComponent(text)
  } catch {
    throw invalid('The body is not a valid form in UTF-8.')
  }
  return parseForm(text, '&', '=', { maxKeys: 0 })
}

function bodyError(error: unknown): ServiceError {
  const { type } = error as { type?: string }
  if (type === 'entity.too.large') {
    return new ServiceError('validation_error', `The body may take ${maxBodyBytes / 1024} KB at most.`, {
      status: 413,
    })
  }
  if (type === 'encoding.unsupported') {
    const message =
      'This Content-Encoding is not read. Send the body as it is, or packed with gzip, deflate, br or zstd.'
    return new ServiceError('validation_error', message, { status: 415 })
  }
  return invalid('The body could not be read.')
}

/**
 * Refuses what cannot be stored as it was sent (NUL, lone surrogates, numbers beyond a double), and nesting that no reader
 * needs. Walks without recursion.
 */
function checkBody(body: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next
    if (typeof value === 'string') checkText(value, path || null)
    if (value === Infinity || value === -Infinity) throw invalid(`${path}: the number is too large`, path || null)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth)
      throw invalid(`The body is nested deeper than ${maxDepth} levels.`, path.split('.')[0] || null)
    for (const [key, child] of Object.entries(value)) {
      checkText(key, path || null)
      open.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 })
    }
  }
}

/** Parameters of a query: texts, or lists of texts where one is repeated. */
export function readQuery(req: Request): Record<string, unknown> {
  const query = { ...req.query }
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') checkText(value, name)
  return query
}

/** No identifier holds a NUL, so what does is not found. */
export function readParams(req: Request): Record<string, unknown> {
  if (Object.values(req.params).some((value) => value.includes('\0'))) throw notFound('resource')
  return req.params
}

function checkText(text: string, param: string | null): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalid(`${param ?? 'The body'}: text may not hold NUL characters or lone surrogates`, param)
  }
}
