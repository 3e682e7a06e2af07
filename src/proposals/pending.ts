// Changes of a pending proposal. A change that was decided by a proposal that has changed since is decided again.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { again, decide } from '../commit/decide.ts'
import { conflict } from '../errors.ts'
import { settleOverdue } from './expire.ts'
import { requireProposal, type WholeProposal } from './read.ts'
import { isOverdue } from './rules.ts'

/** Runs `work` on the current proposal, and runs it again if the proposal has changed since it was read. */
export const onPending = <T>(
  app: App,
  actor: Actor,
  id: string,
  work: (whole: WholeProposal) => Promise<T | typeof again>,
): Promise<T> =>
  decide(app, { noun: 'proposal', key: id }, async () => {
    const whole = await requireProposal(app, actor, id)
    if (actor.request.dryRun) return work(asSettled(app, whole))
    return (await settleOverdue(app, whole.proposal)) ? again : work(whole)
  })

/** As it is once it is settled that its time is up. A dry run settles nothing. */
const asSettled = ({ clock }: App, whole: WholeProposal): WholeProposal =>
  isOverdue(whole.proposal, clock.now()) ? { ...whole, proposal: { ...whole.proposal, status: 'expired' } } : whole

export function requirePending({ proposal }: WholeProposal): void {
  if (proposal.status !== 'pending') {
    throw conflict(`This proposal is ${proposal.status}; it can no longer be changed.`)
  }
}
