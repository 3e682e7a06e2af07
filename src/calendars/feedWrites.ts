// Writes the addresses of the feeds of `calendars`: that of their events, and that of their busy times.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { CalendarRow } from './queries.ts'

/** Matches while nothing on the calendar has changed since it was read. Returns its new `revision` and its `agent_id`. */
export const replaceFeedGuard = (sql: Sql, row: CalendarRow, tokenHash: Buffer): Fragment => sql`
  update calendars set
    feed_token_hash = ${tokenHash},
    feed_token_sealed = ${row.feedTokenSealed},
    updated_at = ${row.updatedAt},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and deleted_at is null
  returning revision, agent_id`

/** `next`: of its new address, null for none. Matches while the calendar lives and has the busy feed that was read. */
export const setBusyFeedGuard = (
  sql: Sql,
  { orgId, id, busyTokenSealed }: Pick<CalendarRow, 'orgId' | 'id' | 'busyTokenSealed'>,
  next: { hash: Buffer; sealed: Buffer } | null,
): Fragment => sql`
  update calendars
  set busy_token_hash = ${next?.hash ?? null}::bytea, busy_token_sealed = ${next?.sealed ?? null}::bytea
  where org_id = ${orgId} and id = ${id} and deleted_at is null
    and busy_token_sealed is not distinct from ${busyTokenSealed}::bytea
  returning org_id, id`

type NewFeed = { id: Uuid; hash: Buffer; sealed: Buffer }

/** Gives calendars of the organization whose `id` the guard returned new feed addresses, and ends their busy feeds. A step has locked them. */
export const replaceFeeds = (sql: Sql, feeds: readonly NewFeed[], now: Date): Effect =>
  effect(
    'feeds',
    sql`
    update calendars c
    set feed_token_hash = f.hash, feed_token_sealed = f.sealed, busy_token_hash = null, busy_token_sealed = null,
      revision = c.revision + 1, updated_at = ${now}
    from ${guard}, ${rowsOf(sql, feeds, { id: 'uuid', hash: 'bytea', sealed: 'bytea' }, 'f')}
    where c.org_id = ${guard}.id and c.id = f.id and c.deleted_at is null`,
  )
