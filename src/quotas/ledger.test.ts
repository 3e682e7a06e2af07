import assert from 'node:assert/strict'
import { afterAll, beforeAll, type TestContext, test } from 'vitest'
import type { App } from '../app.ts'
import { periodMs } from '../plans/period.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeOrganization } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { ledgerOf } from './ledger.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

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

/** What another process counts that reaches Postgres this way. */
async function openElsewhere(t: TestContext, statementDeadlineMs?: number) {
  const way = await openWay(service.app.config.databaseUrl)
  const elsewhere = await openProcess(service, { config: { databaseUrl: way.url }, statementDeadlineMs })
  t.onTestFinished(async () => {
    await elsewhere.close()
    await way.close()
  })
  return { way, app: elsewhere.app, ...(await openCounted(elsewhere.app)) }
}

test('what may have been written counts once, although the answer was lost', async (t) => {
  const { way, ledger, record, pending, total } = await openElsewhere(t)
  record(4)
  way.treat('lose answers')
  await ledger.flush()
  way.treat('pass on')
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
