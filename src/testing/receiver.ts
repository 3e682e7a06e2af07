// A webhook receiver: a real HTTP server that keeps what it got and answers as it is told.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  /** The event's type. */
  type: string
  deliveryId: string
  path: string
  headers: IncomingHttpHeaders
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: a payload is looked into field by field
  payload: any
}

export type Receiver = {
  url: string
  received: Received[]
  types(): string[]
  /** The status to answer with, at once or later; 'hang' never answers, 'hang up' ends the connection. A redirect points to another path of this server. */
  answer: (request: Received) => number | 'hang' | 'hang up' | Promise<number>
  /** The body of its answers. */
  body: string
  /** The heads of interim responses that come first. */
  interim: string[]
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', async () => {
      const raw = Buffer.concat(chunks).toString()
      const one: Received = {
        type: String(req.headers['x-service-event-type']),
        deliveryId: String(req.headers['x-delivery-id']),
        path: req.url ?? '',
        headers: req.headers,
        raw,
        payload: JSON.parse(raw),
      }
      receiver.received.push(one)
      for (const head of receiver.interim) res.socket?.write(`HTTP/1.1 ${head}\r\n\r\n`)
      const status = await receiver.answer(one)
      if (status === 'hang') return
      if (status === 'hang up') return void res.socket?.end()
      res.writeHead(status, status >= 300 && status <= 399 ? { location: `${receiver.url}/elsewhere` } : {})
      res.end(receiver.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    types: () => receiver.received.map(({ type }) => type),
    answer: () => 200,
    body: '',
    interim: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
