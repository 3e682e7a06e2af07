// A forgotten password: a link goes to the owner's address, and whoever follows it sets a new one.
import { findByEmail, verifiedEmail } from '../accounts/organizations.ts'
import type { RequestContext } from '../actor.ts'
import { networkOf } from '../addresses.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { commit } from '../change.ts'
import { isDuplicate } from '../db.ts'
import { ServiceError } from '../errors.ts'
import { encodeId } from '../ids.ts'
import { mailed } from '../mails/mails.ts'
import { resetMail } from '../mails/texts.ts'
import { paced } from '../pace.ts'
import { throttled } from '../quotas/throttle.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { hashPassword } from './password.ts'
import { endResets, endSessions, insertReset, livingReset, setPassword, takenReset } from './queries.ts'
import type { ResetBody } from './schema.ts'

const linkMs = 30 * 60_000
/** Beyond these nothing is sent, and the answer stays the same. */
const perEmail = { name: 'forgot', most: 5, windowMs: 60 * 60_000 }
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
  const token = randomToken(24)
  const now = app.clock.now()
  const reset = insertReset(app.sql, organization.id, sha256(token), now, new Date(now.getTime() + linkMs))
  await commit(app, reset, { mails: mailed(app, resetMail(app, organization.email, token, linkMs)) })
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

/** Signs out everywhere. The link came by mail, so the address is known to be the owner's from now on. */
export async function resetPassword(app: App, request: RequestContext, body: ResetBody) {
  const hash = sha256(body.token)
  const [reset] = await livingReset(app.sql, hash)
  if (!reset) return usedUp
  const now = app.clock.now()
  const password = await hashPassword(body.password)
  const { orgId } = reset
  const set = commit(app, takenReset(app.sql, hash), {
    password: setPassword(app.sql, reset.email.toLowerCase(), password, now),
    sessions: endSessions(app.sql),
    resets: endResets(app.sql),
    organization: verifiedEmail(app, now),
    audit: audited(app, { orgId, keyPrefix: null, request }, 'org.update', encodeId('org', orgId)),
  })
  // A duplicate: the address got an account of another organization meanwhile.
  const { matched } = await set.catch((error) => (isDuplicate(error) ? { matched: false } : Promise.reject(error)))
  if (!matched) return usedUp
  return { isSet: true, message: 'The password is set. Sign in with it.' }
}
