// The receiver of webhooks: counts what arrives and reports the rate.
import { createServer } from 'node:http'
import { listenOnLoopback } from '../../world/listen.ts'
import { serveOrders } from '../child.ts'

/** Waits for `total` arrivals; the first `warmUp` of them are not timed. */
export type ReceiverOrder = { warmUp: number; total: number }
export type ReceiverReply = { perSecond: number }

type Series = ReceiverOrder & { arrived: number; startedMs: number; done(reply: ReceiverReply): void }

let series: Series | undefined

function arrive() {
  if (!series) return
  series.arrived++
  if (series.arrived === series.warmUp) series.startedMs = performance.now()
  if (series.arrived !== series.total) return
  const seconds = (performance.now() - series.startedMs) / 1000
  series.done({ perSecond: (series.total - series.warmUp) / seconds })
  series = undefined
}

const server = createServer((req, res) => {
  req.resume()
  req.once('end', () => {
    arrive()
    res.writeHead(200, { 'content-length': 0 }).end()
  })
})
server.keepAliveTimeout = 60_000
serveOrders({ port: await listenOnLoopback(server) }, (order: ReceiverOrder) => {
  const { promise, resolve } = Promise.withResolvers<ReceiverReply>()
  series = { ...order, arrived: 0, startedMs: performance.now(), done: resolve }
  return promise
})
