// Which calendars and agents a subscription hears of.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** Null: all. With both lists, an event passes that is in one of them. */
export type Filters = { calendarIds: Uuid[] | null; agentIds: Uuid[] | null }

/**
 * Whether a subscription gets an entry of the change log. An event without a calendar matches no calendar filter. The event that
 * another webhook was switched off always passes.
 */
export const passes = (
  sql: Sql,
  { subscription: s, entry: m }: { subscription: Fragment; entry: Fragment },
): Fragment => sql`(
  (${s}.calendar_ids is null and ${s}.agent_ids is null)
  or ${m}.calendar_id = any (${s}.calendar_ids)
  or ${m}.agent_id = any (${s}.agent_ids)
  or ${m}.participant_ids && ${s}.agent_ids
  or ${m}.type = 'webhook.deactivated')`

/** Whether a row of `webhook_subscriptions` and a subscription with these filters can never hear of the same thing. */
export const neverMeets = (sql: Sql, row: Fragment, { calendarIds, agentIds }: Filters): Fragment => {
  if (calendarIds && !agentIds)
    return sql`coalesce(${row}.agent_ids is null and not ${row}.calendar_ids && ${calendarIds}::uuid[], false)`
  if (agentIds && !calendarIds)
    return sql`coalesce(${row}.calendar_ids is null and not ${row}.agent_ids && ${agentIds}::uuid[], false)`
  return sql`false`
}
