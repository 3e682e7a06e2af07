// A way to Postgres that a test can make fail, and mend.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `lose answers`: of what is inserted. `hang up`: on whoever connects. */
type Treatment = 'pass on' | 'lose answers' | 'hang up'

/** What becomes of a piece of an answer, as Latin-1; of the same length, or the messages in it no longer fit. */
type Forgery = (answer: string) => string

export async function openWay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const clients = new Set<Socket>()
  let treatment: Treatment = 'pass on'
  let forge: Forgery | undefined
  const asForged = (chunk: Buffer) => (forge ? Buffer.from(forge(chunk.toString('latin1')), 'latin1') : chunk)
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (treatment === 'hang up') return void client.destroy()
    clients.add(client)
    const postgres = connect(Number(port), hostname)
    client.on('data', (chunk) => postgres.write(chunk))
    client.on('close', () => postgres.destroy())
    postgres.on('error', () => undefined).on('close', () => client.destroy())
    // Postgres tells of an insert once it is committed.
    postgres.on('data', (chunk) =>
      treatment === 'lose answers' && chunk.includes('INSERT 0 1') ? client.destroy() : client.write(asForged(chunk)),
    )
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
    },
    /** From now on answers come changed, until it is called without a forgery. */
    forge(as?: Forgery) {
      forge = as
    },
    close() {
      for (const client of clients) client.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
    open: () => listen(own),
  }
}
