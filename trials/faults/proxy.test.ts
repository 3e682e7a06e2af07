import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { openProxy, type Way } from './proxy.ts'

let server: Server
let proxy: Way
const accepted: Socket[] = []

beforeAll(async () => {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket)
    socket.on('error', () => undefined).on('end', () => socket.end())
    socket.on('data', (chunk) => socket.write(`${chunk}, answered`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(async () => {
  proxy = await openProxy(`postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/name`)
})
afterEach(() => {
  proxy.close()
  for (const socket of accepted.splice(0)) socket.destroy()
})
afterAll(() => server.close())

const inTime = { timeout: 60_000 }

/** A connection through the proxy that has been used. */
async function join() {
  const { hostname, port, pathname, password } = new URL(proxy.url)
  assert.deepEqual([pathname, password], ['/name', 'secret'])
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const got: string[] = []
  socket.on('data', (chunk) => got.push(String(chunk)))
  socket.write('hello')
  while (got.join('') !== 'hello, answered') await once(socket, 'data')
  got.length = 0
  return { socket, got, upstream: accepted.at(-1)! }
}

const codeOf = async (socket: Socket) => {
  const [error] = (await once(socket, 'error')) as [{ code: string }]
  return error.code
}

test('what is said passes both ways', inTime, async () => {
  const { socket } = await join()
  socket.destroy()
})

test('every connection is reset on both sides', inTime, async () => {
  const [one, two] = [await join(), await join()]
  const ends = [one.socket, two.socket, one.upstream, two.upstream].map(codeOf)
  await proxy.reset()
  assert.deepEqual(await Promise.all(ends), ['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'])
})

test('an answer that is under way arrives in part before the reset', inTime, async () => {
  const { socket, got } = await join()
  const end = codeOf(socket)
  const reset = proxy.reset()
  socket.write('question')
  await Promise.all([reset, end])
  assert.ok(got.join('').length < 'question, answered'.length, got.join(''))
})

test('half a connection is closed, and the other half goes on until it is closed as well', inTime, async () => {
  const { socket, upstream } = await join()
  const ended = Promise.race([once(socket, 'end'), once(upstream, 'end')])
  proxy.halfClose()
  await ended
  assert.equal(socket.destroyed && upstream.destroyed, false)
  socket.destroy()
})

test('answers are held back, of a new connection as well, and then come whole and in order', inTime, async () => {
  const { socket, got } = await join()
  const over = proxy.holdBack(1_000)
  socket.write('first')
  const { hostname, port } = new URL(proxy.url)
  const late = connect({ port: Number(port), host: hostname })
  const lateGot: string[] = []
  late.on('data', (chunk) => lateGot.push(String(chunk)))
  late.write('second')
  await new Promise((done) => setTimeout(done, 300))
  assert.deepEqual([got, lateGot], [[], []])
  const arrived = Promise.all([once(socket, 'data'), once(late, 'data')])
  await over
  await arrived
  assert.deepEqual([got.join(''), lateGot.join('')], ['first, answered', 'second, answered'])
  socket.destroy()
  late.destroy()
})
