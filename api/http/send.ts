// Sends the answer of a route: JSON, a raw body, or a stored answer.
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { openTurns } from '../../src/shapes/slices.ts'
import { StoredResponse } from '../../src/storedResponses/runOnce.ts'
import { headersWith } from './exchange.ts'
import { isLarge, jsonParts } from './jsonParts.ts'
import { Answer, RawAnswer, type Route } from './route.ts'
import { tagOfText } from './tags.ts'

const jsonType = 'application/json; charset=utf-8'

/** Reports how many milliseconds of the event loop a large answer took. */
type Spend = (ms: number) => void
const maxSmall = 32 * 1024

/**
 * Sends the result of a route. Written directly, because Express' `res.json` takes a twentieth of the time of a small
 * request.
 */
export function send(res: Response, route: Route, answer: unknown, spend: Spend): Promise<void> | undefined {
  if (answer instanceof RawAnswer) return sendRaw(res, answer, spend)
  if (answer instanceof StoredResponse) return sendStored(res, route, answer)
  const own = answer instanceof Answer ? answer : undefined
  const status = own ? own.status : route.success.status
  if (status === 204) {
    res.writeHead(204, headersWith(res, own?.headers)).end()
    return undefined
  }
  const body = own ? own.body : answer
  if (isLarge(body)) return sendInTurns(res, status, body, own?.headers, spend)
  const begunAt = performance.now()
  const text = JSON.stringify(body)
  sendJson(res, status, text, own?.headers)
  if (text.length > maxSmall) spend(performance.now() - begunAt)
  return undefined
}

function sendJson(res: Response, status: number, text: string, headers?: Answer['headers']): void {
  writeJsonHead(res, status, Buffer.byteLength(text), headers).end(text)
}

function writeJsonHead(res: Response, status: number, length: number, headers?: Answer['headers']): Response {
  const list = headersWith(res, headers)
  list.push('Content-Type', jsonType, 'Content-Length', String(length))
  return res.writeHead(status, list)
}

/** A large answer is made and written in several turns of the event loop, and no faster than its client reads. */
async function sendInTurns(
  res: Response,
  status: number,
  body: object,
  headers: Answer['headers'] | undefined,
  spend: Spend,
): Promise<void> {
  const turns = openTurns()
  const parts: string[] = []
  let length = 0
  for (const part of jsonParts(body)) {
    parts.push(part)
    length += Buffer.byteLength(part)
    if (turns.isOver()) await turns.next()
  }
  if (res.destroyed) return
  if (length <= maxSmall) {
    writeJsonHead(res, status, length, headers).end(parts.join(''))
    return
  }
  writeJsonHead(res, status, length, headers)
  for (const part of parts) {
    if (!res.write(part)) await turns.next(drained(res))
    else if (turns.isOver()) await turns.next()
    if (res.destroyed) break
  }
  if (!res.destroyed) res.end()
  spend(turns.tookMs())
}

/** The client has read, or has hung up. */
const drained = (res: Response): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      res.off('drain', over).off('close', over)
      resolve()
    }
    res.on('drain', over).on('close', over)
  })

function sendStored(res: Response, route: Route, { status, text, shown, requestId }: StoredResponse): undefined {
  const headers = {
    ...tagOfText(route, text),
    'Idempotent-Replayed': 'true',
    'Idempotency-Original-Request-Id': requestId,
  }
  if (status === 204) res.writeHead(status, headersWith(res, headers)).end()
  else sendJson(res, status, shown, headers)
}

/**
 * A body that fails halfway ends the connection, so that no client takes a part for the whole, and its error is thrown. A
 * client that hangs up is not a failure.
 */
export async function sendRaw(res: Response, { status, headers, body }: RawAnswer, spend?: Spend): Promise<void> {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    const begunAt = performance.now()
    const list = headersWith(res, headers)
    if (body !== undefined && status !== 304) list.push('Content-Length', String(Buffer.byteLength(body)))
    res.writeHead(status, list).end(body)
    if (body !== undefined && body.length > maxSmall) spend?.(performance.now() - begunAt)
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
