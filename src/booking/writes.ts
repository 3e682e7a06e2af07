// What is written to `booking_pages` by changes of other nouns.
import { type Effect, effect } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import type { Sql } from '../stores/postgres.ts'

/**
 * Switches off all pages of the organization whose `id` the guard returned. Pages that are off already get a new revision
 * as well, so that an edit in progress looks again.
 */
export const switchOffPages = (sql: Sql, now: Date): Effect =>
  effect(
    'pages',
    sql`
    update booking_pages p
    set active = false, updated_at = ${now}, revision = p.revision + 1
    from ${guard}
    where p.org_id = ${guard}.id and p.deleted_at is null`,
  )
