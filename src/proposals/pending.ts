// Changes to a pending proposal: decided by what was read of it, and again when that changed meanwhile.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { openTurns } from '../changes/turns.ts'
import { conflict, overloaded } from '../errors.ts'
import { settleOverdue } from './expire.ts'
import { requireProposal, type WholeProposal } from './read.ts'

const inTurn = openTurns()
/** Each lost try is a change by somebody else, and there are 51 at most: 50 responses and the end. */
const maxTries = 60

/** Runs `attempt` on the proposal as it is now, again for as long as it returns undefined: somebody else was faster. */
export const onPending = <T>(
  app: App,
  actor: Actor,
  id: string,
  attempt: (whole: WholeProposal) => Promise<T | undefined>,
): Promise<T> =>
  inTurn(id, async () => {
    for (let tries = 0; tries < maxTries; tries++) {
      const whole = await requireProposal(app, actor, id)
      if (await settleOverdue(app, whole.proposal)) continue
      const outcome = await attempt(whole)
      if (outcome !== undefined) return outcome
    }
    throw overloaded('Too many changes at once to this proposal. Try again.')
  })

export function requirePending({ proposal }: WholeProposal): void {
  if (proposal.status !== 'pending') {
    throw conflict(`This proposal is ${proposal.status}; nothing can change it any more.`)
  }
}
