// Answers that are well-formed and cost much to read.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const many = (count: number, piece: (nth: number) => string, between = '') =>
  Array.from({ length: count }, (_, nth) => piece(nth)).join(between)

const multistatus = (content: string) => `<d:multistatus xmlns:d="DAV:">${content}</d:multistatus>`
const property = (content: string) =>
  multistatus(
    `<d:response><d:href>/</d:href><d:propstat><d:prop><d:displayname>${content}</d:displayname></d:prop></d:propstat></d:response>`,
  )

/** Of CalDAV servers, below 10 MB each. */
export const hostileXml: Record<string, string> = {
  'many attributes': multistatus(`<d:x ${many(850_000, (nth) => `a${nth.toString(36)}=""`, ' ')}/>`),
  'many namespaces': multistatus(`<d:x ${many(300_000, (nth) => `xmlns:a${nth.toString(36)}="${nth}"`, ' ')}/>`),
  'many entities': property('&lt;'.repeat(2_000_000)),
  'many elements': multistatus('<d:x/>'.repeat(198_000)),
  'many properties': multistatus(
    `<d:response><d:href>/</d:href><d:propstat><d:prop>${'<d:x/>'.repeat(90_000)}</d:prop></d:propstat></d:response>`,
  ),
}

/** Of Google and of Microsoft, below 10 MB each. */
export const hostileJson: Record<string, string> = {
  'deep lists': `{"value":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"items":[],"calendars":{}}`,
  'many names': `{"calendars":{${many(120_000, (nth) => `"a${nth}":{"busy":[]}`, ',')}},"value":1,"items":[${'{},'.repeat(120_000)}{}]}`,
  'many items': `{"value":[${'{"id":"x"},'.repeat(120_000)}{"id":"x"}],"items":[${'{"id":"x"},'.repeat(120_000)}{"id":"x"}]}`,
}

/** A server that gives the same answer to whatever it is asked. */
export async function openHostileServer(status: number, type: string) {
  let body = Buffer.alloc(0)
  const http = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(body)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    answer(text: string) {
      body = gzipSync(text)
    },
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
