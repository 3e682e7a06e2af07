// An organization with this many events: 50 calendars of one agent, one of which holds most of the events, as dense as any
// other size, so that a day shows the same; as many deliveries, and as many audit entries. All were made over the last
// weeks, in the billing period that is under way.

import { bumpEpoch } from '../../src/quotas/epoch.ts'
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, encodeId, firstIdAt, type Uuid } from '../../src/shapes/ids.ts'
import { emptyHistogram } from '../../src/webhooks/histogram.ts'
import { fillFeed } from '../feed/fill.ts'
import { callOf, made, type Organization } from '../world/client.ts'
import { copyEvents } from './copyEvents.ts'
import type { World } from './world.ts'

export type Filled = {
  key: string
  agentId: string
  /** The calendar with most of the events. */
  calendarId: string
  eventId: string
  webhookId: string
  /** Cursors of the change feed: after its oldest page, and after its last entry. */
  secondPage: string
  feedEnd: string
  /** Ten events of the first calendar have it. */
  label: string
}

const calendarCount = 50
const label = 'planning'
const labelledCount = 10
const shareOfFirst = 0.6
/** Between two starts on the first calendar, and on each of the others. */
const stepsMs = { first: 5 * 60_000, others: 60 * 60_000 }
/** All records were made evenly over this time: less than a billing period. */
const madeOverMs = 20 * dayMs
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
  await ageOrganization(world, orgId)
  const first = Math.round(eventCount * shareOfFirst)
  const perOther = Math.floor((eventCount - first) / (calendarCount - 1))
  const madeIds = idsOver(eventCount)
  let eventId: Uuid | undefined
  for (const [nth, calendarId] of calendarIds.entries()) {
    const [count, stepMs] = nth === 0 ? [first, stepsMs.first] : [perOther, stepsMs.others]
    const middle = await addEvents(
      world,
      { orgId, calendarId: decodeId('cal', calendarId)! },
      madeIds.splice(0, count),
      stepMs,
    )
    if (nth === 0) eventId = middle
  }
  const { id: webhookId } = await organization.create('/v1/webhooks', {
    url: `http://127.0.0.1:9/${eventCount}`,
    events: ['event.deleted'],
  })
  await addDeliveries(world, orgId, decodeId('whk', webhookId)!, eventCount)
  await addAuditEntries(world, orgId, eventCount)
  const { key } = organization
  const get = (path: string) => made(callOf(world.baseUrls[0])('GET', path, { key }))
  const event = await get(`/v1/calendars/${calendarIds[0]}/events/${encodeId('evt', eventId!)}`)
  await addLabelled(organization, calendarIds[0]!)
  const copied = { orgId, calendarId: decodeId('cal', calendarIds[0]!)!, resourceId: eventId! }
  await fillFeed(world.app, { ...copied, payload: { calendar_id: calendarIds[0], event } }, eventCount)
  await countAndVacuum(world, orgId)
  return {
    ...{ key, agentId: agent.id, calendarId: calendarIds[0]!, eventId: event.id, webhookId },
    secondPage: (await get('/v1/changes?cursor=oldest')).cursor,
    feedEnd: (await get('/v1/changes')).cursor,
    label,
  }
}

async function addLabelled({ create }: Organization, calendarId: string): Promise<void> {
  for (let nth = 0; nth < labelledCount; nth++) {
    const start = Date.now() + nth * dayMs
    const times = { start_time: new Date(start).toISOString(), end_time: new Date(start + 30 * minuteMs).toISOString() }
    await create(`/v1/calendars/${calendarId}/events`, { title: 'Weekly review', labels: ['team', label], ...times })
  }
}

/** Around the present moment, each half an hour long. Returns the id of the one in the middle. */
async function addEvents(
  world: World,
  place: { orgId: Uuid; calendarId: Uuid },
  madeIds: readonly Uuid[],
  stepMs: number,
) {
  const count = madeIds.length
  const firstMs = Date.now() - (count / 2) * stepMs
  let middle: Uuid | undefined
  function* events() {
    for (const [nth, id] of madeIds.entries()) {
      if (nth === Math.floor(count / 2)) middle = id
      const startMs = firstMs + nth * stepMs
      const status = statuses[nth % statuses.length]!
      yield { id, title: 'Weekly review', startMs, endMs: startMs + 30 * minuteMs, status }
    }
  }
  await copyEvents(world, place, events())
  return middle!
}

/** Its billing period begins before anything was made. */
async function ageOrganization({ app }: World, orgId: Uuid): Promise<void> {
  await app.sql`update organizations set created_at = created_at - ${madeOverMs} * interval '1 millisecond' where id = ${orgId}`
  await bumpEpoch(app, orgId)
}

function idsOver(count: number): Uuid[] {
  const firstMs = Date.now() - madeOverMs
  return Array.from({ length: count }, (_, nth) =>
    firstIdAt(new Date(firstMs + Math.floor((nth * madeOverMs) / count))),
  )
}

async function addDeliveries({ app: { sql } }: World, orgId: Uuid, webhookId: Uuid, count: number): Promise<void> {
  await sql`select make_delivery_partitions((now() - ${madeOverMs} * interval '1 millisecond')::date, current_date)`
  await sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq,
      retry_schedule, status, attempts, last_attempt_at, created_at)
    select ${orgId}::uuid, uuidv7(ago), ${webhookId}::uuid, uuidv7(ago), 0, 'event.deleted', 1, '{60}',
      case when n % 50 = 0 then 'failed' else 'delivered' end, 1, now() + ago, now() + ago
    from generate_series(1, ${count}::integer) as n,
      lateral (select (n - ${count}::integer) * interval '1 millisecond' * ${madeOverMs}::bigint / ${count}::integer as ago) made`
  await sql`
    insert into webhook_delivery_counts (org_id, subscription_id, delivered, failed)
    select org_id, subscription_id, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'failed')
    from webhook_deliveries where org_id = ${orgId} group by 1, 2`
  await sql`
    insert into webhook_health (org_id, subscription_id, stretch, attempts, delivered, outcomes, ms_histogram)
    select ${orgId}::uuid, ${webhookId}::uuid, stretch, 100, 98, '{"refused": 2}', ${emptyHistogram().map((_, nth) => nth)}::integer[]
    from generate_series(
      date_bin('10 minutes', now(), 'epoch') - interval '7 days', date_bin('10 minutes', now(), 'epoch'), '10 minutes'
    ) as stretch`
}

const auditDays = 30

/** The limit for a statement. */
const entriesAtOnce = 100_000

/** Copies of the last entry, evenly over the last days. */
async function addAuditEntries({ app: { sql } }: World, orgId: Uuid, count: number): Promise<void> {
  await sql`select make_audit_partitions(current_date - ${auditDays}::integer, current_date)`
  for (let first = 1; first <= count; first += entriesAtOnce) {
    await sql`
      insert into audit_entries
      select (jsonb_populate_record(null::audit_entries, to_jsonb(a) || jsonb_build_object('id', uuidv7(), 'created_at',
        now() - n * interval '1 day' * ${auditDays}::integer / ${count}::integer))).*
      from (select * from audit_entries where org_id = ${orgId} order by created_at desc limit 1) a,
        generate_series(${first}::integer, ${Math.min(count, first + entriesAtOnce - 1)}::integer) as n`
  }
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
  await sql`vacuum analyze events, calendars, webhook_deliveries, audit_entries`
}
