// Signing in to the console, and out again.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { unauthenticated } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { networkOf } from '../outbound/addresses.ts'
import { refuseExcess, throttled } from '../quotas/throttle.ts'
import { encodeId } from '../shapes/ids.ts'
import { paced } from './pace.ts'
import { isPassword } from './passwords.ts'
import { type AccountRow, accountByEmail, endedSession, sameAccount } from './queries.ts'
import type { SignInBody } from './schema.ts'
import { openSession } from './sessions.ts'

const windowMs = 15 * 60_000
const perPair = { name: 'signin', most: 10, windowMs }
/** Many people may share an address. */
const perAddress = { name: 'signin_address', most: 100, windowMs }

const wrong = () => unauthenticated('The e-mail address or the password is wrong.')

/** The same refusal, after the same time, for an unknown address and a wrong password. */
export async function signIn(app: App, request: RequestContext, body: SignInBody) {
  const email = body.email.toLowerCase()
  const address = networkOf(request.ip ?? '')
  const [account] = await accountByEmail(app.sql, email)
  const orgId = account?.orgId
  const limited = async (limit: typeof refuseExcess) => {
    try {
      await limit(app, perPair, `${email} ${address}`)
      await limit(app, perAddress, address)
    } catch (error) {
      recordFailure(app, { action: 'rate_limit.exceeded', status: 429, request, orgId })
      throw error
    }
  }
  await limited(refuseExcess)
  const isRight = await paced(() => isPassword(account?.passwordHash, body.password))
  if (!isRight || !account) {
    recordFailure(app, { action: 'auth.failure', status: 401, request, orgId })
    // Counted after the fact, and refused when it is one too many: guesses made all at once learn no more than others.
    await limited(throttled)
    throw wrong()
  }
  await limited(refuseExcess)
  const signed = await enter(app, request, account)
  if (!signed) throw wrong()
  return signed
}

/** A new session of an account; undefined when its password was changed meanwhile, or it is gone. */
export async function enter(app: App, request: RequestContext, account: AccountRow) {
  const session = openSession(app, app.sql`guard.generation`)
  const { orgId } = account
  const { matched } = await commitParts(app, sameAccount(app.sql, account), {
    session: session.effect,
    audit: auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signin', encodeId('org', orgId)),
  })
  if (!matched) return undefined
  const org = await requireOrganization(app, encodeId('org', orgId))
  return { org: presentOrganization(org), ...(await session.sign(orgId)) }
}

/** The token is refused from now on, on every process. */
export async function signOut(app: App, actor: Actor): Promise<void> {
  await commitParts(app, endedSession(app.sql, actor.orgId, actor.sessionId!), {
    audit: auditEntry(app, actor, 'auth.signout', encodeId('org', actor.orgId)),
  })
}

export const currentAccount = async (app: App, actor: Actor) => ({
  org: presentOrganization(await requireOrganization(app, encodeId('org', actor.orgId))),
})
