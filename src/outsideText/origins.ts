// The origins of events, as their rows say: an import, or a booking with its guest.
import type { App } from '../app.ts'
import { eventsOfApprovals } from '../approvals/read.ts'
import { openGuest } from '../bookingPages/guestDetails.ts'
import { openMetadata } from '../events/bookingMetadata.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import { bookedBy, type EventOrigin, type Found } from './records.ts'

/** `ids`: of events, and of requests for approval, which have the origin of their event. */
export async function originsAmong(app: App, orgId: Uuid, ids: ReadonlySet<string>): Promise<Found> {
  if (ids.size === 0) return new Map()
  const requests = await subjectsOf(app, orgId, decoded('apr', ids))
  const events = [...decoded('evt', ids), ...[...requests.values()].flatMap((id) => decodeId('evt', id) ?? [])]
  const origins = new Map<string, EventOrigin>()
  for (const row of events.length > 0 ? await outsideEvents(app.sql, orgId, [...new Set(events)]) : []) {
    const origin = originOf(app, row)
    if (origin) origins.set(encodeId('evt', row.id), origin)
  }
  for (const [approval, event] of requests) {
    const origin = origins.get(event)
    if (origin) origins.set(approval, origin)
  }
  return origins
}

const decoded = (prefix: 'evt' | 'apr', ids: ReadonlySet<string>): Uuid[] =>
  [...ids].flatMap((id) => decodeId(prefix, id) ?? [])

type EventRow = {
  id: Uuid
  isImport: boolean
  metadata: Record<string, unknown>
  bookingSealed: Buffer | null
  guestSealed: Buffer | null
}

/** Deleted ones too, as long as they are kept. */
const outsideEvents = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<EventRow>(sql, orgId)`
  select
    e.org_id, e.id, e.source = 'external_ical' as is_import, e.metadata, e.booking_sealed, b.guest_sealed
  from events e
  left join bookings b on b.org_id = e.org_id and b.id = e.id
  where e.org_id = ${orgId} and e.id = any (${uuids(sql, ids)})
    and (e.source = 'external_ical' or e.booking_sealed is not null or b.id is not null)`

function originOf(app: App, { id, isImport, metadata, bookingSealed, guestSealed }: EventRow): EventOrigin | undefined {
  if (isImport) return { by: 'import' }
  if (guestSealed) return { by: 'guest', name: openGuest(app, { id, guestSealed }).name }
  return bookedBy(openMetadata(app.sealer, { id, metadata, bookingSealed }))
}

/** The events that requests are about, by the ids of the requests. */
async function subjectsOf(app: App, orgId: Uuid, ids: readonly Uuid[]): Promise<Map<string, string>> {
  const found = await eventsOfApprovals(app, orgId, ids)
  return new Map(found.map(({ id, eventId }) => [encodeId('apr', id), eventId]))
}
