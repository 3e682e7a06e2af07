// The receiver of the webhooks of the demo organization, on this machine: one address takes deliveries, another one refuses them, so that
// the console shows both. It answers and keeps nothing.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type DemoReceiver = { port: number; close(): void }

export const receiverHost = '127.0.0.1'
export const receiverPaths = { taking: '/calendar', refusing: '/down-for-maintenance' }

/** Undefined if another program has the port now. */
export async function openDemoReceiver(port: number): Promise<DemoReceiver | undefined> {
  const server = createServer((request, response) => {
    request.resume()
    const isTaken = request.url === receiverPaths.taking
    response.writeHead(isTaken ? 200 : 503, { 'content-type': 'application/json' })
    response.end(isTaken ? '{"received":true}' : '{"error":"This receiver of the demo always refuses."}')
  })
  try {
    server.listen(port, receiverHost)
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: (server.address() as AddressInfo).port, close }
}
