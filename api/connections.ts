// The connections of an API process: a limit in all, and a share of them for each client address. Without room, the one
// that has been idle for longest is closed, so that silent clients do not keep others out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../src/outbound/addresses.ts'

/**
 * An idle connection takes about 20 KB. At most 5,000 are of readers that wait for changes (`src/changeFeed/rules.ts`), so that 2,000
 * are left for everybody else.
 */
const maxConnections = 7_000
const maxOfClient = 2_000

/** Node closes connections beyond this itself; a closed connection counts until the turn of the event loop is over. */
const margin = 500

type Bounds = { max: number; maxOfClient: number }

/** `isShared`: whether an address stands for many clients, as that of a proxy does. */
export function boundConnections(
  server: Server,
  isShared: (address: string) => boolean,
  bounds: Bounds = { max: maxConnections, maxOfClient },
): void {
  server.maxConnections = bounds.max + margin
  const open = new Map<Socket, string | undefined>()
  const ofClient = new Map<string, number>()
  /** How many requests of a connection are not answered yet: a client may send the next one before the answer. */
  const underWay = new WeakMap<Socket, number>()
  /** Without a request, the one that has been so for longest first. */
  const idle = new Set<Socket>()

  function forget(this: Socket) {
    const client = open.get(this)
    if (!open.delete(this)) return
    idle.delete(this)
    if (client === undefined) return
    const left = ofClient.get(client)! - 1
    if (left > 0) ofClient.set(client, left)
    else ofClient.delete(client)
  }

  /** False if no connection can be closed. */
  function closeIdlest(mayClose: (socket: Socket) => boolean): boolean {
    for (const socket of idle) {
      if (!mayClose(socket)) continue
      forget.call(socket)
      socket.destroy()
      return true
    }
    return false
  }

  function hasRoom(client: string | undefined): boolean {
    const isOver = client !== undefined && (ofClient.get(client) ?? 0) >= bounds.maxOfClient
    if (isOver) return closeIdlest((socket) => open.get(socket) === client)
    return open.size < bounds.max || closeIdlest(() => true)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    const client = address === undefined || isShared(address) ? undefined : networkOf(address)
    if (!hasRoom(client)) {
      socket.destroy()
      return
    }
    open.set(socket, client)
    if (client !== undefined) ofClient.set(client, (ofClient.get(client) ?? 0) + 1)
    idle.add(socket)
    socket.once('close', forget)
  })
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    idle.delete(socket)
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    res.once('close', () => {
      const left = underWay.get(socket)! - 1
      underWay.set(socket, left)
      if (left === 0 && open.has(socket)) idle.add(socket)
    })
  })
}
