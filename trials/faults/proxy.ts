// A way to Postgres that breaks as networks do: connections are reset in the middle of an answer, closed on one side
// only, or stop for a while.
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { listenOnLoopback } from '../world/listen.ts'

export type Way = {
  url: string
  /** Resets every connection in both directions; if an answer is under way, in the middle of it. */
  reset(): Promise<void>
  /** Closes one of the two directions of every connection. */
  halfClose(): void
  /** Holds back all answers for `ms`, and then passes them on and returns. */
  holdBack(ms: number): Promise<void>
  close(): void
}

type Link = { client: Socket; postgres: Socket }

/** How long a reset waits for an answer to cut. */
const cutWithinMs = 100
/** How long the half of an answer has to arrive before the reset. */
const arriveWithinMs = 5

export async function openProxy(databaseUrl: string): Promise<Way> {
  const { hostname, port } = new URL(databaseUrl)
  const way: State = { links: new Set(), isCutting: false, isHolding: false }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
    join(way, client, connect({ port: Number(port), host: hostname, allowHalfOpen: true })),
  )
  const { links } = way
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${await listenOnLoopback(server)}`
  return {
    url: url.href,
    async reset() {
      const reset = [...links]
      way.isCutting = true
      await pause(cutWithinMs)
      way.isCutting = false
      for (const link of reset) if (links.has(link)) resetLink(way, link)
    },
    halfClose() {
      for (const { client, postgres } of links) (Math.random() < 0.5 ? client : postgres).end()
    },
    async holdBack(ms) {
      way.isHolding = true
      for (const { postgres } of links) postgres.pause()
      await pause(ms)
      way.isHolding = false
      for (const { postgres } of links) postgres.resume()
    },
    close() {
      server.close()
      for (const { client, postgres } of links) {
        client.destroy()
        postgres.destroy()
      }
    },
  }
}

type State = { links: Set<Link>; isCutting: boolean; isHolding: boolean }

function join(way: State, client: Socket, postgres: Socket): void {
  const { links } = way
  const link = { client, postgres }
  links.add(link)
  if (way.isHolding) postgres.pause()
  client.on('data', (chunk) => write(postgres, chunk)).on('end', () => postgres.end())
  postgres
    .on('data', (chunk) => {
      // Nothing follows a cut: no network loses bytes in the middle of a stream.
      if (!links.has(link)) return
      write(client, way.isCutting ? chunk.subarray(0, chunk.length / 2) : chunk)
      if (way.isCutting) resetLink(way, link)
    })
    .on('end', () => client.end())
  for (const [one, other] of [
    [client, postgres],
    [postgres, client],
  ] as const) {
    one.on('error', () => other.resetAndDestroy())
    one.on('close', () => links.delete(link))
  }
}

function resetLink({ links }: State, link: Link): void {
  links.delete(link)
  setTimeout(() => {
    link.client.resetAndDestroy()
    link.postgres.resetAndDestroy()
  }, arriveWithinMs)
}

const write = (socket: Socket, bytes: Buffer) => void (socket.writable && socket.write(bytes))
