import assert from 'node:assert/strict'
import { upkeepHandlers } from '../../workers/upkeep.ts'
import { makeChangeDays } from '../changeLog/retention.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, firstIdAt, newId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { makeDeliveryDays } from './retention.ts'

const test = serviceTest()

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const dayName = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '')
const partOf = (at: Date) => `webhook_deliveries_${dayName(at)}`

const purge = (service: TestService) => upkeepHandlers(service.app).purge({ hour: 0 })

/** A webhook of an organization of its own, and what is known of its deliveries. */
async function subscribe(service: TestService) {
  const { id, key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, 'https://example.com/hook', ['agent.created'])
  const [orgId, subscription] = [decodeId('org', id)!, decodeId('whk', webhook.id)!]
  const { sql } = service.app
  const stats = async () => (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { key })).body.stats
  const switchOff = () => service.call('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  /** A delivery whose change was so many days ago, with its entry. */
  async function remember(days: number, status: 'pending' | 'delivered' | 'failed'): Promise<Uuid> {
    const [changeId, id] = [firstIdAt(daysAgo(days)), newId()]
    await sql`
      insert into changes (org_id, seq, change_id, position, type, resource_id, cause, payload_sealed, created_at)
      values (${orgId}, nextval('changes_seq'), ${changeId}, 0, 'agent.created', ${newId()}, 'api', '', now())`
    await sql`
      insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq, retry_schedule,
        status, attempts, last_attempt_at, next_retry_at, created_at)
      values (${orgId}, ${id}, ${subscription}, ${changeId}, 0, 'agent.created', currval('changes_seq'), '{60}',
        ${status}, 1, now(), ${status === 'pending' ? new Date(Date.now() + dayMs) : null}, now())`
    if (status === 'pending') return id
    await sql`
      insert into webhook_delivery_counts as c (org_id, subscription_id, delivered, failed)
      values (${orgId}, ${subscription}, ${status === 'delivered' ? 1 : 0}, ${status === 'failed' ? 1 : 0})
      on conflict (org_id, subscription_id) do update
      set delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed`
    return id
  }
  const placeOf = async (id: Uuid) => {
    const [row] = await sql<{ place: string }[]>`
      select tableoid::regclass::text as place from webhook_deliveries where org_id = ${orgId} and id = ${id}`
    return row?.place
  }
  const entries = async () => (await sql`select from changes where org_id = ${orgId} and type = 'agent.created'`).length
  return { key, orgId, stats, switchOff, remember, placeOf, entries }
}

test('days are made three days ahead; a delivery waits in one part, and ends in the day of its change', async ({
  service,
  receiver,
}) => {
  const { sql } = service.app
  await purge(service)
  for (let n = 0; n <= 5; n++) {
    const [row] = await sql`select to_regclass(${partOf(daysAgo(-n))}) is not null as made`
    assert.equal(row!.made, n <= 3, `${n}`)
  }
  const { id, key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['agent.created'])
  await makeAgent(service, key)
  const places = async () => {
    const rows = await sql<{ place: string }[]>`
      select tableoid::regclass::text as place from webhook_deliveries where org_id = ${decodeId('org', id)!}`
    return rows.map(({ place }) => place)
  }
  assert.deepEqual(await places(), ['webhook_deliveries_pending'])
  await service.drain()
  const [place, ...others] = await places()
  assert.deepEqual(others, [])
  assert.ok([partOf(new Date()), partOf(daysAgo(1))].includes(place!), place)
})

test('whole days are dropped when each of their deliveries is older than 30 days, and the counts follow', async ({
  service,
}) => {
  for (const days of [33, 30]) await makeDeliveryDays(service.app, daysAgo(days))
  const [one, other] = [await subscribe(service), await subscribe(service)]
  const [old, failed] = [await one.remember(31, 'delivered'), await one.remember(32, 'failed')]
  const edge = await one.remember(30, 'delivered')
  await other.remember(31, 'failed')
  await other.remember(5, 'failed')
  assert.deepEqual(await one.placeOf(old), partOf(daysAgo(31)))
  assert.deepEqual(await one.stats(), { pending: 0, delivered: 2, failed: 1 })
  await purge(service)
  assert.deepEqual([await one.placeOf(old), await one.placeOf(failed)], [undefined, undefined])
  assert.equal(await one.placeOf(edge), partOf(daysAgo(30)))
  assert.deepEqual(await one.stats(), { pending: 0, delivered: 1, failed: 0 })
  assert.deepEqual(await other.stats(), { pending: 0, delivered: 0, failed: 1 })
  const [row] = await service.app.sql`select to_regclass(${partOf(daysAgo(31))}) as day`
  assert.equal(row!.day, null)
})

test('a day without a partition loses nothing, and its deliveries go as late as the others', async ({ service }) => {
  const { remember, placeOf, stats } = await subscribe(service)
  const [old, edge] = [await remember(60, 'delivered'), await remember(20, 'delivered')]
  const stray = 'webhook_deliveries_ended_default'
  assert.deepEqual([await placeOf(old), await placeOf(edge)], [stray, stray])
  await makeDeliveryDays(service.app, daysAgo(20))
  await purge(service)
  assert.deepEqual([await placeOf(old), await placeOf(edge)], [undefined, stray])
  assert.deepEqual(await stats(), { pending: 0, delivered: 1, failed: 0 })
})

test('a delivery that waits for an attempt stays with its payload, one that waits for its webhook does not', async ({
  service,
}) => {
  for (const days of [43, 40]) await makeChangeDays(service.app, daysAgo(days))
  const [on, off] = [await subscribe(service), await subscribe(service)]
  const waiting = await on.remember(40, 'pending')
  await off.remember(41, 'pending')
  await off.remember(20, 'pending')
  await off.switchOff()
  await purge(service)
  assert.deepEqual([await on.stats(), await on.entries()], [{ pending: 1, delivered: 0, failed: 0 }, 1])
  assert.deepEqual([await off.stats(), await off.entries()], [{ pending: 1, delivered: 0, failed: 0 }, 1])
  await on.switchOff()
  await purge(service)
  assert.deepEqual([await on.placeOf(waiting), await on.entries()], [undefined, 0])
})

test('a statement that names deliveries by their ctid deletes none', async ({ service }) => {
  const { remember, placeOf, orgId } = await subscribe(service)
  const id = await remember(5, 'delivered')
  await assert.rejects(
    service.app.sql`
      delete from webhook_deliveries
      where ctid = any (array(select ctid from webhook_deliveries where org_id = ${orgId} limit 5000))`,
    /rows of webhook_deliveries are named by their keys/,
  )
  assert.ok(await placeOf(id))
})
