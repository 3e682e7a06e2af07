import assert from 'node:assert/strict'
import type { App } from '../app.ts'
import { periodMs } from '../plans/period.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeOrganization } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import { serviceTest } from '../testing/test.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { ledgerOf } from './ledger.ts'

async function openCounted(service: TestService, app: App = service.app) {
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

const test = serviceTest()
  /** The counter of the calls of a new organization. */
  .extend('counted', ({ service }) => openCounted(service))
  /** The test's own way to Postgres, and what another process counts that reaches it this way. */
  .extend('way', async ({ service }, { onCleanup }) => {
    const way = await openWay(service.app.config.databaseUrl)
    onCleanup(async () => {
      await way.close()
    })
    return way
  })
  .extend('countedElsewhere', async ({ service, way }, { onCleanup }) => {
    const second = await openProcess(service, { config: { databaseUrl: way.url }, statementDeadlineMs: 2_000 })
    onCleanup(second.close)
    return { app: second.app, ...(await openCounted(service, second.app)) }
  })

test('what is recorded is pending until it is written, and counted all along', async ({ counted }) => {
  const { ledger, record, pending, total } = counted
  record(3)
  assert.deepEqual([pending(), await total()], [3, 3])
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 3])
  record(2)
  assert.deepEqual([pending(), await total()], [2, 5])
})

test('while it is being written a unit counts once, neither twice nor not at all', async ({ counted }) => {
  const { ledger, record, total } = counted
  for (let n = 1; n <= 40; n++) {
    record(1)
    const early = total()
    await new Promise(setImmediate)
    const flushing = ledger.flush()
    assert.deepEqual(await Promise.all([early, total()]), [n, n])
    await flushing
  }
})

test('units given back are taken off what is written', async ({ counted }) => {
  const { ledger, record, total } = counted
  record(1)
  await ledger.flush()
  record(-1)
  await ledger.flush()
  assert.equal(await total(), 0)
  record(2)
  await ledger.flush()
  assert.equal(await total(), 2)
})

test('what Postgres did not take is kept for the next time', async ({ service, counted }) => {
  const { ledger, record, pending, total } = counted
  const { sql } = service.app
  record(4)
  await sql`alter table usage_counters rename to usage_counters_away`
  await assert.rejects(ledger.flush())
  await sql`alter table usage_counters_away rename to usage_counters`
  assert.equal(pending(), 4)
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 4])
})

test('what may have been written counts once, although the answer was lost', async ({ way, countedElsewhere }) => {
  const { ledger, record, pending, total } = countedElsewhere
  record(4)
  way.treat('lose answers')
  await ledger.flush()
  way.treat('pass on')
  assert.deepEqual([pending(), await total()], [0, 4])
  record(1)
  await ledger.flush()
  assert.equal(await total(), 5)
})

test('what never reached Postgres is kept for the next time', async ({ way, countedElsewhere }) => {
  const { ledger, record, pending, total } = countedElsewhere
  record(4)
  await way.close()
  await assert.rejects(ledger.flush())
  assert.equal(pending(), 4)
  await way.open()
  await ledger.flush()
  assert.deepEqual([pending(), await total()], [0, 4])
})

test('what no connection was free for is kept for the next time', async ({ countedElsewhere }) => {
  const { app, ledger, record, pending, total } = countedElsewhere
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

test('units given back are forgotten when their period is over', async ({ service, counted }) => {
  const { ledger, record, pending } = counted
  record(1)
  await ledger.flush()
  record(-1)
  await ledger.flush()
  assert.equal(pending(), -1)
  await service.clock.advance(periodMs)
  await ledger.flush()
  assert.equal(pending(), 0)
})
