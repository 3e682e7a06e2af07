// Rows that the hourly purge removes: deleted events and deliveries that are old enough.
import type { App } from '../../src/app.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { idAt } from './organization.ts'
import type { Side } from './side.ts'

const rows = 500
const old = { deletedDays: 40, deliveryDays: 35 }

/** Five hundred of each, spread over the calendars. The purge has removed those of the last round. */
export async function addPurgeable({ world: { app }, places }: Side, round: number): Promise<void> {
  const left = await rowsLeft(app)
  if (left > 0) throw new Error(`${left} old rows were not purged`)
  const deletedMs = Date.now() - old.deletedDays * dayMs
  const deliveredMs = Date.now() - old.deliveryDays * dayMs
  const number = (nth: number) => 0xff0000000000 + round * rows + nth
  const given = Array.from({ length: rows }, (_, nth) => {
    const { orgId, id } = places[nth % places.length]!.calendar
    return {
      org_id: orgId,
      calendar_id: id,
      event_id: idAt(deletedMs, number(nth)),
      id: idAt(deliveredMs, number(nth)),
    }
  })
  const { sql } = app
  const listed = sql`jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as n (org_id uuid, calendar_id uuid, event_id uuid, id uuid)`
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, deleted_at, created_at, updated_at)
    select org_id, event_id, calendar_id, '', ${new Date(deletedMs)}::timestamptz, ${new Date(deletedMs + dayMs)}::timestamptz,
      'confirmed', '{}', ${new Date(deletedMs)}::timestamptz, ${new Date(deletedMs)}::timestamptz, ${new Date(deletedMs)}::timestamptz
    from ${listed}`
  await sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq, retry_schedule, status, attempts,
      last_attempt_at, created_at)
    select n.org_id, n.id, s.id, n.id, 0, 'event.created', 1, '{}', 'delivered', 1, ${new Date(deliveredMs)}::timestamptz,
      ${new Date(deliveredMs)}::timestamptz
    from ${listed}
    join webhook_subscriptions s on s.org_id = n.org_id`
  // Removing a delivery takes it from the count.
  await sql`
    update webhook_delivery_counts c set delivered = c.delivered + n.more
    from (select org_id, count(*) as more from ${listed} group by org_id) n
    where c.org_id = n.org_id`
}

async function rowsLeft({ sql }: App): Promise<number> {
  const day = (days: number) => new Date(Date.now() - days * dayMs)
  const [row] = await sql<{ left: number }[]>`
    select (
      (select count(*) from events where deleted_at < ${day(old.deletedDays - 1)}::timestamptz)
      + (select count(*) from webhook_deliveries where created_at < ${day(old.deliveryDays - 1)}::timestamptz)
    )::integer as left`
  return row!.left
}
