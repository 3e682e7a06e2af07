// Wrong codes and wrong re-authentications of one account, counted together. Beyond the limit right ones are refused as well:
// otherwise the answers would go on telling which is which.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'

const limit = { name: 'second_factor', max: 10, windowMs: 15 * minuteMs }

/** `orgId`: the organization whose audit log gets it. */
type Guesser = { accountId: Uuid; orgId: Uuid; request: RequestContext }

/** Throws `rate_limit_error` if too many were wrong. */
export const refuseGuesses = (app: App, guesser: Guesser): Promise<void> => limited(app, guesser, refuseExcess)

/** Concurrent guesses learn no more than others: those beyond the limit are refused, whatever they were. */
export const countGuess = (app: App, guesser: Guesser): Promise<void> => limited(app, guesser, throttle)

async function limited(app: App, { accountId, orgId, request }: Guesser, check: typeof refuseExcess): Promise<void> {
  try {
    await check(app, limit, accountId)
  } catch (error) {
    app.metrics.secondFactor.inc({ outcome: 'limited' })
    recordFailure(app, { action: 'rate_limit.exceeded', status: 429, request, orgId })
    throw error
  }
}
