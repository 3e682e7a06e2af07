// An organization with so many events: 50 calendars of one agent, one of which holds most of the events, as dense as any
// other size, so that a day shows the same; and a delivery for every fourth event.

import { minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, encodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { copyEvents } from './copyEvents.ts'
import type { World } from './world.ts'

export type Filled = { key: string; agentId: string; calendarId: string; eventId: string; webhookId: string }

const calendarCount = 50
const shareOfFirst = 0.6
/** Between two starts on the first calendar, and on each of the others. */
const stepsMs = { first: 5 * 60_000, others: 60 * 60_000 }
const statuses: string[] = [...Array(18).fill('confirmed'), 'tentative', 'cancelled']

export async function fillOrganization(world: World, eventCount: number): Promise<Filled> {
  const organization = await world.makeOrganization()
  const agent = await organization.create('/v1/agents', { name: 'Agent', type: 'ai' })
  const calendarIds: string[] = []
  for (let nth = 0; nth < calendarCount; nth++) {
    const calendar = { name: `Calendar ${nth}`, timezone: 'UTC' }
    calendarIds.push((await organization.create(`/v1/agents/${agent.id}/calendars`, calendar)).id)
  }
  const orgId = decodeId('org', organization.id)!
  const first = Math.round(eventCount * shareOfFirst)
  const perOther = Math.floor((eventCount - first) / (calendarCount - 1))
  let eventId: Uuid | undefined
  for (const [nth, calendarId] of calendarIds.entries()) {
    const [count, stepMs] = nth === 0 ? [first, stepsMs.first] : [perOther, stepsMs.others]
    const middle = await addEvents(world, { orgId, calendarId: decodeId('cal', calendarId)! }, count, stepMs)
    if (nth === 0) eventId = middle
  }
  const { id: webhookId } = await organization.create('/v1/webhooks', {
    url: `http://127.0.0.1:9/${eventCount}`,
    events: ['event.deleted'],
  })
  await addDeliveries(world, orgId, decodeId('whk', webhookId)!, eventCount / 4)
  await countAndVacuum(world, orgId)
  const { key } = organization
  return { key, agentId: agent.id, calendarId: calendarIds[0]!, eventId: encodeId('evt', eventId!), webhookId }
}

/** Around the present moment, each half an hour long. Returns the id of the one in the middle. */
async function addEvents(world: World, place: { orgId: Uuid; calendarId: Uuid }, count: number, stepMs: number) {
  const firstMs = Date.now() - (count / 2) * stepMs
  let middle: Uuid | undefined
  function* events() {
    for (let nth = 0; nth < count; nth++) {
      const id = newId()
      if (nth === Math.floor(count / 2)) middle = id
      const startMs = firstMs + nth * stepMs
      const status = statuses[nth % statuses.length]!
      yield { id, title: 'Weekly review', startMs, endMs: startMs + 30 * minuteMs, status }
    }
  }
  await copyEvents(world, place, events())
  return middle!
}

async function addDeliveries({ app: { sql } }: World, orgId: Uuid, webhookId: Uuid, count: number): Promise<void> {
  await sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, payload_sealed,
      retry_schedule, status, attempts, last_attempt_at, created_at)
    select ${orgId}::uuid, uuidv7(), ${webhookId}::uuid, uuidv7(), 0, 'event.deleted', '\\x00', '{60}',
      case when n % 50 = 0 then 'failed' else 'delivered' end, 1, now(), now()
    from generate_series(1, ${count}::integer) as n`
  await sql`
    insert into webhook_delivery_counts (org_id, subscription_id, delivered, failed)
    select org_id, subscription_id, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'failed')
    from webhook_deliveries where org_id = ${orgId} group by 1, 2`
}

/** Sets the counts that every change of an event keeps up to date. */
async function countAndVacuum({ app: { sql } }: World, orgId: Uuid): Promise<void> {
  await sql`
    update calendars c set confirmed_events = n.confirmed, tentative_events = n.tentative, cancelled_events = n.cancelled
    from (
      select calendar_id, count(*) filter (where status = 'confirmed') as confirmed,
        count(*) filter (where status = 'tentative') as tentative, count(*) filter (where status = 'cancelled') as cancelled
      from events where org_id = ${orgId} group by calendar_id) n
    where c.org_id = ${orgId} and c.id = n.calendar_id`
  await sql`vacuum analyze events, calendars, webhook_deliveries`
}
