// The waitlist: an organization without keys and without an account, until an administrator activates it.
import { findByEmail, type Holder, newOrganization } from '../accounts/organizations.ts'
import type { RequestContext } from '../actor.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { commit } from '../change.ts'
import { emailTaken, overloaded } from '../errors.ts'
import { encodeId } from '../ids.ts'
import { mailed } from '../mails/mails.ts'
import { waitlistMail } from '../mails/texts.ts'
import { throttled } from '../quotas/throttle.ts'
import { acceptance, requireCurrentTerms } from '../terms/terms.ts'
import { presentOrNull } from '../wire.ts'
import { localPart, type WaitlistBody } from './schema.ts'

const perEmail = { name: 'waitlist_email', most: 10, windowMs: 60 * 60_000 }

const presentWaitlisted = (row: Omit<Holder, 'hasAccount'>) => ({
  id: encodeId('org', row.id),
  name: row.name,
  email: row.email,
  is_waitlisted: row.isWaitlisted,
  waitlisted_at: presentOrNull(row.waitlistedAt),
  signup_source: row.signupSource,
})

const mostTries = 3

/** Joining again changes nothing and sends nothing. */
export async function joinWaitlist(app: App, request: RequestContext, body: WaitlistBody) {
  await throttled(app, perEmail, body.email.toLowerCase())
  const terms = body.tos_version === undefined ? undefined : await requireCurrentTerms(app, body.tos_version)
  for (let tries = 0; tries < mostTries; tries++) {
    const known = await findByEmail(app, body.email)
    if (known && !known.isWaitlisted) throw emailTaken()
    if (known) return { fresh: false, data: presentWaitlisted(known), message: 'You are on the waitlist already.' }
    const now = app.clock.now()
    const { row, guard } = newOrganization(app, {
      name: body.name ?? localPart(body.email),
      email: body.email,
      signupSource: 'waitlist',
      isWaitlisted: true,
      waitlistedAt: now,
      acceptedTermsVersion: terms?.version ?? null,
      acceptedTermsAt: terms ? now : null,
    })
    const { matched } = await commit(app, guard, {
      acceptance: terms && acceptance(app, terms, 'waitlist', request),
      mails: mailed(app, waitlistMail(body.email)),
      audit: audited(app, { orgId: row.id, keyPrefix: null, request }, 'auth.signup', encodeId('org', row.id)),
    })
    if (matched) return { fresh: true, data: presentWaitlisted(row), message: 'You are on the waitlist.' }
  }
  throw overloaded('Too many sign-ups with this address at once. Try again.')
}
