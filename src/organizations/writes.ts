// What is written to `organizations`.
import { type Effect, effect } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'

/** For a change whose guard returns no organization: whoever is about to write by a count of this revision looks again. */
export const bumpRevision = (sql: Sql, id: Uuid): Effect =>
  effect(
    'revision',
    sql`
    update organizations
    set revision = revision + 1
    from ${guard}
    where organizations.id = ${id}`,
  )
