import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { requireFactorOn } from './factors.ts'
import { hashRecoveryCodes, newRecoveryCodes } from './recoveryCodes.ts'
import { insertRecoveryCodes, removeRecoveryCodes, sameFactorGuard } from './writes.ts'

/** Ten new ones; the old ones are dead. */
export function renewRecoveryCodes(app: App, actor: Actor) {
  const { accountId } = actor.member!
  return decide(app, { noun: 'account', key: accountId }, async () => {
    const factor = await requireFactorOn(app, { accountId })
    const codes = newRecoveryCodes()
    const answer = { recovery_codes: codes }
    return commitOrAgain(
      app,
      {
        guard: sameFactorGuard(app.sql, factor),
        effects: [
          removeRecoveryCodes(app.sql),
          insertRecoveryCodes(app.sql, await hashRecoveryCodes(app, accountId, codes)),
          dryRunEnd(app, actor, answer, codes),
        ],
      },
      answer,
    )
  })
}
