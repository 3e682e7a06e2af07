import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'vitest'
import { boundConnections } from './connections.ts'

const ask = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** `connectFrom` opens a connection from an address of this machine. */
async function open(
  t: TestContext,
  bounds: { max: number; maxOfClient: number },
  handler: RequestListener,
  shared = '',
) {
  const server = createServer(handler)
  boundConnections(server, (address) => address === shared, bounds)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
}

/** The status of the answer; undefined if the connection is closed without one. */
const answerTo = (socket: Socket): Promise<string | undefined> =>
  new Promise((resolve) => {
    if (socket.closed) return resolve(undefined)
    socket.once('data', (data) => resolve(/^HTTP\/1.1 (\d+)/.exec(String(data))?.[1]))
    socket.once('close', () => resolve(undefined))
    socket.write(ask)
  })

const isOpen = async (socket: Socket) => (await answerTo(socket)) === '200'

test('silent connections of one client keep nobody out: the one that was idle for longest is closed', async (t) => {
  const connectFrom = await open(t, { max: 1_000, maxOfClient: 1_000 }, (_req, res) => res.end('fine'))
  const silent: Socket[] = []
  for (let nth = 0; nth < 1_000; nth++) silent.push(await connectFrom())
  assert.equal(await answerTo(silent[0]!), '200')
  for (let nth = 0; nth < 20; nth++) assert.equal(await answerTo(await connectFrom()), '200')
  assert.equal(await isOpen(silent[0]!), true, 'it has asked since')
  assert.equal(await isOpen(silent[1]!), false)
  assert.equal(await isOpen(silent[20]!), false)
  assert.equal(await isOpen(silent[21]!), true)
})

test('beyond its share a client closes its own connections, and no others', async (t) => {
  const connectFrom = await open(t, { max: 100, maxOfClient: 10 }, (_req, res) => res.end('fine'))
  const other = await connectFrom('127.0.0.2')
  const own: Socket[] = []
  for (let nth = 0; nth < 30; nth++) own.push(await connectFrom())
  assert.equal(await isOpen(other), true)
  assert.deepEqual(await Promise.all(own.map(isOpen)), [...Array(20).fill(false), ...Array(10).fill(true)])
})

test('a connection with a request is never closed for another one; where all have one, the new one is', async (t) => {
  const held: (() => void)[] = []
  const connectFrom = await open(t, { max: 3, maxOfClient: 2 }, (_req, res) => held.push(() => res.end('late')))
  const busy = [await connectFrom(), await connectFrom(), await connectFrom('127.0.0.2')]
  const answers = busy.map(answerTo)
  while (held.length < 3) await new Promise(setImmediate)
  assert.equal(await answerTo(await connectFrom()), undefined)
  assert.equal(await answerTo(await connectFrom('127.0.0.3')), undefined)
  for (const end of held) end()
  assert.deepEqual(await Promise.all(answers), ['200', '200', '200'])
  const next = answerTo(await connectFrom('127.0.0.3'))
  while (held.length < 4) await new Promise(setImmediate)
  held[3]!()
  assert.equal(await next, '200')
})

test('a connection whose client sends its requests one after the other is idle when all are answered', async (t) => {
  const held: (() => void)[] = []
  const connectFrom = await open(t, { max: 1, maxOfClient: 1 }, (_req, res) => held.push(() => res.end('fine')))
  const socket = await connectFrom()
  const first = once(socket, 'data')
  socket.write(ask + ask)
  while (held.length < 2) await new Promise(setImmediate)
  held[0]!()
  await first
  assert.equal(await answerTo(await connectFrom()), undefined)
  const second = once(socket, 'data')
  held[1]!()
  await second
  assert.equal(socket.closed, false)
  const next = answerTo(await connectFrom())
  while (held.length < 3) await new Promise(setImmediate)
  held[2]!()
  assert.equal(await next, '200')
})

test('an address that stands for many clients has no share', async (t) => {
  const connectFrom = await open(t, { max: 30, maxOfClient: 2 }, (_req, res) => res.end('fine'), '127.0.0.1')
  const own: Socket[] = []
  for (let nth = 0; nth < 20; nth++) own.push(await connectFrom())
  assert.ok((await Promise.all(own.map(isOpen))).every(Boolean))
})
