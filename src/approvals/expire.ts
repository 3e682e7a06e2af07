// Expires approvals whose time is up.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { guard } from '../commit/step.ts'
import { releaseKeys } from '../keys/writes.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { takeTimers } from '../timers/takenWrites.ts'
import type { DueTimer, Fired } from '../timers/timers.ts'
import { emitPerKey } from '../webhooks/emit.ts'
import { pendingApprovals } from './queries.ts'
import { presentApproval } from './stored.ts'
import { expireGuarded } from './writes.ts'

/** Expires a block of due timers. A row that is being decided at this moment is tried later. */
export async function expireApprovals(app: App, due: readonly DueTimer[]): Promise<Fired> {
  const { sql, clock } = app
  const now = clock.now()
  const pending = new Map((await pendingApprovals(sql, due)).map((row) => [row.id, row]))
  const live = due.filter(({ subjectId }) => pending.has(subjectId))
  const { rows } = await commit<{ key: string }>(app, {
    guard: dueExpiries(sql, live),
    effects: [
      expireGuarded(sql, now),
      releaseKeys(sql, guard),
      takeTimers(app, 'approval_expiry'),
      ...emitPerKey(
        app,
        'timer',
        live.map(({ orgId, subjectId }) => {
          const row = { ...pending.get(subjectId)!, status: 'expired' as const, decidedAt: now }
          const { url: _, ...approval } = presentApproval(app, row, now)
          return { orgId, key: subjectId, type: 'approval.decided' as const, payload: { approval } }
        }),
      ),
    ],
    returning: sql`select key from ${guard}`,
  })
  const taken = new Set(rows.map(({ key }) => key))
  return {
    fired: live.filter(({ subjectId }) => taken.has(subjectId)),
    stale: due.filter(({ subjectId }) => !pending.has(subjectId)),
    later: live.filter(({ subjectId }) => !taken.has(subjectId)),
  }
}

/** Locks the timers that are still due together with their approvals. */
const dueExpiries = (sql: Sql, timers: readonly DueTimer[]): Fragment => sql`
  select t.org_id, t.subject_id, t.subject_id::text as key, a.key_id
  from ${rowsOf(sql, timers, { orgId: 'uuid', subjectId: 'uuid', generation: 'bigint' }, 'b')}
  join timers t on t.org_id = b.org_id and t.subject_id = b.subject_id and t.kind = 'approval_expiry'
  join approvals a on a.org_id = t.org_id and a.id = t.subject_id and a.status = 'pending'
  where t.generation = b.generation and t.due_at <= app_now()
  for no key update of a, t skip locked`
