import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { openDb } from './db.ts'
import { openTestService, type TestService } from './testing/harness.ts'

let service: TestService

before(async () => {
  service = await openTestService()
})
after(() => service.close())

/** In front of Postgres: takes connections and closes them at once, until it is opened. */
async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let isOpen = false
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    if (!isOpen) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    open() {
      isOpen = true
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

test('a pool whose statements were given up before they left works once Postgres can be reached, and writes none of them', async () => {
  const { sql } = service.app
  await sql`create table given_up (n integer)`
  const proxy = await openProxy(service.app.config.databaseUrl)
  const through = openDb(proxy.url, { connections: 2, deadlineMs: 500, name: 'test, through a proxy' })
  for (let round = 0; round < 3; round++) {
    const given = [1, 2, 3].map(async (n) => through`insert into given_up values (${n})`)
    for (const outcome of await Promise.allSettled(given)) assert.equal(outcome.status, 'rejected')
  }
  proxy.open()
  let answered: unknown
  for (let attempt = 0; attempt < 20 && !answered; attempt++) {
    answered = await through`select 1 as one`.catch(() => undefined)
  }
  const both = await Promise.all([through`select 1 as one`, through`select 2 as two`])
  const written = await sql`select n from given_up`
  await through.end({ timeout: 1 })
  proxy.close()
  assert.ok(answered, 'a statement is answered')
  assert.equal(both.length, 2)
  assert.deepEqual([...written], [])
})
