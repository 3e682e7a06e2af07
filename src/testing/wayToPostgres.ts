// A way to Postgres that a test can make fail, and mend.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `lose answers`: of what is inserted. `hold inserts`: the answers of these alone, as while commits wait for a standby. `hang up`: on whoever connects. `hold answers`: until it is mended. `break off`: resets
 * the connection in place of an answer. `half close`: passes half of an answer, says that this was all, and still takes what
 * is sent. `repeat answers`: every answer comes twice, the second time a little later.
 */
type Treatment =
  | 'pass on'
  | 'lose answers'
  | 'hang up'
  | 'hold answers'
  | 'break off'
  | 'half close'
  | 'repeat answers'
  | 'hold inserts'

/** Changes a piece of an answer, as Latin-1; it keeps the length, or the messages in it no longer fit. */
type Forgery = (answer: string) => string

export async function openWay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const clients = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  const held: (() => void)[] = []
  let treatment: Treatment = 'pass on'
  let forge: Forgery | undefined
  const asForged = (chunk: Buffer) => (forge ? Buffer.from(forge(chunk.toString('latin1')), 'latin1') : chunk)
  const answer = (client: Socket, chunk: Buffer) => {
    if (silent.has(client)) return
    const pass = () => {
      if (client.writable) client.write(chunk)
    }
    if (treatment === 'lose answers' && chunk.includes('INSERT 0 1')) client.destroy()
    else if (treatment === 'hold inserts' && chunk.includes('INSERT 0 1')) held.push(pass)
    else if (treatment === 'hold answers' || (held.length > 0 && treatment !== 'hold inserts')) held.push(pass)
    else if (treatment === 'break off') client.resetAndDestroy()
    else if (treatment === 'half close') client.end(chunk.subarray(0, chunk.length / 2))
    else pass()
    if (treatment === 'repeat answers') setTimeout(pass, 20)
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined)
    if (treatment === 'hang up') return void client.destroy()
    clients.add(client)
    const postgres = connect(Number(port), hostname)
    client.on('data', (chunk) => postgres.writable && postgres.write(chunk))
    client.on('end', () => postgres.end())
    client.on('close', () => {
      clients.delete(client)
      postgres.destroy()
    })
    postgres.on('error', () => undefined).on('close', () => client.destroy())
    // Postgres tells of an insert once it is committed.
    postgres.on('data', (chunk: Buffer) => answer(client, asForged(chunk)))
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port: own } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    treat(as: Treatment) {
      treatment = as
      if (as === 'hold answers' || as === 'hold inserts') return
      // In their order; what was held for a connection that is gone goes nowhere.
      for (const pass of held.splice(0)) pass()
    },
    /** From now on answers come changed, until it is called without a forgery. */
    forge(as?: Forgery) {
      forge = as
    },
    /** Nothing more comes back on the connections that are open now. */
    silence() {
      for (const client of clients) silent.add(client)
    },
    /** Every connection that is open now is reset. */
    reset() {
      for (const client of clients) client.resetAndDestroy()
    },
    /** How many connections are open. */
    count: () => clients.size,
    close() {
      for (const client of clients) client.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
    open: () => listen(own),
  }
}
