// A moment of an event in the log: its start, its end or a reminder. Its payload is not stored as a text, but put together from the
// title as the event had it, sealed for the event, and from its times. So Postgres alone can log it.
import type { App } from '../app.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { payloadContext, titleContext } from './sealed.ts'

/** As `momentColumn` reads it. */
export type Moment = { event: Uuid; calendar: Uuid; start: string; end: string; reminder: number | null }

/** Of an entry, an alias; null unless it is a moment. */
export const momentColumn = (sql: Sql, entry: Fragment): Fragment => sql`
  case when ${entry}.starts_at is not null then jsonb_build_object(
    'event', ${entry}.resource_id, 'calendar', ${entry}.calendar_id,
    'start', ${entry}.starts_at, 'end', ${entry}.ends_at, 'reminder', ${entry}.reminder_minutes) end`

type StoredPayload = { changeId: Uuid; position: number; payloadSealed: Buffer; moment: Moment | null }

/** The payload as JSON, the same whenever it is read. */
export function payloadText({ sealer }: Pick<App, 'sealer'>, stored: StoredPayload): string {
  const { changeId, position, payloadSealed, moment } = stored
  if (!moment) return sealer.unseal(payloadContext(changeId, position), payloadSealed)
  return JSON.stringify({
    event_id: encodeId('evt', moment.event),
    calendar_id: encodeId('cal', moment.calendar),
    title: sealer.unseal(titleContext(moment.event), payloadSealed),
    start_time: isoTime(new Date(moment.start)),
    end_time: isoTime(new Date(moment.end)),
    ...(moment.reminder !== null && { reminder_minutes: moment.reminder }),
  })
}
