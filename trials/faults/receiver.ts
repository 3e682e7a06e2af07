// The receiver of the fault test: keeps which delivery came when, and to whom: the path ends in the organization. One that
// begins with /slow answers late.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Arrival = { deliveryId: string; orgId: string; at: number; body: string; order: number }

export type Receiver = {
  url: string
  slowUrl: string
  /** By delivery id, in the order of arrival; more than one is a repetition. */
  arrivals: Map<string, Arrival[]>
  close(): void
}

/** Just inside the deadline of a delivery. */
const slowMs = 9_000

export async function openReceiver(): Promise<Receiver> {
  const arrivals: Receiver['arrivals'] = new Map()
  let order = 0
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      if (req.url?.startsWith('/slow')) {
        setTimeout(() => res.writeHead(200).end(), slowMs)
        return
      }
      const deliveryId = String(req.headers['x-delivery-id'])
      const orgId = req.url?.split('/').at(-1) ?? ''
      const arrival = { deliveryId, orgId, at: Date.now(), body: Buffer.concat(chunks).toString(), order: order++ }
      const known = arrivals.get(deliveryId)
      if (known) known.push(arrival)
      else arrivals.set(deliveryId, [arrival])
      res.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/hook`,
    slowUrl: `${base}/slow`,
    arrivals,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
