// Signing up to the console with a password.
import { hashPassword } from '../accounts/passwords.ts'
import { type OpenedSession, openSession, type SignedIn } from '../accounts/sessions.ts'
import { queueVerificationMail } from '../accounts/verifyEmail.ts'
import { attachAccountGuard, insertAccount } from '../accounts/writes.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import type { Effect } from '../commit/effect.ts'
import { emailTaken } from '../errors.ts'
import { findByEmail, newOrganization } from '../organizations/organizations.ts'
import { isClaimable } from '../organizations/rules.ts'
import { recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { completeOrganization, insertOrganizationGuard } from '../organizations/writes.ts'
import { throttle } from '../quotas/throttle.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { domainOf, localPart, type SignUpBody } from './schema.ts'

const perDomain = { name: 'signup_domain', max: 200, windowMs: 60 * 60_000 }

type SignUp = {
  request: RequestContext
  body: SignUpBody
  passwordHash: string
  terms: Terms
  session: OpenedSession
  now: Date
}

/**
 * Makes an organization or, for an address on the waitlist, the account of the organization that waits. Of several sign-ups
 * with one address the first to commit succeeds.
 */
export async function signUp(app: App, request: RequestContext, body: SignUpBody): Promise<SignedIn> {
  const terms = await requireCurrentTerms(app, body.tos_version)
  await throttle(app, perDomain, domainOf(body.email))
  const known = await findByEmail(app, body.email)
  if (known && !isClaimable(known)) throw emailTaken()
  const passwordHash = await hashPassword(app, body.password)
  const signUp = { request, body, passwordHash, terms, session: openSession(app), now: app.clock.now() }
  const orgId = await refuseDuplicate(() =>
    known ? claimOrganization(app, signUp, known.id) : openOrganization(app, signUp),
  )
  return signUp.session.signedIn(orgId)
}

/** `email_taken` if somebody else was faster. */
async function refuseDuplicate(write: () => Promise<Uuid | undefined>): Promise<Uuid> {
  try {
    const orgId = await write()
    if (orgId) return orgId
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
  throw emailTaken()
}

async function claimOrganization(app: App, signUp: SignUp, orgId: Uuid): Promise<Uuid | undefined> {
  const { body, passwordHash, terms, now } = signUp
  const completion = { name: body.name ?? null, termsVersion: terms.version, emailVerified: false }
  const { matched } = await commit(app, {
    guard: attachAccountGuard(app.sql, { orgId, email: body.email, passwordHash }, now),
    effects: [completeOrganization(app.sql, completion, now), ...signUpEffects(app, signUp, orgId)],
  })
  return matched ? orgId : undefined
}

async function openOrganization(app: App, signUp: SignUp): Promise<Uuid | undefined> {
  const { body, passwordHash, terms, now } = signUp
  const given = {
    name: body.name ?? localPart(body.email),
    email: body.email,
    signupSource: 'console',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  }
  const row = newOrganization(given, now)
  const { matched } = await commit(app, {
    guard: insertOrganizationGuard(app.sql, row),
    effects: [insertAccount(app.sql, body.email, passwordHash, now), ...signUpEffects(app, signUp, row.id)],
  })
  return matched ? row.id : undefined
}

const signUpEffects = (app: App, { request, body, terms, session, now }: SignUp, orgId: Uuid): Effect[] => [
  session.effect,
  ...queueVerificationMail(app, body.email),
  recordAcceptance(app, terms, { source: 'console', request, now }),
  auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signup', encodeId('org', orgId)),
]
