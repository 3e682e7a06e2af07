import assert from 'node:assert/strict'
import { upkeepHandlers } from '../../workers/upkeep.ts'
import { decodeId, newId } from '../shapes/ids.ts'
import { makeAgent, makeOrganization } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'

const test = serviceTest()

const day = 24 * 60 * 60 * 1000
const purge = ({ app }: TestService) => upkeepHandlers(app).purge({ hour: 0 })

/** One entry for each age in days. */
async function remember({ app, clock }: TestService, orgId: string, ages: readonly number[]) {
  for (const age of ages) {
    await app.sql`insert into audit_entries (org_id, id, action, created_at)
      values (${decodeId('org', orgId)!}, ${newId()}, 'agent.create', ${new Date(clock.now().getTime() - age * day)})`
  }
}

const ages = async ({ app, clock }: TestService, orgId: string) => {
  const rows = await app.sql<{ createdAt: Date }[]>`
    select created_at from audit_entries where org_id = ${decodeId('org', orgId)!} order by created_at desc`
  return rows.map(({ createdAt }) => (clock.now().getTime() - createdAt.getTime()) / day)
}

/** The days that have a partition of their own. */
const partitions = async ({ app }: TestService) => {
  const rows = await app.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass order by 1`
  return rows.map(({ name }) => name.replace('audit_entries_', ''))
}

const dayName = ({ clock }: TestService, days: number) =>
  new Date(clock.now().getTime() + days * day).toISOString().slice(0, 10).replaceAll('-', '')

test('partitions are made two weeks ahead, and a change finds its own', async ({ service }) => {
  await purge(service)
  const names = await partitions(service)
  for (let n = 0; n <= 14; n++) assert.ok(names.includes(dayName(service, n)), dayName(service, n))
  assert.ok(names.includes('default'))
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  const [row] = await service.app.sql<{ place: string }[]>`
    select tableoid::regclass::text as place from audit_entries where org_id = ${decodeId('org', id)!}`
  assert.equal(row!.place, `audit_entries_${dayName(service, 0)}`)
})

test('a day without a partition loses nothing: its entries stand in the default one, also when it is to be made', async ({
  service,
}) => {
  await service.clock.advance(40 * day)
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  await purge(service)
  const names = await partitions(service)
  assert.deepEqual([names.includes(dayName(service, 0)), names.includes(dayName(service, 1))], [false, true])
  assert.deepEqual(await ages(service, id), [0])
})

test('each plan keeps what it promises; days that nobody keeps go as a whole', async ({ service }) => {
  const free = await makeOrganization(service, { plan: 'free' })
  const pro = await makeOrganization(service, { plan: 'pro' })
  const custom = await makeOrganization(service, { plan: 'custom', limits: { audit_retention_days: 30 } })
  await remember(service, free.id, [0, 3, 3.01, 10, 95, 200])
  await remember(service, pro.id, [0, 3.01, 90, 90.01, 95])
  await remember(service, custom.id, [0, 29, 31])
  await purge(service)
  assert.deepEqual(await ages(service, free.id), [0, 3])
  assert.deepEqual(await ages(service, pro.id), [0, 3.01, 90])
  assert.deepEqual(await ages(service, custom.id), [0, 29])
  await service.clock.advance(60 * day)
  await remember(service, free.id, [0])
  await purge(service)
  const names = await partitions(service)
  assert.ok(
    names.every((name) => name === 'default' || name >= dayName(service, -90)),
    names.join(),
  )
  await service.clock.advance(91 * day)
  await purge(service)
  assert.deepEqual(await ages(service, pro.id), [])
})

test('while one organization keeps its log for ever no day is dropped, and the others keep what they should', async ({
  service,
}) => {
  await purge(service)
  const before = await partitions(service)
  const custom = await makeOrganization(service, { plan: 'custom' })
  const free = await makeOrganization(service, { plan: 'free' })
  await remember(service, custom.id, [0])
  await remember(service, free.id, [0])
  await service.clock.advance(200 * day)
  await purge(service)
  const later = await partitions(service)
  assert.ok(before.every((name) => later.includes(name)))
  assert.deepEqual(await ages(service, custom.id), [200])
  assert.deepEqual(await ages(service, free.id), [])
})
