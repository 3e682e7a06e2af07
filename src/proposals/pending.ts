// Changes of a pending proposal. A change that was decided by a proposal that has changed since is decided again.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { again, decide } from '../changes/decide.ts'
import { conflict } from '../errors.ts'
import { settleOverdue } from './expire.ts'
import { requireProposal, type WholeProposal } from './read.ts'

/** Runs `work` on the proposal as it is now, and runs it again if the proposal has changed since it was read. */
export const onPending = <T>(
  app: App,
  actor: Actor,
  id: string,
  work: (whole: WholeProposal) => Promise<T | typeof again>,
): Promise<T> =>
  decide(app, { noun: 'proposal', key: id }, async () => {
    const whole = await requireProposal(app, actor, id)
    return (await settleOverdue(app, whole.proposal)) ? again : work(whole)
  })

export function requirePending({ proposal }: WholeProposal): void {
  if (proposal.status !== 'pending') {
    throw conflict(`This proposal is ${proposal.status}; nothing can change it any more.`)
  }
}
