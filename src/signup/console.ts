// Signing up to the console with a password.
import { firstAccount, newAccount } from '../accounts/accounts.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession } from '../accounts/sessions.ts'
import { proofLink } from '../accounts/verifyEmail.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import type { Committed } from '../changes/commit.ts'
import { commitParts, type Effects } from '../changes/commitParts.ts'
import { emailTaken } from '../errors.ts'
import { completed, findByEmail, newOrganization, requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { throttled } from '../quotas/throttle.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { acceptance, requireCurrentTerms } from '../terms/terms.ts'
import { domainOf, localPart, type SignUpBody } from './schema.ts'

const perDomain = { name: 'signup_domain', most: 200, windowMs: 60 * 60_000 }

/**
 * A new organization; or, for an address on the waitlist, the account of the organization that waits. Of several sign-ups
 * with one address the first to commit gets it.
 */
export async function signUp(app: App, request: RequestContext, body: SignUpBody) {
  const terms = await requireCurrentTerms(app, body.tos_version)
  await throttled(app, perDomain, domainOf(body.email))
  const known = await findByEmail(app, body.email)
  if (known && !isToBeClaimed(known)) throw emailTaken()
  const passwordHash = await hashPassword(body.password)
  const now = app.clock.now()
  const session = openSession(app)
  const effects = (orgId: Uuid): Effects => ({
    session: session.effect,
    ...proofLink(app, body.email),
    acceptance: acceptance(app, terms, { source: 'console', request, now }),
    audit: auditEntry(app, { orgId, keyPrefix: null, request }, 'auth.signup', encodeId('org', orgId)),
  })

  async function claim(orgId: Uuid) {
    const completion = { name: body.name ?? null, termsVersion: terms.version, emailVerified: false }
    return commitParts(app, firstAccount(app, orgId, body.email, passwordHash), {
      organization: completed(app, completion, now),
      ...effects(orgId),
    })
  }

  const given = {
    name: body.name ?? localPart(body.email),
    email: body.email,
    signupSource: 'console',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  }
  const { row, guard } = newOrganization(app, given, now)
  const found = () =>
    commitParts(app, guard, { account: newAccount(app, body.email, passwordHash), ...effects(row.id) })

  const orgId = known?.id ?? row.id
  await firstOf(known ? () => claim(orgId) : found)
  const org = presentOrganization(await requireOrganization(app, encodeId('org', orgId)))
  return { org, ...(await session.sign(orgId)) }
}

/** Waits without an account: whoever signs up with its address gets it. It has no keys and no data yet. */
export const isToBeClaimed = (holder: { signupSource: string; hasAccount: boolean }): boolean =>
  holder.signupSource === 'waitlist' && !holder.hasAccount

/** `email_taken` when somebody else was faster. */
async function firstOf(sign: () => Promise<Committed<unknown>>): Promise<void> {
  try {
    const { matched } = await sign()
    if (!matched) throw emailTaken()
  } catch (error) {
    throw isDuplicate(error) ? emailTaken() : error
  }
}
