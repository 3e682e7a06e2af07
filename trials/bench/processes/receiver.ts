// The receiver of webhooks: counts arrivals. Each of its ports is an origin of its own, as the receivers of many
// customers are. `PORTS` says how many there are.
import { createServer } from 'node:http'
import { listenOnLoopback } from '../../world/listen.ts'
import { serveOrders } from '../child.ts'

/** Waits until this many have arrived since the last `reset`. */
export type ReceiverOrder = 'reset' | { until: number }
/** When that was, by the clock of the machine. */
export type ReceiverReply = { atMs: number }

let arrived = 0
let wanted = Number.POSITIVE_INFINITY
let enough: (() => void) | undefined

const server = () => {
  const one = createServer((req, res) => {
    req.resume()
    req.once('end', () => {
      res.writeHead(200, { 'content-length': 0 }).end()
      if (++arrived >= wanted) enough?.()
    })
  })
  one.keepAliveTimeout = 60_000
  return one
}

const ports = await Promise.all(Array.from({ length: Number(process.env.PORTS) }, () => listenOnLoopback(server())))

serveOrders({ ports }, async (order: ReceiverOrder): Promise<ReceiverReply> => {
  if (order === 'reset') {
    arrived = 0
    wanted = Number.POSITIVE_INFINITY
  } else if (arrived < order.until) {
    wanted = order.until
    await new Promise<void>((resolve) => {
      enough = resolve
    })
  }
  return { atMs: performance.timeOrigin + performance.now() }
})
