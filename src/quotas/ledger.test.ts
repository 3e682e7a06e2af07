import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeId } from '../ids.ts'
import { makeOrganization } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { ledgerOf } from './ledger.ts'

let service: TestService

before(async () => {
  service = await openTestService()
})
after(() => service.close())

async function openCounted() {
  const ledger = ledgerOf(service.app)
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
