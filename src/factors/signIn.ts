// The second part of a sign-in: a code for the challenge of the first. A challenge and a code each open one session at most.
import { challengeMaxAttempts } from '../accounts/challenges.ts'
import { countGuess, refuseGuesses } from '../accounts/guesses.ts'
import { type AccountRow, accountById } from '../accounts/queries.ts'
import { openSession, type SignedIn } from '../accounts/sessions.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { guard } from '../commit/step.ts'
import { challengeEnded, wrongCode } from '../errors.ts'
import { sha256 } from '../sealing/sealer.ts'
import { encodeId } from '../shapes/ids.ts'
import { noticeOf } from './notice.ts'
import { isGuess, proofOf } from './proof.ts'
import { challengedAccount } from './queries.ts'
import { isCurrent, lockChallenge, type Proof, removeChallenge, takeAttempt, useCodeGuard } from './writes.ts'

/** `challenge`: its token, as it was sent; undefined if none was. */
export async function signInWithCode(
  app: App,
  request: RequestContext,
  { code, challenge }: { code: string; challenge: string | undefined },
): Promise<SignedIn> {
  const hash = sha256(challenge ?? '')
  const [challenged] = await challengedAccount(app.sql, hash)
  const [account] = challenged ? await accountById(app.sql, challenged.accountId) : []
  if (!account) throw ended(app)
  const guesser = { accountId: account.id, orgId: account.orgId, request }
  await refuseGuesses(app, guesser)
  // The attempt is taken before the code is looked at, so that concurrent guesses share the attempts.
  const [attempt] = await takeAttempt(app.sql, hash, challengeMaxAttempts)
  if (!attempt) throw ended(app)
  const proof = await proofOf(app, { accountId: account.id, totpSealed: attempt.totpSealed }, code)
  if (proof) {
    await refuseGuesses(app, guesser)
    const signedIn = await enterWith(app, request, { account, hash, proof })
    if (signedIn) return signedIn
  }
  app.metrics.secondFactor.inc({ outcome: 'wrong' })
  recordFailure(app, { action: 'auth.failure', status: 401, request, orgId: account.orgId })
  if (isGuess(proof)) await countGuess(app, guesser)
  throw wrongCode()
}

function ended(app: App) {
  app.metrics.secondFactor.inc({ outcome: 'ended' })
  return challengeEnded()
}

type Entering = { account: AccountRow; hash: Buffer; proof: Proof }

/** Undefined: the code or the challenge was used up in the meantime, or the account has changed. */
async function enterWith(
  app: App,
  request: RequestContext,
  { account, hash, proof }: Entering,
): Promise<SignedIn | undefined> {
  const { id: accountId, orgId, email } = account
  const generation = app.sql`(select generation from ${guard})`
  const session = openSession(app, request, { accountId, orgId, generation, secondFactor: true })
  const challenge = lockChallenge(app.sql, hash)
  const { matched } = await commit(app, {
    steps: [challenge],
    guard: useCodeGuard(app.sql, accountId, proof, isCurrent(app.sql, challenge)),
    effects: [
      removeChallenge(app.sql, hash),
      session.effect,
      auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signin', encodeId('org', orgId)),
      ...(proof.kind === 'recovery' ? await noticeOf(app, { accountId, email, request }, 'recovery_used') : []),
    ],
  })
  if (!matched) return undefined
  app.metrics.secondFactor.inc({ outcome: proof.kind === 'recovery' ? 'recovery_code' : 'passed' })
  return session.signedIn()
}
