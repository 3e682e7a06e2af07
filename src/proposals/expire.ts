// Proposals whose time is up.
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { DueTimer, Fired } from '../timers/timers.ts'
import { clearTimers, takeTimers } from '../timers/writes.ts'
import { emit, emitPerKey } from '../webhooks/emit.ts'
import { changeProposal, type ProposalRow, pendingProposals } from './queries.ts'
import { isOverdue } from './rules.ts'

const expired = (id: Uuid) => ({
  type: 'proposal.expired' as const,
  payload: { proposal_id: encodeId('spr', id) },
})

/** Expires one before its timer does, for a request that comes in between. True when it was overdue. */
export async function settleOverdue(app: App, proposal: ProposalRow): Promise<boolean> {
  const now = app.clock.now()
  if (!isOverdue(proposal, now)) return false
  const guard = app.sql`${changeProposal(app.sql, proposal, { status: 'expired' }, now)} returning id`
  await commitParts(app, guard, {
    expiry: clearTimers(app, proposal),
    deliveries: emit(app, proposal.orgId, [expired(proposal.id)]),
  })
  return true
}

/** A block of due timers; what somebody else changes at this moment is skipped until later. */
export async function expireProposals(app: App, due: readonly DueTimer[]): Promise<Fired> {
  const { sql, clock } = app
  const now = clock.now()
  const pending = new Set((await pendingProposals(sql, due)).map(({ id }) => id))
  const live = due.filter((timer) => pending.has(timer.subjectId))
  const block = live.map(({ orgId, subjectId, generation }) => ({ org_id: orgId, subject_id: subjectId, generation }))
  const guard = sql`
    select t.org_id, t.subject_id, t.subject_id::text as key
    from jsonb_to_recordset(${sql.json(block)}) as b (org_id uuid, subject_id uuid, generation bigint)
    join timers t on t.org_id = b.org_id and t.subject_id = b.subject_id and t.kind = 'proposal_expiry'
    join proposals p on p.org_id = t.org_id and p.id = t.subject_id and p.status = 'pending'
    where t.generation = b.generation and t.due_at <= app_now()
    for no key update of p, t skip locked`
  const { rows } = await commitParts<{ subjectId: Uuid }>(app, guard, {
    proposals: sql`
      update proposals p set status = 'expired', ended_at = ${now}, updated_at = ${now}, revision = p.revision + 1
      from guard where p.org_id = guard.org_id and p.id = guard.subject_id`,
    taken: takeTimers(app, 'proposal_expiry'),
    deliveries: emitPerKey(
      app,
      live.map(({ orgId, subjectId }) => ({ orgId, key: subjectId, ...expired(subjectId) })),
    ),
  })
  const taken = new Set(rows.map((row) => row.subjectId))
  return {
    fired: live.filter((timer) => taken.has(timer.subjectId)),
    stale: due.filter((timer) => !pending.has(timer.subjectId)),
    later: live.filter((timer) => !taken.has(timer.subjectId)),
  }
}
