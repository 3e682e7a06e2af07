// A forgotten password: a link goes to the address of an account, or of an organization without members, and its follower sets a
// new one.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { ServiceError } from '../errors.ts'
import { resetMail } from '../mails/texts.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { isVerified } from '../organizations/rules.ts'
import { verifyAddress } from '../organizations/writes.ts'
import { networkOf } from '../outbound/addresses.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { throttle } from '../quotas/throttle.ts'
import { sha256 } from '../sealing/sealer.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { findKnown } from './accounts.ts'
import { inConstantTime } from './constantTime.ts'
import { mailLink } from './links.ts'
import { hashPassword } from './passwords.ts'
import { activeLink, type Link } from './queries.ts'
import type { ResetBody } from './schema.ts'
import { findPublicAccess, plain, planVerification, provesAddress } from './verifyAddress.ts'
import {
  endLinks,
  endSessions,
  followLinkGuard,
  insertOwner,
  membershipGuard,
  organizationGuard,
  setPassword,
} from './writes.ts'

const linkMs = 30 * 60_000
/** Beyond these no mail is sent, and the answer stays the same. */
export const perEmail = { name: 'forgot', max: 5, windowMs: 60 * 60_000 }
const perAddress = { name: 'forgot_address', max: 50, windowMs: 60 * 60_000 }

/** The same answer after the same time, whether or not the address is known. */
export async function forgetPassword(app: App, request: RequestContext, email: string) {
  await inConstantTime(() => sendLink(app, request, email))
  return { message: 'If this address has an account, a link to set a new password is on its way to it.' }
}

async function sendLink(app: App, request: RequestContext, email: string) {
  if (!(await isWithinLimits(app, request, email))) return
  const asked = await findAsked(app, email)
  if (!asked) return
  const { orgId, accountId, to, locksOut } = asked
  const about = { validForMs: linkMs, locksOut }
  await commit(app, {
    guard: accountId ? membershipGuard(app.sql, accountId, orgId) : organizationGuard(app.sql, orgId),
    effects: mailLink(app, { accountId, validForMs: linkMs }, (token) => resetMail(app, to, token, about)),
  })
}

/** Whose password it is: the account with this address or, as long as it has no member, the organization. */
async function findAsked(app: App, email: string) {
  const known = await findKnown(app, email)
  if (known.account) {
    const { account } = known
    const organization = await requireOrganization(app, encodeId('org', account.orgId))
    const locksOut = account.provenAt === null && !isVerified(organization)
    const isOfAddress = organization.email.toLowerCase() === account.email
    return {
      orgId: account.orgId,
      accountId: account.id,
      to: isOfAddress ? organization.email : account.email,
      locksOut,
    }
  }
  const holder = known.organization
  if (!holder || holder.hasMembers) return undefined
  return { orgId: holder.id, accountId: null, to: holder.email, locksOut: !isVerified(holder) }
}

async function isWithinLimits(app: App, request: RequestContext, email: string): Promise<boolean> {
  try {
    await throttle(app, perAddress, networkOf(request.ip ?? ''))
    await throttle(app, perEmail, email.toLowerCase())
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

type Reset = { isSet: boolean; message: string }

const usedUp: Reset = {
  isSet: false,
  message: 'Nothing was changed: this link does not exist, has expired or was used already. Ask for a new one.',
}

/**
 * Signs out everywhere. The link came by mail, so it verifies the address; if the address was not verified before, a stranger
 * may have made everything until now, and it is switched off.
 */
export async function resetPassword(app: App, request: RequestContext, body: ResetBody): Promise<Reset> {
  const hash = sha256(body.token)
  const [link] = await activeLink(app.sql, hash)
  if (!link) return usedUp
  const password = await hashPassword(app, body.password)
  return decide(app, { noun: 'organization', key: link.orgId }, () =>
    followLink(app, request, link.orgId, hash, password),
  )
}

async function followLink(app: App, request: RequestContext, orgId: Uuid, hash: Buffer, password: string) {
  const [link] = await activeLink(app.sql, hash)
  const access = link && (await findPublicAccess(app, orgId))
  if (!access) return usedUp
  const now = app.clock.now()
  const actor = { orgId, keyPrefix: null, request }
  const proves = provesAddress(link, access)
  const guard = followLinkGuard(app.sql, hash, access.revision)
  const verification = proves ? await planVerification(app, access, actor, guard) : plain(guard)
  try {
    const { matched } = await commit(app, {
      steps: verification.steps,
      guard: verification.guard,
      effects: [
        ...passwordEffects(app, link, password, now),
        endLinks(app.sql, link),
        proves ? verifyAddress(app.sql, now) : undefined,
        auditEntry(app, actor, 'org.update', encodeId('org', orgId)),
        ...verification.effects,
      ],
    })
    if (!matched) return again
  } catch (error) {
    // The address has got an account of another organization.
    if (isDuplicate(error)) return usedUp
    throw error
  }
  await bumpEpoch(app, orgId)
  return { isSet: true, message: verification.locksOut ? setAndLockedOut : setMessage }
}

/** An account that has one sets it; an organization without members gets its owner. */
const passwordEffects = ({ sql }: App, { accountId, email }: Link, passwordHash: string, now: Date): Effect[] =>
  accountId
    ? [...setPassword(sql, accountId, passwordHash, now), endSessions(sql, accountId)]
    : insertOwner(sql, { id: newId(), memberId: newId(), email, passwordHash, provenAt: now, now })

const setMessage = 'The password is set. Sign in with it.'
const setAndLockedOut = `${setMessage} Everything made before the address was proven is switched off; a mail lists it.`
