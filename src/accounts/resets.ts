// A forgotten password: a link goes to the owner's address, and whoever follows it sets a new one.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { overloaded, ServiceError } from '../errors.ts'
import { resetMail } from '../mails/texts.ts'
import { findByEmail, verifiedEmail } from '../organizations/organizations.ts'
import { isProven } from '../organizations/rules.ts'
import { networkOf } from '../outbound/addresses.ts'
import { proofEffects, readStanding } from '../proof/prove.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { throttled } from '../quotas/throttle.ts'
import { sha256 } from '../sealing/sealer.ts'
import { encodeId } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { mailedLink } from './links.ts'
import { paced } from './pace.ts'
import { hashPassword } from './passwords.ts'
import { endLinks, endSessions, followedLink, livingLink, livingOrganization, setPassword } from './queries.ts'
import type { ResetBody } from './schema.ts'

const linkMs = 30 * 60_000
/** Beyond these nothing is sent, and the answer stays the same. */
export const perEmail = { name: 'forgot', most: 5, windowMs: 60 * 60_000 }
const perAddress = { name: 'forgot_address', most: 50, windowMs: 60 * 60_000 }

/** The same answer after the same time, whether or not the address is known. */
export async function forgetPassword(app: App, request: RequestContext, email: string) {
  await paced(() => sendLink(app, request, email))
  return { message: 'If this address has an account, a link to set a new password is on its way to it.' }
}

async function sendLink(app: App, request: RequestContext, email: string) {
  if (!(await isWithinLimits(app, request, email))) return
  const organization = await findByEmail(app, email)
  if (!organization) return
  const about = { goodForMs: linkMs, locksOut: !isProven(organization) }
  const link = mailedLink(app, linkMs, (token) => resetMail(app, organization.email, token, about))
  await commitParts(app, livingOrganization(app.sql, organization.id), link)
}

async function isWithinLimits(app: App, request: RequestContext, email: string): Promise<boolean> {
  try {
    await throttled(app, perAddress, networkOf(request.ip ?? ''))
    await throttled(app, perEmail, email.toLowerCase())
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

const usedUp = {
  isSet: false,
  message: 'Nothing was changed: this link does not exist, has expired or was used already. Ask for a new one.',
}

const maxTries = 10

/**
 * Signs out everywhere. The link came by mail, so it proves the address; and where nobody had proven it before, what was
 * made until now may be a stranger's and is switched off.
 */
export async function resetPassword(app: App, request: RequestContext, body: ResetBody) {
  const hash = sha256(body.token)
  if (!(await livingLink(app.sql, hash))[0]) return usedUp
  const password = await hashPassword(body.password)
  for (let tries = 0; tries < maxTries; tries++) {
    const [link] = await livingLink(app.sql, hash)
    const standing = link && (await readStanding(app, link.orgId))
    if (!standing) return usedUp
    const now = app.clock.now()
    const actor = { orgId: standing.id, keyPrefix: null, request }
    const proof = proofEffects(app, standing, actor)
    const set = commitParts(app, followedLink(app.sql, hash, standing.revision), {
      password: setPassword(app.sql, standing.email.toLowerCase(), password, now),
      sessions: endSessions(app.sql),
      links: endLinks(app.sql),
      organization: verifiedEmail(app, now),
      audit: auditEntry(app, actor, 'org.update', encodeId('org', standing.id)),
      ...proof,
    })
    // A duplicate: the address got an account of another organization meanwhile.
    const { matched } = (await set.catch((error) => (isDuplicate(error) ? undefined : Promise.reject(error)))) ?? {}
    if (matched === undefined) return usedUp
    if (!matched) continue
    await bumpEpoch(app, standing.id)
    return { isSet: true, message: proof.mails ? setAndLockedOut : setMessage }
  }
  throw overloaded('Too many changes at once to this organization. Try again.')
}

const setMessage = 'The password is set. Sign in with it.'
const setAndLockedOut = `${setMessage} What was made before the address was proven is switched off; a mail tells what.`
