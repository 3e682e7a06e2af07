// Expires proposals whose time is up.

import type { App } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { guard } from '../commit/step.ts'
import { encodeId } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { takeTimers } from '../timers/takenWrites.ts'
import type { DueTimer, Fired } from '../timers/timers.ts'
import { clearTimers } from '../timers/writes.ts'
import { emit, emitPerKey } from '../webhooks/emit.ts'
import { ofProposal } from './emission.ts'
import { type ProposalRow, pendingProposals } from './queries.ts'
import { isOverdue } from './rules.ts'
import { expireGuarded, updateProposalGuard } from './writes.ts'

const expired = (proposal: Pick<ProposalRow, 'id' | 'calendarId' | 'organizerAgentId' | 'participantAgentIds'>) => ({
  ...ofProposal(proposal),
  type: 'proposal.expired' as const,
  payload: { proposal_id: encodeId('spr', proposal.id) },
})

/** Expires an overdue proposal for a request that comes before its timer has fired. False: it is not overdue. */
export async function settleOverdue(app: App, proposal: ProposalRow): Promise<boolean> {
  const now = app.clock.now()
  if (!isOverdue(proposal, now)) return false
  await commit(app, {
    guard: updateProposalGuard(app.sql, proposal, { now, end: { status: 'expired' } }),
    effects: [clearTimers(app, proposal), ...emit(app, byItself(proposal.orgId, 'timer'), [expired(proposal)])],
  })
  return true
}

/** Expires a block of due timers. A row that somebody else changes at this moment is skipped until later. */
export async function expireProposals(app: App, due: readonly DueTimer[]): Promise<Fired> {
  const { sql, clock } = app
  const pending = new Map((await pendingProposals(sql, due)).map((proposal) => [proposal.id, proposal]))
  const live = due.filter((timer) => pending.has(timer.subjectId))
  const { rows } = await commit<{ key: string }>(app, {
    guard: dueExpiries(sql, live),
    effects: [
      expireGuarded(sql, clock.now()),
      takeTimers(app, 'proposal_expiry'),
      ...emitPerKey(
        app,
        'timer',
        live.map(({ orgId, subjectId }) => ({ orgId, key: subjectId, ...expired(pending.get(subjectId)!) })),
      ),
    ],
    returning: sql`select key from ${guard}`,
  })
  const taken = new Set(rows.map(({ key }) => key))
  return {
    fired: live.filter((timer) => taken.has(timer.subjectId)),
    stale: due.filter((timer) => !pending.has(timer.subjectId)),
    later: live.filter((timer) => !taken.has(timer.subjectId)),
  }
}

/** Locks the timers that are still due, at the generation at which they were read, together with their proposals. */
const dueExpiries = (sql: Sql, timers: readonly DueTimer[]): Fragment => sql`
  select t.org_id, t.subject_id, t.subject_id::text as key
  from ${rowsOf(sql, timers, { orgId: 'uuid', subjectId: 'uuid', generation: 'bigint' }, 'b')}
  join timers t on t.org_id = b.org_id and t.subject_id = b.subject_id and t.kind = 'proposal_expiry'
  join proposals p on p.org_id = t.org_id and p.id = t.subject_id and p.status = 'pending'
  where t.generation = b.generation and t.due_at <= app_now()
  for no key update of p, t skip locked`
