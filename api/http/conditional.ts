// Answers that a client or a cache may keep and revalidate (RFC 9110, 13.1.2).
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { RawAnswer } from './route.ts'

/** 200 with the body, or 304 if the client already has it. */
export function conditional(request: IncomingHttpHeaders, headers: Record<string, string>, body: string): RawAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  if (matches(request['if-none-match'], etag)) {
    const { 'Content-Type': _, ...kept } = headers
    return new RawAnswer(304, { ...kept, ETag: etag })
  }
  return new RawAnswer(200, { ...headers, ETag: etag }, body)
}

const tagPattern = /(?:^|[\s,])(?:W\/)?("[^"]*")(?=[\s,]|$)/g

/** Weak comparison: `W/` makes no difference. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return [...header.matchAll(tagPattern)].some(([, tag]) => tag === etag)
}
