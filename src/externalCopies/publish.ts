// The effect that changes of events add: their copy is compared anew. It costs a calendar that is published nowhere nothing but a
// look at its own row, which the change has locked.
import type { App } from '../app.ts'
import { type Effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { publicationsRing } from './ring.ts'

type Event = { orgId: Uuid; id: Uuid; calendarId: Uuid }

/** For a new event. The guard returns the calendar's `destination_id`. */
export const publish = (app: App, { orgId, id, calendarId }: Event): Effect =>
  publishAll(
    app,
    app.sql`(
    select ${orgId}::uuid as org_id, ${id}::uuid as id, ${calendarId}::uuid as calendar_id, destination_id
    from ${guard}) e`,
    app.sql`true`,
  )

/**
 * For events of a `from` clause: `org_id, id, calendar_id, destination_id`, under the alias `e`. `isMoved`: whether the start, end or
 * rule of the event of `excluded` changed.
 */
export const publishAll = ({ sql }: App, events: Fragment, isMoved: Fragment): Effect =>
  ringing(
    publicationsRing,
    sql`
    insert into publications (org_id, destination_id, event_id, calendar_id, state, changed_at, next_attempt_at)
    select e.org_id, e.destination_id, e.id, e.calendar_id, 'queued', app_now(), app_now()
    from ${events}
    where e.destination_id is not null
    on conflict (org_id, destination_id, event_id) do update set ${raised(sql, isMoved)}
    returning org_id, destination_id`,
  )

/** A copy that a human deleted stays deleted until the event is moved. */
const raised = (sql: App['sql'], isMoved: Fragment): Fragment => sql`
  wanted = publications.wanted + 1, attempts = 0, changed_at = excluded.changed_at, next_attempt_at = excluded.next_attempt_at,
  state = case
    when publications.copy = 'deleted' and publications.state = 'skipped' and not ${isMoved} then 'skipped'
    else 'queued'
  end`
