// Verifies the address of a sign-up. The link shows access to its mail; the session or the password of the sign-up shows who
// signed up. Only both together keep everything made before. With the link alone a new password is set (resets.ts), which
// switches it off.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { accountGone, conflict, invalid } from '../errors.ts'
import { verificationMail } from '../mails/texts.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { verifyAddress } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { sha256 } from '../sealing/sealer.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { findAccountById } from './accounts.ts'
import { mailLink } from './links.ts'
import { isPassword } from './passwords.ts'
import { unchangedGuard } from './publicAccess.ts'
import { activeLink, type Link } from './queries.ts'
import { perEmail } from './resets.ts'
import type { VerifyEmailBody } from './schema.ts'
import { findPublicAccess, provesAddress, verifyByOwner } from './verifyAddress.ts'
import { endLinks, followLinkGuard, membershipGuard, proveAccount } from './writes.ts'

const linkMs = 24 * 60 * 60_000

/** The link that proves the address of an account, in the organization whose `id` the guard returned. */
export const queueVerificationMail = (app: App, accountId: Uuid, email: string): Effect[] =>
  mailLink(app, { accountId, validForMs: linkMs }, (token) => verificationMail(app, email, token, linkMs))

/** The address that a link proves; undefined once it is used up. Changes nothing: mail scanners open links, too. */
export const findLink = async (app: App, token: string): Promise<Link | undefined> =>
  (await activeLink(app.sql, sha256(token)))[0]

async function requireLink(app: App, token: string) {
  const link = await findLink(app, token)
  if (!link) throw usedUp()
  return link
}

/** `signedInAs`: the account of the caller's session, if any. */
export async function verifyEmail(
  app: App,
  request: RequestContext,
  body: VerifyEmailBody,
  signedInAs: Uuid | undefined,
) {
  const { orgId } = await requireLink(app, body.token)
  await decide(app, { noun: 'organization', key: orgId }, async () => {
    const link = await requireLink(app, body.token)
    await requireOwner(app, link, body, signedInAs)
    const access = await findPublicAccess(app, orgId)
    if (!access) throw usedUp()
    const { matched } = await commit(app, {
      guard: followLinkGuard(app.sql, sha256(body.token), access.revision),
      effects: [
        link.accountId ? proveAccount(app.sql, link.accountId, app.clock.now()) : undefined,
        endLinks(app.sql, link),
        ...(provesAddress(link, access)
          ? [
              verifyAddress(app.sql, app.clock.now()),
              ...verifyByOwner(app, access, { orgId, keyPrefix: null, request }),
            ]
          : []),
      ],
    })
    return matched || again
  })
  await bumpEpoch(app, orgId)
  return { org: presentOrganization(await requireOrganization(app, encodeId('org', orgId))) }
}

const usedUp = () => invalid('This link does not exist, has expired or was used already. Ask for another one.', 'token')

/** The person who signed up. A new password ends all links, so this check holds for as long as the link does. */
async function requireOwner(app: App, { accountId }: Link, body: VerifyEmailBody, signedInAs: Uuid | undefined) {
  if (accountId && signedInAs === accountId) return
  const hint = 'Send the password of the sign-up or its session, or set a new password with this link.'
  if (body.password === undefined) throw invalid(`password: is required. ${hint}`, 'password')
  const account = accountId ? await findAccountById(app, accountId) : undefined
  if (!(await isPassword(app, account?.passwordHash, body.password))) {
    throw invalid(`password: is not the one of the sign-up. ${hint}`, 'password')
  }
}

/** Proves the address of an account that has followed another link in its mail with a session of its own: everything stays. */
export async function proveByOwner(app: App, request: RequestContext, accountId: Uuid): Promise<void> {
  const orgId = (await findAccountById(app, accountId))?.orgId
  if (!orgId) return
  const isProven = await decide(app, { noun: 'organization', key: orgId }, async () => {
    const account = await findAccountById(app, accountId)
    const access = account && !account.provenAt ? await findPublicAccess(app, orgId) : undefined
    if (!account || !access) return false
    const { matched } = await commit(app, {
      guard: unchangedGuard(app.sql, access),
      effects: [
        proveAccount(app.sql, accountId, app.clock.now()),
        endLinks(app.sql, { orgId, accountId }),
        ...(provesAddress(account, access)
          ? [
              verifyAddress(app.sql, app.clock.now()),
              ...verifyByOwner(app, access, { orgId, keyPrefix: null, request }),
            ]
          : []),
      ],
    })
    return matched || again
  })
  if (isProven) await bumpEpoch(app, orgId)
}

/** Mails another link to somebody who lost the first. */
export async function mailVerificationLink(app: App, actor: Actor) {
  const { accountId } = actor.member!
  const account = await findAccountById(app, accountId)
  if (!account) throw accountGone()
  if (account.provenAt) throw conflict('This address is proven already.')
  const limit = actor.request.dryRun ? refuseExcess : throttle
  await limit(app, perEmail, account.email)
  const answer = { message: 'A link to prove the address is on its way to it.' }
  await commit(app, {
    guard: membershipGuard(app.sql, accountId, actor.orgId),
    effects: [...queueVerificationMail(app, accountId, account.email), storeResponse(app, actor, answer)],
  })
  return answer
}
