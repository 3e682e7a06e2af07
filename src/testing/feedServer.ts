// A server of external feeds: real HTTP that keeps what it was asked and answers as it is told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FeedServer = {
  /** Address of the feed with this name. */
  url(name?: string): string
  asked: IncomingMessage[]
  /** The body of a 200, unless `answer` says otherwise. */
  body: string
  answer: (request: IncomingMessage, response: ServerResponse) => void
  close(): Promise<void>
}

export async function openFeedServer(): Promise<FeedServer> {
  const http = createServer((request, response) => {
    server.asked.push(request)
    server.answer(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: FeedServer = {
    url: (name = 'feed') => `${origin}/${name}.ics`,
    asked: [],
    body: '',
    answer: (_request, response) => response.writeHead(200, { 'content-type': 'text/calendar' }).end(server.body),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

/** Lines of one VEVENT; times as the format writes them. */
export const vevent = (uid: string, properties: Record<string, string>): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260301T000000Z',
    ...Object.entries(properties).map(([name, value]) => `${name}:${value}`),
    'END:VEVENT',
  ].join('\r\n')

export const vcalendar = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...events, 'END:VCALENDAR', ''].join('\r\n')
