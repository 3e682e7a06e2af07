import assert from 'node:assert/strict'
import { upkeepHandlers } from '../../workers/upkeep.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, firstIdAt, newId } from '../shapes/ids.ts'
import { makeAgent } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { dropChangeDays, makeChangeDays } from './retention.ts'

const test = serviceTest()

const partitions = async ({ app }: TestService) => {
  const rows = await app.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass order by 1`
  return rows.map(({ name }) => name.replace('changes_', ''))
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const dayName = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '')

/** An entry whose change was so many days ago. */
async function remember({ app }: TestService, days: number) {
  const changeId = firstIdAt(daysAgo(days))
  await app.sql`
    insert into changes (org_id, seq, change_id, position, type, resource_id, cause, payload_sealed, created_at)
    values (${newId()}, nextval('changes_seq'), ${changeId}, 0, 'event.deleted', ${newId()}, 'api', '', now())`
  return changeId
}

/** Which of the changes have an entry, and in which partition. */
const places = async ({ app }: TestService, ids: readonly string[]) => {
  const rows = await app.sql<{ place: string }[]>`
    select tableoid::regclass::text as place from changes
    where change_id = any (${ids as never}::uuid[]) order by change_id`
  return rows.map(({ place }) => place)
}

test('days are made three days ahead, and a change finds its own', async ({ service, organization, key }) => {
  await upkeepHandlers(service.app).purge({ hour: 0 })
  const names = await partitions(service)
  for (let n = 0; n <= 5; n++) assert.equal(names.includes(dayName(daysAgo(-n))), n <= 3, `${n}`)
  await makeAgent(service, key)
  const [row] = await service.app.sql<{ place: string }[]>`
    select tableoid::regclass::text as place from changes where org_id = ${decodeId('org', organization.id)!}`
  assert.match(row!.place, new RegExp(`^changes_(${dayName(new Date())}|${dayName(daysAgo(1))})$`))
})

test('whole days are dropped when each of their entries is older than 31 days, and no earlier', async ({ service }) => {
  for (const days of [36, 33]) await makeChangeDays(service.app, daysAgo(days))
  const [old, edge] = [await remember(service, 34), await remember(service, 31)]
  assert.deepEqual(await places(service, [old, edge]), [
    `changes_${dayName(daysAgo(34))}`,
    `changes_${dayName(daysAgo(31))}`,
  ])
  await dropChangeDays(service.app)
  assert.deepEqual(await places(service, [old, edge]), [`changes_${dayName(daysAgo(31))}`])
  assert.equal((await partitions(service)).includes(dayName(daysAgo(32))), false)
  await dropChangeDays(service.app, daysAgo(-1))
  assert.deepEqual(await places(service, [edge]), [])
})

test('a day without a partition loses nothing, and its entries go as late as the others', async ({ service }) => {
  const [old, edge] = [await remember(service, 60), await remember(service, 20)]
  assert.deepEqual(await places(service, [old, edge]), ['changes_default', 'changes_default'])
  await makeChangeDays(service.app, daysAgo(20))
  await dropChangeDays(service.app)
  assert.deepEqual(await places(service, [old, edge]), ['changes_default'])
})
