// A session shows again that its person is there: with the password, or with a code if the account has a second factor.
import { countGuess, refuseGuesses } from '../accounts/guesses.ts'
import { isPassword } from '../accounts/passwords.ts'
import { forgetReauthenticationGuard, reauthenticateSession } from '../accounts/sessionWrites.ts'
import type { Actor } from '../actors/actor.ts'
import { reauthenticationEnd } from '../actors/reauthentication.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { commit } from '../commit/commit.ts'
import { invalid } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import type { Fragment } from '../stores/postgres.ts'
import { requireAccountFactor } from './factors.ts'
import { noticeOf } from './notice.ts'
import { isGuess, proofOf } from './proof.ts'
import type { FactorRow } from './queries.ts'
import type { ReauthenticateBody } from './schema.ts'
import { type Proof, passwordAloneGuard, useCodeGuard } from './writes.ts'

/** Throws 400 for a wrong password or code, or for one that this account does not show it with. The session lives on. */
export async function reauthenticate(app: App, actor: Actor, given: ReauthenticateBody) {
  const { accountId } = actor.member!
  const guesser = { ...actor, accountId }
  await refuseGuesses(app, guesser)
  const account = await requireAccountFactor(app, accountId)
  requireUsable(account, given)
  const proof = 'code' in given ? await proofOf(app, account, given.code) : undefined
  const isRight = 'code' in given ? proof !== undefined : await isPassword(app, account.passwordHash, given.password)
  if (isRight) {
    await refuseGuesses(app, guesser)
    const guard = proof ? useCodeGuard(app.sql, accountId, proof) : passwordAloneGuard(app.sql, account)
    const done = await commitReauthentication(app, actor, { guard, proof, account })
    if (done) return done
  }
  if (proof || 'code' in given) app.metrics.secondFactor.inc({ outcome: 'wrong' })
  recordFailure(app, { action: 'auth.failure', status: 400, request: actor.request, orgId: actor.orgId })
  if (isGuess(proof)) await countGuess(app, guesser)
  throw 'code' in given
    ? invalid('code: this code is wrong, too old or was used already', 'code')
    : invalid('password: this is not the password of the account', 'password')
}

function requireUsable({ totpSealed, passwordHash }: FactorRow, given: ReauthenticateBody): void {
  if ('code' in given) {
    if (!totpSealed) throw invalid('code: this account has no second factor', 'code')
    return
  }
  if (totpSealed) throw invalid('password: this account has a second factor; send a code', 'password')
  if (!passwordHash) throw invalid('password: this account has no password', 'password')
}

type Done = { guard: Fragment; proof: Proof | undefined; account: FactorRow }

async function commitReauthentication(app: App, actor: Actor, { guard, proof, account }: Done) {
  const now = app.clock.now()
  const answer = { reauthenticated_until: isoTime(reauthenticationEnd(now)) }
  const { matched } = await commit(app, {
    guard,
    effects: [
      reauthenticateSession(app.sql, actor.sessionId!, now),
      ...(proof?.kind === 'recovery' ? await noticeOf(app, { ...actor, ...account }, 'recovery_used') : []),
      dryRunEnd(app, actor, answer),
    ],
  })
  if (!matched) return undefined
  if (proof) app.metrics.secondFactor.inc({ outcome: proof.kind === 'recovery' ? 'recovery_code' : 'passed' })
  return answer
}

/** From now on it must be shown again. */
export async function endReauthentication(app: App, actor: Actor): Promise<void> {
  await commit(app, {
    guard: forgetReauthenticationGuard(app.sql, actor.sessionId!),
    effects: [dryRunEnd(app, actor, undefined)],
  })
}
