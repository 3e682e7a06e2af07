// Signing in to the console, and out again.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { guard } from '../commit/step.ts'
import { secondFactorRequired, unauthenticated } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { networkOf } from '../outbound/addresses.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { encodeId } from '../shapes/ids.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { type AccountRow, findAccount } from './accounts.ts'
import { openChallenge } from './challenges.ts'
import { inConstantTime } from './constantTime.ts'
import { isPassword } from './passwords.ts'
import type { SignInBody } from './schema.ts'
import { openSession, type SignedIn } from './sessions.ts'
import { endSessionGuard, samePasswordGuard } from './writes.ts'

const windowMs = 15 * 60_000
const perPair = { name: 'signin', max: 10, windowMs }
/** Many people may share an address. */
const perAddress = { name: 'signin_address', max: 100, windowMs }

const wrong = () => unauthenticated('The e-mail address or the password is wrong.')

/** The same refusal, after the same time, for an unknown address and a wrong password. */
export async function signIn(app: App, request: RequestContext, body: SignInBody): Promise<SignedIn> {
  const email = body.email.toLowerCase()
  const address = networkOf(request.ip ?? '')
  const account = await findAccount(app, email)
  const orgId = account?.orgId
  const limit = async (check: typeof refuseExcess) => {
    try {
      await check(app, perPair, `${email} ${address}`)
      await check(app, perAddress, address)
    } catch (error) {
      recordFailure(app, { action: 'rate_limit.exceeded', status: 429, request, orgId })
      throw error
    }
  }
  await limit(refuseExcess)
  const isRight = await inConstantTime(() => isPassword(app, account?.passwordHash, body.password))
  if (!isRight || !account) {
    recordFailure(app, { action: 'auth.failure', status: 401, request, orgId })
    // Guesses are counted after the fact and refused beyond the limit: concurrent guesses learn no more than others.
    await limit(throttle)
    throw wrong()
  }
  await limit(refuseExcess)
  const signedIn = await enter(app, request, account)
  if (!signedIn) throw wrong()
  return signedIn
}

/**
 * Opens a session of an account; undefined if its password has changed, or the account or its membership is gone. Throws
 * `second_factor_required` with a challenge if it has a second factor.
 */
export async function enter(app: App, request: RequestContext, account: AccountRow): Promise<SignedIn | undefined> {
  if (account.hasFactor) {
    const challenge = await openChallenge(app, account)
    if (challenge === undefined) return undefined
    throw secondFactorRequired(challenge)
  }
  const { id: accountId, orgId } = account
  const session = openSession(app, request, { accountId, orgId, generation: app.sql`${guard}.generation` })
  const { matched } = await commit(app, {
    guard: samePasswordGuard(app.sql, account),
    effects: [
      session.effect,
      auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signin', encodeId('org', orgId)),
    ],
  })
  return matched ? session.signedIn() : undefined
}

type Leaving = Pick<Actor, 'orgId' | 'sessionId' | 'account' | 'member' | 'keyPrefix' | 'request'>

/** Every process refuses the token from now on. */
export async function signOut(app: App, actor: Leaving): Promise<void> {
  await commit(app, {
    guard: endSessionGuard(app.sql, actor.sessionId!),
    effects: [auditEntry(app, actor, 'auth.signout', encodeId('org', actor.orgId)), dryRunEnd(app, actor, undefined)],
  })
  rouseCallers(app, actor.orgId)
}

export const currentAccount = async (app: App, actor: Actor) => ({
  org: presentOrganization(await requireOrganization(app, encodeId('org', actor.orgId))),
})
