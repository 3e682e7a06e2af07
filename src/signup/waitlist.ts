// The waitlist: an organization without keys and without an account, until an administrator activates it.
import { findAccount } from '../accounts/accounts.ts'
import { answeredWith, type RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { emailTaken } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { waitlistMail } from '../mails/texts.ts'
import { findByEmail, newOrganization } from '../organizations/organizations.ts'
import type { Holder, OrganizationRow } from '../organizations/row.ts'
import { isClaimable } from '../organizations/rules.ts'
import { acceptanceGuard, recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { insertOrganizationGuard } from '../organizations/writes.ts'
import { throttle } from '../quotas/throttle.ts'
import { isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { localPart, type WaitlistBody } from './schema.ts'

const perEmail = { name: 'waitlist_email', max: 10, windowMs: 60 * 60_000 }

const presentWaitlisted = (row: OrganizationRow) => ({
  id: encodeId('org', row.id),
  name: row.name,
  email: row.email,
  is_waitlisted: row.isWaitlisted,
  waitlisted_at: isoTimeOrNull(row.waitlistedAt),
  signup_source: row.signupSource,
})

/** Joining again sends no mail and changes nothing except the accepted terms. */
export async function joinWaitlist(app: App, request: RequestContext, body: WaitlistBody) {
  const email = body.email.toLowerCase()
  await throttle(app, perEmail, email)
  return decide(app, { noun: 'sign-up', key: email }, async () => {
    const terms = body.tos_version === undefined ? undefined : await requireCurrentTerms(app, body.tos_version)
    const known = await findByEmail(app, body.email)
    // Somebody who signed up with an address on the waitlist waits on it as well.
    if (known ? !known.isWaitlisted : await findAccount(app, body.email)) throw emailTaken()
    return known ? joinAgain(app, request, known, terms) : joinFirst(app, request, body, terms)
  })
}

async function joinFirst(app: App, request: RequestContext, body: WaitlistBody, terms: Terms | undefined) {
  const now = app.clock.now()
  const given = {
    name: body.name ?? localPart(body.email),
    email: body.email,
    signupSource: 'waitlist',
    isWaitlisted: true,
    waitlistedAt: now,
    acceptedTermsVersion: terms?.version ?? null,
    acceptedTermsAt: terms ? now : null,
  }
  const row = newOrganization(given, now)
  const { matched } = await commit(app, {
    guard: insertOrganizationGuard(app.sql, row),
    effects: [
      terms && recordAcceptance(app, terms, { source: 'waitlist', request, now }),
      sendLater(app, waitlistMail(body.email)),
      auditEntry(app, { orgId: row.id, keyPrefix: null, request }, 'auth.signup', encodeId('org', row.id)),
    ],
  })
  return matched ? { fresh: true, data: presentWaitlisted(row), message: 'You are on the waitlist.' } : again
}

async function joinAgain(app: App, request: RequestContext, known: Holder, terms: Terms | undefined) {
  if (terms && acceptsBySignUp(known, terms) && !(await acceptByWaitlist(app, request, known, terms))) return again
  return { fresh: false, data: presentWaitlisted(known), message: 'You are on the waitlist already.' }
}

/** Anybody can join with anybody's address: an organization with an account or a key accepts terms only by that. */
const acceptsBySignUp = (known: Holder, { version }: Terms): boolean =>
  isClaimable(known) && known.acceptedTermsVersion !== version

/** False if the organization or the terms have changed. Needs no new epoch: an organization without keys is cached nowhere. */
async function acceptByWaitlist(app: App, request: RequestContext, known: Holder, terms: Terms): Promise<boolean> {
  const now = app.clock.now()
  const actor = answeredWith({ orgId: known.id, keyPrefix: null, request }, 200)
  const { matched } = await commit(app, {
    guard: acceptanceGuard(app, known, terms, now),
    effects: [
      recordAcceptance(app, terms, { source: 'waitlist', request, now }),
      auditEntry(app, actor, 'org.update', encodeId('org', known.id)),
    ],
  })
  return matched
}
