// A client of `outbound/http.ts` and receivers on this machine that behave as a test says.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'vitest'
import { type HttpOptions, type HttpRequest, type Outcome, openHttp } from '../outbound/http.ts'

export type Ending = Pick<TestContext, 'onTestFinished'>

export const dead = '3ffe::1' // public by its range, assigned to nobody
const names: Record<string, string[]> = {
  'inward.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'metadata.example.com': ['169.254.169.254'],
  'linklocal.example.com': ['fe80::1%1'],
  'nothing.example.com': [],
  'dead.example.com': [dead],
  'trusted.test': ['127.0.0.1'],
  'hooks.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
}

async function lookup(hostname: string): Promise<string[]> {
  const addresses = names[hostname]
  if (!addresses) throw new Error('queryA ENOTFOUND')
  return addresses
}

export function client(t: Ending, options: Partial<HttpOptions> = {}) {
  const http = openHttp({ trustedHosts: ['127.0.0.1', 'trusted.test'], lookup, ...options })
  t.onTestFinished(() => http.close())
  return {
    http,
    post: (url: string, request: Partial<HttpRequest> = {}) =>
      http.send({ method: 'POST', url, body: '{}', deadlineMs: 2_000, maxBytes: 65_536, ...request }),
  }
}

/** Listens on 127.0.0.1 until the test ends; `sockets` are all connections ever made. */
export async function listen(t: Ending, server: Server) {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { sockets, port, url: `http://127.0.0.1:${port}/` }
}

export const receiver = (t: Ending, answer: RequestListener) => listen(t, createServer(answer))

/** Writes `text` to every request, then does `then` with the socket. */
export const rawReceiver = (t: Ending, text: string, then: (socket: Socket) => void = () => {}) =>
  listen(
    t,
    createNetServer((socket) => socket.on('data', () => socket.write(text, 'latin1', () => then(socket)))),
  )

export const end = (socket: Socket) => socket.end()

export const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

export const reasonOf = (outcome: Outcome) =>
  outcome.kind === 'failed' ? outcome.reason : `answered ${outcome.status}`

export function answered(outcome: Outcome) {
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
  return outcome as Extract<Outcome, { kind: 'response' }>
}
