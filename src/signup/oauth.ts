// Signing in, or up, through a provider of identities. It vouches for the e-mail address, so the address decides which
// organization that is.
import { identified, newAccount, newIdentity, withoutPassword } from '../accounts/accounts.ts'
import type { Identity } from '../accounts/oidc.ts'
import { openSession } from '../accounts/sessions.ts'
import { enter } from '../accounts/signIn.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts, type Effects } from '../changes/commitParts.ts'
import { forbidden, overloaded, termsStale, unauthenticated } from '../errors.ts'
import {
  completed,
  findByEmail,
  type Holder,
  newOrganization,
  requireOrganization,
} from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { isProven } from '../organizations/rules.ts'
import { email as emailShape } from '../organizations/schema.ts'
import { asItStood, proofEffects, readStanding } from '../proof/prove.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { acceptance, currentTerms, requireCurrentTerms, type Terms } from '../terms/terms.ts'
import { localPart } from './schema.ts'

const maxTries = 5

/** `tosVersion`: what was accepted when the sign-in began; a new account needs the current one. */
export async function enterThrough(app: App, request: RequestContext, identity: Identity, tosVersion?: string) {
  for (let tries = 0; tries < maxTries; tries++) {
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
  if (holder?.hasAccount) {
    await linkIdentity(app, request, identity, holder.id)
    // Known from now on: the next look signs in.
    return undefined
  }
  const session = openSession(app)
  const common = (id: Uuid): Effects => ({
    identity: newIdentity(app, identity),
    account: newAccount(app, identity.email, null),
    session: session.effect,
    audit: auditEntry(app, { orgId: id, keyPrefix: null, request }, 'auth.signup', encodeId('org', id)),
  })
  const signed = async (id: Uuid) => ({
    org: presentOrganization(await requireOrganization(app, encodeId('org', id))),
    ...(await session.sign(id)),
  })

  const terms = await acceptedTerms(app, tosVersion)
  const accepting = { source: 'oauth', request, now } as const
  if (holder) {
    const standing = await readStanding(app, holder.id)
    if (!standing) return undefined
    const { matched } = await commitParts(app, asItStood(app, standing), {
      ...common(holder.id),
      organization: completed(app, { name: null, termsVersion: terms.version, emailVerified: true }, now),
      acceptance: acceptance(app, terms, accepting),
      ...proofEffects(app, standing, { orgId: holder.id, keyPrefix: null, request }),
    })
    if (!matched) return undefined
    await bumpEpoch(app, holder.id)
    return signed(holder.id)
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
  const { matched } = await commitParts(app, guard, {
    ...common(row.id),
    acceptance: acceptance(app, terms, accepting),
  })
  return matched ? signed(row.id) : undefined
}

/**
 * Lets the identity sign in to the account. Whoever signed up with an address that they had not proven is locked out: the
 * password goes, the sessions, and what they made.
 */
async function linkIdentity(app: App, request: RequestContext, identity: Joining, orgId: Uuid): Promise<void> {
  const standing = await readStanding(app, orgId)
  if (!standing) return
  const { matched } = await commitParts(app, asItStood(app, standing), {
    identity: newIdentity(app, identity),
    organization: completed(app, { name: null, termsVersion: null, emailVerified: true }, app.clock.now()),
    ...(!isProven(standing) && withoutPassword(app)),
    ...proofEffects(app, standing, { orgId, keyPrefix: null, request }),
  })
  if (matched) await bumpEpoch(app, orgId)
}

async function acceptedTerms(app: App, version: string | undefined): Promise<Terms> {
  if (version === undefined) throw termsStale((await currentTerms(app)).version)
  return requireCurrentTerms(app, version)
}
