// Writes `sessions` for what happens to the sign-in of their account. Effects depend on a row of the guard.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

/** Ends those of the account's other sessions that are there. */
export const endOtherSessions = (sql: Sql, accountId: Uuid, sessionId: Uuid): Effect =>
  effect(
    'sessions',
    sql`
    delete from sessions
    using ${guard}
    where account_id = ${accountId} and sessions.id <> ${sessionId}`,
  )

/** The session lives on in the new generation of its account, which the guard returned: those opened at this moment do not. */
export const keepSession = (sql: Sql, sessionId: Uuid): Effect =>
  effect(
    'session',
    sql`
    update sessions
    set generation = ${guard}.generation
    from ${guard}
    where sessions.id = ${sessionId}`,
  )

/** As `keepSession`, for one that has just passed the second factor. */
export const passSession = (sql: Sql, sessionId: Uuid, now: Date): Effect =>
  effect(
    'session',
    sql`
    update sessions
    set generation = ${guard}.generation, second_factor = true, reauthenticated_at = ${now}
    from ${guard}
    where sessions.id = ${sessionId}`,
  )

/** The account has no second factor any more. */
export const unmarkSessions = (sql: Sql, accountId: Uuid): Effect =>
  effect(
    'session',
    sql`
    update sessions
    set second_factor = false
    from ${guard}
    where account_id = ${accountId} and second_factor`,
  )

export const reauthenticateSession = (sql: Sql, sessionId: Uuid, now: Date): Effect =>
  effect(
    'session',
    sql`
    update sessions
    set reauthenticated_at = ${now}
    from ${guard}
    where sessions.id = ${sessionId}`,
  )

export const forgetReauthenticationGuard = (sql: Sql, sessionId: Uuid): Fragment => sql`
  update sessions
  set reauthenticated_at = null
  where id = ${sessionId}
  returning id`

/** Those of the account's sessions that still exist. */
export const endSessionsGuard = (sql: Sql, accountId: Uuid, ids: readonly Uuid[]): Fragment => sql`
  delete from sessions
  where account_id = ${accountId} and id in (select w.id from ${rowsOf(
    sql,
    ids.map((id) => ({ id })),
    { id: 'uuid' },
    'w',
  )})
  returning id`

/** Of several processes the latest use counts. */
export const writeUses = (sql: Sql, uses: readonly { id: Uuid; at: Date }[]) => sql`
  update sessions s
  set last_seen_at = u.at
  from ${rowsOf(sql, uses, { id: 'uuid', at: 'timestamptz' }, 'u')}
  where s.id = u.id and (s.last_seen_at is null or s.last_seen_at < u.at)`
