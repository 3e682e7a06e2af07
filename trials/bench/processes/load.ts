// The load: raw keep-alive connections, one request at a time each, so that it costs the machine as little as possible.
import { connect } from 'node:net'
import { percentile } from '../../world/report.ts'
import { serveOrders } from '../child.ts'

/** Requests are sent in turn, for `ms`, or until there are `answers`. */
export type LoadOrder = {
  port: number
  connections: number
  requests: readonly string[]
  status: number
  until: { ms: number } | { answers: number }
}
export type LoadReply = { answers: number; perSecond: number; p50Ms: number; p99Ms: number }

async function run({ port, connections, requests, status, until }: LoadOrder): Promise<LoadReply> {
  const latenciesMs: number[] = []
  const buffers = requests.map((request) => Buffer.from(request))
  const startedMs = performance.now()
  let sent = 0
  const next = () => {
    const isOver = 'ms' in until ? performance.now() - startedMs >= until.ms : sent >= until.answers
    return isOver ? undefined : buffers[sent++ % buffers.length]!
  }
  const client = () => sendInTurn(port, status, next, latenciesMs)
  await Promise.all(Array.from({ length: connections }, client))
  const seconds = (performance.now() - startedMs) / 1000
  return {
    answers: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  }
}

/** One connection, until `next` gives nothing more. Rejects with the answer if its status is another one. */
function sendInTurn(
  port: number,
  status: number,
  next: () => Buffer | undefined,
  latenciesMs: number[],
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    // What has come until the head was whole, and how many bytes are missing since.
    let text = ''
    let missing: number | undefined
    let sentMs = 0
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = () => {
      const request = next()
      if (request === undefined) {
        socket.destroy()
        resolve()
        return
      }
      text = ''
      missing = undefined
      sentMs = performance.now()
      socket.write(request)
    }
    socket.once('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk) => {
      if (missing === undefined) {
        text += chunk.toString('latin1')
        missing = missingOf(text)
      } else missing -= chunk.length
      if (missing === undefined || missing > 0) return
      if (Number(text.slice(9, 12)) !== status) return reject(new Error(`expected ${status}: ${text.slice(0, 1_000)}`))
      latenciesMs.push(performance.now() - sentMs)
      send()
    })
  })
}

const headEnd = '\r\n\r\n'

/** Undefined: the head is not whole. */
function missingOf(text: string): number | undefined {
  const end = text.indexOf(headEnd)
  if (end < 0) return undefined
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
  return end + headEnd.length + bodyBytes - text.length
}

serveOrders({}, run)
