// What is written to `calendars`. Calendars are locked in the order of their keys (docs/decisions/lock-order.md).
import { type Effect, effect } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

type NewFeed = { id: Uuid; hash: Buffer; sealed: Buffer }

/** Gives calendars of the organization whose `id` the guard returned new feed addresses. */
export const replaceFeeds = (sql: Sql, feeds: readonly NewFeed[], now: Date): Effect =>
  effect(
    'feeds',
    sql`
    update calendars c
    set feed_token_hash = f.hash, feed_token_sealed = f.sealed, revision = c.revision + 1, updated_at = ${now}
    from (
      -- locks before the update, in one order
      select l.org_id, l.id, r.hash, r.sealed
      from ${rowsOf(sql, feeds, { id: 'uuid', hash: 'bytea', sealed: 'bytea' }, 'r')}
      join calendars l on l.org_id = (select id from ${guard}) and l.id = r.id
      order by l.org_id, l.id
      for no key update of l
    ) f
    where c.org_id = f.org_id and c.id = f.id and c.deleted_at is null`,
  )

/**
 * Closes all calendars of the organization whose `id` the guard returned: feeds find nothing from now on, timers do not
 * fire, and changes in progress match nothing.
 */
export const closeCalendars = (sql: Sql, now: Date): Effect =>
  effect(
    'calendars',
    sql`
    update calendars c
    set deleted_at = ${now}
    from ${guard}
    where c.org_id = ${guard}.id and c.deleted_at is null`,
  )
