// A way to Postgres that breaks as networks do: connections are reset in the middle of an answer, closed on one side only,
// or stand still and go on.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Way = {
  url: string
  /** Resets every connection, both ways; those on which an answer is under way in the middle of it. */
  reset(): Promise<void>
  /** Closes one of the two directions of every connection. */
  halfClose(): void
  /** Passes on no answers for so long, and then all of them; returns when it does. */
  holdBack(ms: number): Promise<void>
  close(): void
}

type Link = { client: Socket; postgres: Socket }

/** So long an answer is waited for, to be cut; and the half of it has so long to arrive before the reset. */
const cutWithinMs = 100
const arriveWithinMs = 5

export async function openProxy(databaseUrl: string): Promise<Way> {
  const target = new URL(databaseUrl)
  const links = new Set<Link>()
  let isCutting = false
  let isHolding = false

  function join(client: Socket) {
    const postgres = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    const link = { client, postgres }
    links.add(link)
    if (isHolding) postgres.pause()
    client.on('data', (chunk) => write(postgres, chunk)).on('end', () => postgres.end())
    postgres
      .on('data', (chunk) => {
        // Nothing follows what was cut: no network loses what is in the middle.
        if (!links.has(link)) return
        write(client, isCutting ? chunk.subarray(0, chunk.length / 2) : chunk)
        if (isCutting) resetLink(link)
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

  function resetLink(link: Link) {
    links.delete(link)
    setTimeout(() => {
      link.client.resetAndDestroy()
      link.postgres.resetAndDestroy()
    }, arriveWithinMs)
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, join)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async reset() {
      const reset = [...links]
      isCutting = true
      await pause(cutWithinMs)
      isCutting = false
      for (const link of reset) if (links.has(link)) resetLink(link)
    },
    halfClose() {
      for (const { client, postgres } of links) (Math.random() < 0.5 ? client : postgres).end()
    },
    async holdBack(ms) {
      isHolding = true
      for (const { postgres } of links) postgres.pause()
      await pause(ms)
      isHolding = false
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

const write = (socket: Socket, bytes: Buffer) => void (socket.writable && socket.write(bytes))
