// A sign-in of an account with a second factor waits for a code. Its challenge stands for what was shown already: the password, or
// the word of a provider.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { AccountRow } from './queries.ts'
import { insertChallengeGuard } from './writes.ts'

export const challengeMs = 5 * minuteMs
export const challengeMaxAttempts = 5

/** The token of the challenge; undefined if the password has changed or the account is gone. */
export async function openChallenge(app: App, account: AccountRow): Promise<string | undefined> {
  const token = randomToken()
  const now = app.clock.now()
  const challenge = { hash: sha256(token), now, expiresAt: new Date(now.getTime() + challengeMs) }
  const { matched } = await commit(app, { guard: insertChallengeGuard(app.sql, account, challenge) })
  if (!matched) return undefined
  app.metrics.secondFactor.inc({ outcome: 'challenged' })
  return token
}
