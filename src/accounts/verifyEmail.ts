// Proving the address of a sign-up. The link shows that somebody reads its mail; the session or the password of the sign-up
// shows that they are who signed up. Only both together keep what was made before: without the second the way is a new
// password (reset.ts), which switches it off.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitParts, type Effects } from '../changes/commitParts.ts'
import { conflict, invalid, overloaded } from '../errors.ts'
import { proofMail } from '../mails/texts.ts'
import { requireOrganization, verifiedEmail } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { proofEffects, readStanding } from '../proof/prove.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { throttled } from '../quotas/throttle.ts'
import { sha256 } from '../sealing/sealer.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { mailedLink } from './links.ts'
import { isPassword } from './passwords.ts'
import { accountOf, endLinks, followedLink, livingLink, livingOrganization } from './queries.ts'
import { perEmail } from './resets.ts'
import type { VerifyEmailBody } from './schema.ts'

const linkMs = 24 * 60 * 60_000

/** For the organization that the guard returned as `id`: the link that proves its address. */
export const proofLink = (app: App, email: string): Effects =>
  mailedLink(app, linkMs, (token) => proofMail(app, email, token, linkMs))

/** Whose address a link proves; undefined once it is used up. Changes nothing: scanners of mails open links, too. */
export const findLink = async (app: App, token: string): Promise<{ orgId: Uuid; email: string } | undefined> =>
  (await livingLink(app.sql, sha256(token)))[0]

const maxTries = 10

/** `sessionOf`: the organization that the caller is signed in for, if any. */
export async function verifyEmail(
  app: App,
  request: RequestContext,
  body: VerifyEmailBody,
  sessionOf: string | undefined,
) {
  for (let tries = 0; tries < maxTries; tries++) {
    const link = await findLink(app, body.token)
    if (!link) throw usedUp()
    await requireWhoSignedUp(app, link.orgId, body, sessionOf)
    const standing = await readStanding(app, link.orgId)
    if (!standing) throw usedUp()
    const actor = { orgId: standing.id, keyPrefix: null, request }
    const { matched } = await commitParts(app, followedLink(app.sql, sha256(body.token), standing.revision), {
      organization: verifiedEmail(app, app.clock.now()),
      links: endLinks(app.sql),
      ...proofEffects(app, standing, actor, { madeByOwner: true }),
    })
    if (!matched) continue
    await bumpEpoch(app, standing.id)
    return { org: presentOrganization(await requireOrganization(app, encodeId('org', standing.id))) }
  }
  throw overloaded('Too many changes at once to this organization. Try again.')
}

const usedUp = () => invalid('This link does not exist, has expired or was used already. Ask for another one.', 'token')

/** A new password ends all links with its own, so what is checked here holds for as long as the link does. */
async function requireWhoSignedUp(app: App, orgId: Uuid, body: VerifyEmailBody, sessionOf: string | undefined) {
  if (sessionOf === orgId) return
  const hint = 'Send the password of the sign-up or its session, or set a new password with this link.'
  if (body.password === undefined) throw invalid(`password: is required. ${hint}`, 'password')
  const [account] = await accountOf(app.sql, orgId)
  if (!(await isPassword(account?.passwordHash, body.password))) {
    throw invalid(`password: is not the one of the sign-up. ${hint}`, 'password')
  }
}

/** Mails another link, for whoever lost the first. */
export async function mailProofLink(app: App, actor: Actor) {
  const organization = await requireOrganization(app, encodeId('org', actor.orgId))
  if (organization.emailVerified) throw conflict('This address is proven already.')
  await throttled(app, perEmail, organization.email.toLowerCase())
  await commitParts(app, livingOrganization(app.sql, actor.orgId), proofLink(app, organization.email))
  return { message: 'A link to prove the address is on its way to it.' }
}
