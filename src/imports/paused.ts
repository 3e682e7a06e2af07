// Pausing is not stored: it follows from the calendar and the agent of a subscription.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** `calendar` and `agent` are the aliases of their rows. A deleted calendar and a decommissioned agent never come back. */
export const isPaused = (sql: Sql, { calendar, agent }: { calendar: Fragment; agent: Fragment }): Fragment =>
  sql`(${calendar}.deleted_at is not null or ${agent}.status = 'decommissioned')`

/** The number of subscriptions of an organization that are not paused, as a scalar query, for the cap of the plan. */
export const liveSubscriptions = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from ical_subscriptions s
  join calendars c on c.org_id = s.org_id and c.id = s.calendar_id
  join agents a on a.org_id = s.org_id and a.id = s.agent_id
  where s.org_id = ${orgId} and not ${isPaused(sql, { calendar: sql`c`, agent: sql`a` })}`
