// Signing up to the console with a password.
import { findKnown } from '../accounts/accounts.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession, type SignedIn } from '../accounts/sessions.ts'
import { queueVerificationMail } from '../accounts/verifyEmail.ts'
import { insertOwner, organizationGuard } from '../accounts/writes.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import type { Effect } from '../commit/effect.ts'
import { emailTaken } from '../errors.ts'
import { newOrganization } from '../organizations/organizations.ts'
import type { Holder } from '../organizations/row.ts'
import { isClaimable } from '../organizations/rules.ts'
import { recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { completeOrganization, insertOrganizationGuard } from '../organizations/writes.ts'
import { throttle } from '../quotas/throttle.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { domainOf, localPart, type SignUpBody } from './schema.ts'

const perDomain = { name: 'signup_domain', max: 200, windowMs: 60 * 60_000 }

type SignUp = {
  request: RequestContext
  body: SignUpBody
  passwordHash: string
  terms: Terms
  accountId: Uuid
  now: Date
}

/**
 * Makes an organization or, for an address on the waitlist, the account of the organization that waits. Of several sign-ups
 * with one address the first to commit succeeds.
 */
export async function signUp(app: App, request: RequestContext, body: SignUpBody): Promise<SignedIn> {
  const terms = await requireCurrentTerms(app, body.tos_version)
  await throttle(app, perDomain, domainOf(body.email))
  const known = await findKnown(app, body.email)
  if (known.account || (known.organization && !isClaimable(known.organization))) throw emailTaken()
  const { organization } = known
  const passwordHash = await hashPassword(app, body.password)
  const signUp = { request, body, passwordHash, terms, accountId: newId(), now: app.clock.now() }
  return refuseDuplicate(() =>
    organization ? claimOrganization(app, signUp, organization) : openOrganization(app, signUp),
  )
}

/** `email_taken` if somebody else was faster. */
async function refuseDuplicate(write: () => Promise<SignedIn | undefined>): Promise<SignedIn> {
  try {
    const entered = await write()
    if (entered) return entered
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
  throw emailTaken()
}

async function claimOrganization(app: App, signUp: SignUp, holder: Holder): Promise<SignedIn | undefined> {
  const { body, terms, now } = signUp
  const completion = { name: body.name ?? null, termsVersion: terms.version, emailVerified: false }
  const entry = entryOf(app, signUp, holder.id)
  const { matched } = await commit(app, {
    // Two claims meet at the address of their accounts.
    guard: organizationGuard(app.sql, holder.id),
    effects: [completeOrganization(app.sql, completion, now), ...entry.effects],
  })
  return matched ? entry.signedIn() : undefined
}

async function openOrganization(app: App, signUp: SignUp): Promise<SignedIn | undefined> {
  const { body, terms, now } = signUp
  const given = {
    name: body.name ?? localPart(body.email),
    email: body.email,
    signupSource: 'console',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  }
  const row = newOrganization(given, now)
  const entry = entryOf(app, signUp, row.id)
  const { matched } = await commit(app, { guard: insertOrganizationGuard(app.sql, row), effects: entry.effects })
  return matched ? entry.signedIn() : undefined
}

/** The owner of an organization, and their first session. */
function entryOf(app: App, { request, body, passwordHash, terms, accountId, now }: SignUp, orgId: Uuid) {
  const session = openSession(app, request, { accountId, orgId })
  const { email } = body
  const effects: Effect[] = [
    ...insertOwner(app.sql, { id: accountId, memberId: newId(), email, passwordHash, provenAt: null, now }),
    session.effect,
    ...queueVerificationMail(app, accountId, email),
    recordAcceptance(app, terms, { source: 'console', request, now }),
    auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signup', encodeId('org', orgId)),
  ]
  return { effects, signedIn: session.signedIn }
}
