// The load: raw keep-alive connections, one request at a time each, so that it costs the machine as little as possible.
import { connect } from 'node:net'
import { percentile } from '../../world/report.ts'
import { serveOrders } from '../child.ts'

/** Requests are sent in turn, for `ms`, or until there are `answers` to them. */
export type LoadOrder = {
  port: number
  connections: number
  requests: readonly string[]
  status: number
  until: { ms: number } | { answers: number }
  /** The request that follows each one on its connection, about the thing that it made: `{id}` stands for its identifier. */
  then?: readonly (readonly Step[])[]
  /** The reply has the identifiers of what was made. */
  keepsIds?: boolean
}
export type Step = { request: string; status: number }
export type LoadReply = {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** In the order of the requests. */
  ids: string[]
}

async function run(order: LoadOrder): Promise<LoadReply> {
  const { until, keepsIds, then } = order
  const latenciesMs: number[] = []
  const ids: string[] = []
  const buffers = order.requests.map((request) => Buffer.from(request))
  const startedMs = performance.now()
  let sent = 0
  const client = () => {
    let [nth, id] = [-1, '']
    let steps: Step[] = []
    const next = (answer: string | undefined): Sent | undefined => {
      if (nth >= 0 && answer !== undefined && !id && (keepsIds || then)) ids[nth] = id = idIn(answer)
      const step = steps.shift()
      if (step) return { bytes: step.request.replace('{id}', id), status: step.status }
      const isOver = 'ms' in until ? performance.now() - startedMs >= until.ms : sent >= until.answers
      if (isOver) return undefined
      nth = sent++
      id = ''
      steps = then ? [...then[nth % then.length]!] : []
      return { bytes: buffers[nth % buffers.length]!, status: order.status }
    }
    return sendInTurn(order.port, next, latenciesMs)
  }
  await Promise.all(Array.from({ length: order.connections }, client))
  const seconds = (performance.now() - startedMs) / 1000
  return {
    answers: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    ids: keepsIds ? ids : [],
  }
}

function idIn(answer: string): string {
  const [, id] = /"id":"([^"]+)"/.exec(answer) ?? []
  if (!id) throw new Error(`no identifier in ${answer.slice(0, 1_000)}`)
  return id
}

type Sent = { bytes: Buffer | string; status: number }

/** One connection, until `next` gives nothing more. Rejects with the answer if its status is another one. */
function sendInTurn(
  port: number,
  next: (answer: string | undefined) => Sent | undefined,
  latenciesMs: number[],
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    // The received bytes, and the number of missing ones since the head was whole.
    let text = ''
    let missing: number | undefined
    let sentMs = 0
    let status = 0
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = (answer?: string) => {
      const request = next(answer)
      if (request === undefined) {
        socket.destroy()
        resolve()
        return
      }
      text = ''
      missing = undefined
      status = request.status
      sentMs = performance.now()
      socket.write(request.bytes)
    }
    socket.once('connect', () => send())
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (missing === undefined) missing = missingOf(text)
      else missing -= chunk.length
      if (missing === undefined || missing > 0) return
      if (Number(text.slice(9, 12)) !== status) return reject(new Error(`expected ${status}: ${text.slice(0, 1_000)}`))
      latenciesMs.push(performance.now() - sentMs)
      send(text)
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
