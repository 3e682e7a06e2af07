// Readers that wait, as bare sockets: thousands of them fit on one machine with the service.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type WaitingSocket = {
  socket: Socket
  /** When the first byte of the answer came, by `performance.now()`. */
  answeredMs: Promise<number>
}

type Question = { path: string; key: string }

/** Resolves when the request was sent. */
export async function waitBySocket(port: number, { path, key }: Question): Promise<WaitingSocket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answered = Promise.withResolvers<number>()
  answered.promise.catch(() => {})
  socket.once('data', () => answered.resolve(performance.now()))
  socket.once('close', () => answered.reject(new Error('the connection was closed without an answer')))
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`)
  return { socket, answeredMs: answered.promise }
}
