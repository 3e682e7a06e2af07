// The guard of many new events, each of which was decided by what is on its calendar.
import type { App } from '../app.ts'
import { type Step, step } from '../changes/step.ts'
import type { Fragment } from '../stores/postgres.ts'
import { lockCalendars } from './writes.ts'

/**
 * As `bumpCalendars`, for `items` with `id` and `seen_revision`: `admitted` are those whose calendar has not changed since it
 * was seen. Of two events on one calendar it has one.
 */
export function bumpSeenCalendars({ sql }: App, items: Step): { locked: Step; bumped: Step; admitted: Fragment } {
  const locked = lockCalendars(sql, items)
  const bumped = step(
    'bumped_calendars',
    sql`
    update calendars c set
      revision = c.revision + 1,
      confirmed_events = c.confirmed_events + (i.status = 'confirmed')::integer,
      tentative_events = c.tentative_events + (i.status = 'tentative')::integer
    from ${locked} l
    join ${items} i on i.org_id = l.org_id and i.calendar_id = l.id and i.destination_id is not distinct from l.destination_id
    where c.org_id = l.org_id and c.id = l.id and c.revision = i.seen_revision
    returning i.id as item_id, c.revision, c.default_reminders, c.agent_id`,
  )
  return { locked, bumped, admitted: sql`${items} i join ${bumped} c on c.item_id = i.id` }
}
