// People without an account who follow an invitation: they get one, without an organization of their own. The link came by mail, so
// their address is proven.
import { findAccount, findAccountOf } from '../accounts/accounts.ts'
import type { Identity } from '../accounts/oidc.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession, type SignedIn } from '../accounts/sessions.ts'
import { insertAccount, insertIdentity } from '../accounts/writes.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { emailTaken } from '../errors.ts'
import { requireInvitation } from '../members/openInvitation.ts'
import { recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import { isDuplicate } from '../stores/failures.ts'
import { acceptAs, joinEffects, joining, requireSeat, wrongAccount } from './acceptInvitation.ts'
import { enterThrough } from './oauth.ts'

type Joined = SignedIn & { member: { id: string; role: string } }

/** `hash`: the digest of the link's token. `tosVersion`: of the terms that the person accepts. */
type Link = { hash: Buffer; tosVersion?: string | undefined }
/** How they sign in from now on. */
type Credential = { passwordHash: string } | { identity: Identity }

export async function signUpInvited(
  app: App,
  request: RequestContext,
  { password, ...link }: Link & { password: string },
): Promise<Joined> {
  const terms = await termsOf(app, link)
  const { email } = await requireInvitation(app, link.hash)
  if (await findAccount(app, email)) throw emailTaken()
  const passwordHash = await hashPassword(app, password)
  const joined = await makeMember(app, request, link.hash, { passwordHash }, terms)
  if (!joined) throw emailTaken()
  return joined
}

/** Throws `wrong_account` unless the provider vouches for the invited address, and the identity is nobody else's. */
export async function joinThrough(app: App, request: RequestContext, identity: Identity, link: Link): Promise<Joined> {
  const { email } = await requireInvitation(app, link.hash)
  if (!identity.emailVerified || identity.email?.trim().toLowerCase() !== email) throw wrongAccount(app)
  const known = await findAccountOf(app, identity)
  if (known && known.email !== email) throw wrongAccount(app)
  const isNew = !known && !(await findAccount(app, email))
  const joined = isNew && (await makeMember(app, request, link.hash, { identity }, await termsOf(app, link)))
  if (joined) return joined
  const signedIn = await enterThrough(app, request, identity)
  const account = await findAccount(app, email)
  if (!account) throw wrongAccount(app)
  const person = { account: email, member: { accountId: account.id } }
  return { ...signedIn, ...(await acceptAs(app, request, link.hash, person)) }
}

const termsOf = (app: App, { tosVersion }: Link) =>
  tosVersion === undefined ? undefined : requireCurrentTerms(app, tosVersion)

/** Account, membership and session in one statement; undefined if the address has got an account meanwhile. */
async function makeMember(
  app: App,
  request: RequestContext,
  hash: Buffer,
  credential: Credential,
  terms: Terms | undefined,
): Promise<Joined | undefined> {
  const { orgId, email } = await requireInvitation(app, hash)
  const [accountId, memberId] = [newId(), newId()]
  const session = openSession(app, request, { accountId, orgId })
  const [identity, passwordHash] =
    'identity' in credential ? [credential.identity, null] : [undefined, credential.passwordHash]
  const source = identity ? 'oauth' : 'console'
  const made = await decide(app, { noun: 'organization', key: orgId }, async () => {
    if (await findAccount(app, email)) return undefined
    const invitation = await requireSeat(app, hash)
    const now = app.clock.now()
    const { matched } = await commit(app, {
      ...joining(app, hash, invitation),
      effects: [
        insertAccount(app.sql, { id: accountId, email, passwordHash, provenAt: now, now }),
        identity && insertIdentity(app.sql, accountId, identity, now),
        ...joinEffects(app, request, invitation, { accountId, account: email, memberId }),
        session.effect,
        terms && recordAcceptance(app, terms, { source, request, now }),
      ],
    }).catch((error) => {
      // The address or the identity has got an account meanwhile.
      if (isDuplicate(error)) return { matched: false }
      throw error
    })
    return matched ? invitation : again
  })
  if (!made) return undefined
  app.metrics.invitations.inc({ outcome: 'accepted' })
  return { ...(await session.signedIn()), member: { id: encodeId('mem', memberId), role: made.role } }
}
