import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import type { App } from '../app.ts'
import { decodeId } from '../ids.ts'
import { makeOrganization } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import { ledgerOf } from './ledger.ts'
import { periodMs } from './period.ts'

let service: TestService

before(async () => {
  service = await openTestService()
})
after(() => service.close())

async function openCounted(app: App = service.app) {
  const ledger = ledgerOf(app)
  const orgId = decodeId('org', (await makeOrganization(service)).id)!
  return {
    ledger,
    orgId,
    record: (units: number) => ledger.record(orgId, testStart, 'api_calls', units),
    pending: () => ledger.pending(orgId, testStart, 'api_calls'),
    total: () => ledger.total(orgId, testStart, 'api_calls'),
  }
}

test('what is recorded is pending until it is written, and counted all along', async () => {
  const { ledger, record, pending, total } = await openCounted()
  record(3)
  assert.deepEqual([pending(), await total()], [3, 3])
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 3])
  record(2)
  assert.deepEqual([pending(), await total()], [2, 5])
})

test('while it is being written a unit counts once, neither twice nor not at all', async () => {
  const { ledger, record, total } = await openCounted()
  for (let n = 1; n <= 40; n++) {
    record(1)
    const early = total()
    await new Promise(setImmediate)
    const flushing = ledger.flush()
    assert.deepEqual(await Promise.all([early, total()]), [n, n])
    await flushing
  }
})

test('units given back are taken off what is written', async () => {
  const { ledger, record, total } = await openCounted()
  record(1)
  await ledger.flush()
  record(-1)
  await ledger.flush()
  assert.equal(await total(), 0)
  record(2)
  await ledger.flush()
  assert.equal(await total(), 2)
})

test('what Postgres did not take is kept for the next time', async () => {
  const { ledger, record, pending, total } = await openCounted()
  const { sql } = service.app
  record(4)
  await sql`alter table usage_counters rename to usage_counters_away`
  await assert.rejects(ledger.flush())
  await sql`alter table usage_counters_away rename to usage_counters`
  assert.equal(pending(), 4)
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 4])
})

/** A way to Postgres of which an answer can be lost, and that can be closed and opened again. */
async function openWay() {
  const { hostname, port } = new URL(service.app.config.databaseUrl)
  const clients = new Set<Socket>()
  let losing = false
  const server = createServer((client) => {
    clients.add(client)
    const postgres = connect(Number(port), hostname)
    client.on('data', (chunk) => postgres.write(chunk))
    client.on('error', () => undefined).on('close', () => postgres.destroy())
    postgres.on('error', () => undefined).on('close', () => client.destroy())
    // Postgres tells of an insert once it is committed.
    postgres.on('data', (chunk) => (losing && chunk.includes('INSERT 0 1') ? client.destroy() : client.write(chunk)))
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port: own } = server.address() as AddressInfo
  const url = new URL(service.app.config.databaseUrl)
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    loseAnswers(lost: boolean) {
      losing = lost
    },
    close() {
      for (const client of clients) client.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
    open: () => listen(own),
  }
}

/** What another process counts that reaches Postgres this way. */
async function openElsewhere(t: TestContext, statementDeadlineMs?: number) {
  const way = await openWay()
  const elsewhere = await openProcess(service, { config: { databaseUrl: way.url }, statementDeadlineMs })
  t.after(async () => {
    await elsewhere.close()
    await way.close()
  })
  return { way, app: elsewhere.app, ...(await openCounted(elsewhere.app)) }
}

test('what may have been written counts once, although the answer was lost', async (t) => {
  const { way, ledger, record, pending, total } = await openElsewhere(t)
  record(4)
  way.loseAnswers(true)
  await ledger.flush()
  way.loseAnswers(false)
  assert.deepEqual([pending(), await total()], [0, 4])
  record(1)
  await ledger.flush()
  assert.equal(await total(), 5)
})

test('what never reached Postgres is kept for the next time', async (t) => {
  const { way, ledger, record, pending, total } = await openElsewhere(t)
  record(4)
  await way.close()
  await assert.rejects(ledger.flush())
  assert.equal(pending(), 4)
  await way.open()
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 4])
})

test('what no connection was free for is kept for the next time', async (t) => {
  const { app, ledger, record, pending, total } = await openElsewhere(t, 2_000)
  record(4)
  const onEach = <T>(run: () => PromiseLike<T>) => Promise.all(Array.from({ length: 4 }, run))
  // Only a connection that is open can be reserved.
  await onEach(() => app.sql`select 1`)
  const taken = await onEach(() => app.sql.reserve())
  await assert.rejects(ledger.flush())
  assert.equal(pending(), 4)
  for (const connection of taken) connection.release()
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 4])
})

test('units given back are forgotten when their period is over', async () => {
  const { ledger, record, pending } = await openCounted()
  record(1)
  await ledger.flush()
  record(-1)
  await ledger.flush()
  assert.equal(pending(), -1)
  await service.clock.advance(periodMs)
  await ledger.flush()
  assert.equal(pending(), 0)
})
