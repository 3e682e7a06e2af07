// Signing in, or up, through a provider of identities. It vouches for the e-mail address, so the address decides which
// organization that is.
import { completed, findByEmail, type Holder, newOrganization, requireOrganization } from '../accounts/organizations.ts'
import { presentOrganization } from '../accounts/present.ts'
import { email as emailShape } from '../accounts/schema.ts'
import type { RequestContext } from '../actor.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { commit, type Effects } from '../change.ts'
import { isDuplicate } from '../db.ts'
import { forbidden, overloaded, termsStale, unauthenticated } from '../errors.ts'
import { encodeId } from '../ids.ts'
import { accountOf, firstAccount, identified, lockedOut, newAccount, newIdentity } from '../sessions/accounts.ts'
import type { Identity } from '../sessions/oidc.ts'
import { openSession } from '../sessions/sessions.ts'
import { enter } from '../sessions/signIn.ts'
import { acceptance, currentTerms, requireCurrentTerms, type Terms } from '../terms/terms.ts'
import { localPart } from './schema.ts'

const mostTries = 3

/** `tosVersion`: what was accepted when the sign-in began; a new account needs the current one. */
export async function enterThrough(app: App, request: RequestContext, identity: Identity, tosVersion?: string) {
  for (let tries = 0; tries < mostTries; tries++) {
    const known = await identified(app, identity)
    if (known) return (await enter(app, request, known)) ?? refuse()
    const email = requireVerifiedEmail(identity)
    const holder = await findByEmail(app, email)
    try {
      const signed = await join(app, request, { ...identity, email }, holder, tosVersion)
      if (signed) return signed
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    // Somebody else was faster with this address or identity: look again.
  }
  throw overloaded('Too many sign-ins with this address at once. Try again.')
}

function refuse(): never {
  throw unauthenticated('The account is gone.')
}

function requireVerifiedEmail({ email, emailVerified }: Identity): string {
  const parsed = emailShape.safeParse(email)
  if (!parsed.success || !emailVerified) {
    throw forbidden('The provider does not vouch for your e-mail address. Verify it there, then sign in again.')
  }
  return parsed.data
}

type Joining = Identity & { email: string }

async function join(
  app: App,
  request: RequestContext,
  identity: Joining,
  holder: Holder | undefined,
  tosVersion: string | undefined,
) {
  const now = app.clock.now()
  const session = openSession(app)
  const orgId = holder?.id
  const common = (id: string, action: 'auth.signin' | 'auth.signup'): Effects => ({
    identity: newIdentity(app, identity),
    session: session.effect,
    audit: audited(app, { orgId: id, keyPrefix: null, request }, action, encodeId('org', id)),
  })
  const signed = async (id: string) => ({
    org: presentOrganization(await requireOrganization(app, encodeId('org', id))),
    ...(await session.sign(id)),
  })

  if (holder?.hasAccount) {
    const { matched } = await commit(app, accountOf(app, holder.id), {
      ...common(holder.id, 'auth.signin'),
      organization: completed(app, { name: null, termsVersion: null, emailVerified: true }, now),
      ...(!holder.emailVerified && lockedOut(app)),
    })
    return matched ? signed(holder.id) : undefined
  }

  const terms = await acceptedTerms(app, tosVersion)
  const accepting = { source: 'oauth', request, now } as const
  if (orgId) {
    const { matched } = await commit(app, firstAccount(app, orgId, identity.email, null), {
      ...common(orgId, 'auth.signup'),
      organization: completed(app, { name: null, termsVersion: terms.version, emailVerified: true }, now),
      acceptance: acceptance(app, terms, accepting),
    })
    return matched ? signed(orgId) : undefined
  }
  const given = {
    name: identity.name?.slice(0, 255) ?? localPart(identity.email),
    email: identity.email,
    emailVerified: true,
    signupSource: 'oauth',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  }
  const { row, guard } = newOrganization(app, given, now)
  const { matched } = await commit(app, guard, {
    account: newAccount(app, identity.email, null),
    ...common(row.id, 'auth.signup'),
    acceptance: acceptance(app, terms, accepting),
  })
  return matched ? signed(row.id) : undefined
}

async function acceptedTerms(app: App, version: string | undefined): Promise<Terms> {
  if (version === undefined) throw termsStale((await currentTerms(app)).version)
  return requireCurrentTerms(app, version)
}
