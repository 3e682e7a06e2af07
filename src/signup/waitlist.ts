// The waitlist: an organization without keys and without an account, until an administrator activates it.
import { answeredWith, type RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { emailTaken, overloaded } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { waitlistMail } from '../mails/texts.ts'
import { findByEmail, type Holder, newOrganization } from '../organizations/organizations.ts'
import { throttled } from '../quotas/throttle.ts'
import { isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { acceptance, acceptedBy, requireCurrentTerms, type Terms } from '../terms/terms.ts'
import { isToBeClaimed } from './console.ts'
import { localPart, type WaitlistBody } from './schema.ts'

const perEmail = { name: 'waitlist_email', most: 10, windowMs: 60 * 60_000 }

const presentWaitlisted = (row: Omit<Holder, 'hasAccount'>) => ({
  id: encodeId('org', row.id),
  name: row.name,
  email: row.email,
  is_waitlisted: row.isWaitlisted,
  waitlisted_at: isoTimeOrNull(row.waitlistedAt),
  signup_source: row.signupSource,
})

const maxTries = 3

/** Joining again sends nothing, and changes nothing but the terms that are accepted. */
export async function joinWaitlist(app: App, request: RequestContext, body: WaitlistBody) {
  await throttled(app, perEmail, body.email.toLowerCase())
  for (let tries = 0; tries < maxTries; tries++) {
    const terms = body.tos_version === undefined ? undefined : await requireCurrentTerms(app, body.tos_version)
    const known = await findByEmail(app, body.email)
    if (known && !known.isWaitlisted) throw emailTaken()
    const joined = await (known ? joinAgain(app, request, known, terms) : joinFirst(app, request, body, terms))
    if (joined) return joined
  }
  throw overloaded('Too many sign-ups with this address at once. Try again.')
}

/** Undefined when the address has an organization meanwhile. */
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
  const { row, guard } = newOrganization(app, given, now)
  const { matched } = await commitParts(app, guard, {
    acceptance: terms && acceptance(app, terms, { source: 'waitlist', request, now }),
    mails: sendLater(app, waitlistMail(body.email)),
    audit: auditEntry(app, { orgId: row.id, keyPrefix: null, request }, 'auth.signup', encodeId('org', row.id)),
  })
  return matched ? { fresh: true, data: presentWaitlisted(row), message: 'You are on the waitlist.' } : undefined
}

/** Undefined when the organization or the terms changed meanwhile. */
async function joinAgain(app: App, request: RequestContext, known: Holder, terms: Terms | undefined) {
  if (terms && isToBeRecorded(known, terms) && !(await recordAcceptance(app, request, known, terms))) return undefined
  return { fresh: false, data: presentWaitlisted(known), message: 'You are on the waitlist already.' }
}

/** Anybody can join with anybody's address: who has an account or a key accepts with that, and not in this way. */
const isToBeRecorded = (known: Holder, { version }: Terms): boolean =>
  isToBeClaimed(known) && known.acceptedTermsVersion !== version

/** False when the organization or the terms changed meanwhile. No process remembers the organization: it has no keys. */
async function recordAcceptance(app: App, request: RequestContext, known: Holder, terms: Terms): Promise<boolean> {
  const now = app.clock.now()
  const actor = answeredWith({ orgId: known.id, keyPrefix: null, request }, 200)
  const { matched } = await commitParts(app, acceptedBy(app, known, terms, now), {
    acceptance: acceptance(app, terms, { source: 'waitlist', request, now }),
    audit: auditEntry(app, actor, 'org.update', encodeId('org', known.id)),
  })
  return matched
}
