// Signing in, or up, through an identity provider. It vouches for the e-mail address, so the address decides which
// organization the person enters.
import { type AccountRow, findAccountOf, findKnown } from '../accounts/accounts.ts'
import type { Identity } from '../accounts/oidc.ts'
import { unchangedGuard } from '../accounts/publicAccess.ts'
import { openSession, type SignedIn } from '../accounts/sessions.ts'
import { enter } from '../accounts/signIn.ts'
import { findPublicAccess, plain, planVerification, provesAddress } from '../accounts/verifyAddress.ts'
import { accountGuard, insertIdentity, insertOwner, lockOut, proveAccount } from '../accounts/writes.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { accountGone, forbidden, termsStale } from '../errors.ts'
import { newOrganization } from '../organizations/organizations.ts'
import { isVerified } from '../organizations/rules.ts'
import { email as emailShape } from '../organizations/schema.ts'
import { currentTerms, recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { completeOrganization, insertOrganizationGuard } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { localPart } from './schema.ts'

/** Somebody with an address that the provider vouches for. `tosVersion`: the version accepted when the sign-in began. */
type Visitor = { request: RequestContext; identity: Identity; email: string; tosVersion: string | undefined }

type Entered = SignedIn | typeof again

/** A known identity signs in; a new one joins the organization that has its address, or makes one. */
export const enterThrough = (
  app: App,
  request: RequestContext,
  identity: Identity,
  tosVersion?: string,
): Promise<SignedIn> =>
  decide(app, { noun: 'account', key: identity.email?.toLowerCase() ?? identity.subject }, async () => {
    const account = await findAccountOf(app, identity)
    if (account) return (await enter(app, request, account)) ?? refuse()
    const visitor = { request, identity, email: requireVerifiedEmail(identity), tosVersion }
    return join(app, visitor).catch((error) => {
      // Somebody else was faster with this address or identity.
      if (isDuplicate(error)) return again
      throw error
    })
  })

function refuse(): never {
  throw accountGone()
}

function requireVerifiedEmail({ email, emailVerified }: Identity): string {
  const parsed = emailShape.safeParse(email)
  if (!parsed.success || !emailVerified) {
    throw forbidden('The provider does not vouch for your e-mail address. Verify it there, then sign in again.')
  }
  return parsed.data
}

async function join(app: App, visitor: Visitor): Promise<Entered> {
  const known = await findKnown(app, visitor.email)
  if (known.account) {
    await linkIdentity(app, visitor, known.account)
    // The identity is known from now on, so the next look signs in.
    return again
  }
  const { organization } = known
  // Its owner's address is about to be replaced.
  if (organization?.hasMembers) return again
  const terms = await requireAcceptedTerms(app, visitor)
  return organization ? joinOrganization(app, visitor, organization.id, terms) : openOrganization(app, visitor, terms)
}

/** A new account needs the current terms. */
async function requireAcceptedTerms(app: App, { tosVersion }: Visitor): Promise<Terms> {
  if (tosVersion === undefined) throw termsStale((await currentTerms(app)).version)
  return requireCurrentTerms(app, tosVersion)
}

/**
 * Lets the identity sign in to an account. A sign-up with an unverified address is locked out: the password, the sessions and
 * everything it made are switched off.
 */
async function linkIdentity(app: App, { request, identity }: Visitor, account: AccountRow): Promise<void> {
  const { id: accountId, orgId } = account
  const access = await findPublicAccess(app, orgId)
  if (!access) return
  const now = app.clock.now()
  const actor = { orgId, keyPrefix: null, request }
  const proves = provesAddress(account, access)
  const verification = proves
    ? await planVerification(app, access, actor, unchangedGuard(app.sql, access))
    : plain(accountGuard(app.sql, account))
  const completion = { name: null, termsVersion: null, emailVerified: true }
  const { matched } = await commit(app, {
    steps: verification.steps,
    guard: verification.guard,
    effects: [
      insertIdentity(app.sql, accountId, identity, now),
      proves ? completeOrganization(app.sql, completion, now) : undefined,
      ...(proves && !isVerified(access) ? lockOut(app.sql, accountId, now) : [proveAccount(app.sql, accountId, now)]),
      ...verification.effects,
    ],
  })
  if (matched) await bumpEpoch(app, orgId)
}

/** The first member of an organization that exists already: one on the waitlist, or one that an administrator or an agent made. */
async function joinOrganization(app: App, visitor: Visitor, orgId: Uuid, terms: Terms): Promise<Entered> {
  const access = await findPublicAccess(app, orgId)
  if (!access) return again
  const now = app.clock.now()
  const entry = entryOf(app, visitor, orgId, terms, now)
  const actor = { orgId, keyPrefix: null, request: visitor.request }
  const verification = await planVerification(app, access, actor, unchangedGuard(app.sql, access))
  const { matched } = await commit(app, {
    steps: verification.steps,
    guard: verification.guard,
    effects: [
      ...entry.effects,
      completeOrganization(app.sql, { name: null, termsVersion: terms.version, emailVerified: true }, now),
      ...verification.effects,
    ],
  })
  if (!matched) return again
  await bumpEpoch(app, orgId)
  return entry.signedIn()
}

async function openOrganization(app: App, visitor: Visitor, terms: Terms): Promise<Entered> {
  const { identity, email } = visitor
  const now = app.clock.now()
  const given = {
    name: identity.name?.slice(0, 255) ?? localPart(email),
    email,
    emailVerified: true,
    signupSource: 'oauth',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  }
  const row = newOrganization(given, now)
  const entry = entryOf(app, visitor, row.id, terms, now)
  const { matched } = await commit(app, { guard: insertOrganizationGuard(app.sql, row), effects: entry.effects })
  return matched ? entry.signedIn() : again
}

/** The owner of an organization, and their first session. */
function entryOf(app: App, { request, identity, email }: Visitor, orgId: Uuid, terms: Terms, now: Date) {
  const id = newId()
  const session = openSession(app, request, { accountId: id, orgId })
  const effects: Effect[] = [
    ...insertOwner(app.sql, { id, memberId: newId(), email, passwordHash: null, provenAt: now, now }),
    insertIdentity(app.sql, id, identity, now),
    session.effect,
    recordAcceptance(app, terms, { source: 'oauth', request, now }),
    auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signup', encodeId('org', orgId)),
  ]
  return { effects, signedIn: session.signedIn }
}
