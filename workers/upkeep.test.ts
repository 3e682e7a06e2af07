import assert from 'node:assert/strict'
import { dayMs } from '../src/shapes/durations.ts'
import { newId } from '../src/shapes/ids.ts'
import type { TestService } from '../src/testing/harness.ts'
import { serviceTest } from '../src/testing/test.ts'
import { wakeup } from '../src/wakeups/jobs.ts'
import { openHandlers } from './handlers.ts'
import { openPools } from './pools.ts'
import { upkeepHandlers } from './upkeep.ts'

const test = serviceTest()

/** The last day that has a partition of the audit log. */
async function lastPartition(service: TestService) {
  const [row] = await service.app.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname not like '%default' order by 1 desc limit 1`
  return row!.name
}

test('what cannot be purged keeps nothing else from it, and each failure is told', async ({ service }) => {
  const { sql } = service.app
  const { purge } = upkeepHandlers(service.app)
  await purge({ hour: 0 })
  const before = await lastPartition(service)
  await service.clock.advance(365 * dayMs)
  const out = ['webhook_deliveries', 'sessions']
  for (const table of out) await sql`alter table ${sql(table)} rename to ${sql(`${table}_away`)}`
  await assert.rejects(purge({ hour: 24 }), (error: AggregateError) => {
    assert.equal(error.errors?.length, 2)
    for (const table of out) assert.match(error.message, new RegExp(`"${table}" does not exist`))
    return true
  })
  assert.notEqual(await lastPartition(service), before)
  for (const table of out) await sql`alter table ${sql(`${table}_away`)} rename to ${sql(table)}`
  await purge({ hour: 25 })
})

test('an erasure that takes long holds up neither the purge nor the measurement', { timeout: 20_000 }, async ({
  service,
  onTestFinished,
}) => {
  const { app, clock } = service
  await clock.advance(365 * dayMs)
  const before = await lastPartition(service)
  const orgId = newId()
  await app.sql`insert into erasures values (${orgId}, ${clock.now()}, ${clock.now()})`
  const holding = await app.sql.reserve()
  await holding`begin`
  await holding`select from erasures where org_id = ${orgId} for update`
  const pools = openPools(app, ['upkeep'], openHandlers(app))
  onTestFinished(async () => {
    await holding`commit`
    holding.release()
    await pools.close()
  })
  assert.ok(
    await app.bell.ringNow([
      wakeup('erase', { orgId }, clock.now()),
      wakeup('purge', { hour: 1 }, clock.now()),
      wakeup('measure', { nth: 1 }, clock.now()),
    ]),
  )
  for (;;) {
    const [measured] = await app.sql`select from measurements`
    if (measured && (await lastPartition(service)) !== before) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal((await app.sql`select from erasures where org_id = ${orgId}`).length, 1)
})
