// Accepting an invitation: only the account of the invited address can. Of several who follow one link at once the first to commit
// joins, and none does after the link has been revoked.
import { findAccountById } from '../accounts/accounts.ts'
import { proveByOwner } from '../accounts/verifyEmail.ts'
import { insertMembership, lockAccount } from '../accounts/writes.ts'
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { step } from '../commit/step.ts'
import { accountGone, capReached, forbidden } from '../errors.ts'
import type { OpenInvitation } from '../members/invitationQueries.ts'
import { acceptInvitationGuard } from '../members/invitationWrites.ts'
import { requireInvitation } from '../members/openInvitation.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { bumpRevisionGuard } from '../organizations/writes.ts'
import { periodAt, secondsLeft } from '../plans/period.ts'
import { limitsOf } from '../plans/plans.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'

/** Somebody who is signed in: the address of their account, and its id. */
type Person = { account: string; member: { accountId: Uuid } }

/** Joins the account of the invited address. `hash`: the digest of the link's token. */
export async function acceptAs(app: App, request: RequestContext, hash: Buffer, person: Person) {
  const { orgId, email } = await requireInvitation(app, hash)
  if (person.account !== email) throw wrongAccount(app)
  const { accountId } = person.member
  await proveByOwner(app, request, accountId)
  const memberId = newId()
  const role = await decide(app, { noun: 'organization', key: orgId }, async () => {
    if (!(await findAccountById(app, accountId))) throw accountGone()
    const invitation = await requireSeat(app, hash)
    const { matched } = await commit(app, {
      ...joining(app, hash, invitation, accountId),
      effects: joinEffects(app, request, invitation, { accountId, account: email, memberId }),
    })
    return matched ? invitation.role : again
  })
  app.metrics.invitations.inc({ outcome: 'accepted' })
  const organization = await requireOrganization(app, encodeId('org', orgId))
  return { org: presentOrganization(organization), member: { id: encodeId('mem', memberId), role } }
}

/** The invitation, if its link works and the plan has a seat left: it may have shrunk since. */
export async function requireSeat(app: App, hash: Buffer): Promise<OpenInvitation> {
  const invitation = await requireInvitation(app, hash)
  const limit = limitsOf(invitation.plan, invitation.limits).members
  if (limit === null || invitation.members < limit) return invitation
  const now = app.clock.now()
  throw capReached('members', limit, secondsLeft(periodAt(invitation.orgCreatedAt, now), now))
}

/**
 * The part of a change that uses up the link, at the revision at which the seats were counted, while the account, if there is one, is not
 * erased. The guard returns the organization.
 */
export function joining({ sql, clock }: App, hash: Buffer, invitation: OpenInvitation, accountId?: Uuid) {
  const organization = step('organization', bumpRevisionGuard(sql, invitation.orgId, invitation.revision))
  const steps = accountId ? [organization, lockAccount(sql, accountId, organization)] : [organization]
  return { steps, guard: acceptInvitationGuard(sql, invitation, hash, steps.at(-1)!, clock.now()) }
}

export const joinEffects = (
  app: App,
  request: RequestContext,
  { orgId, id, role }: OpenInvitation,
  { accountId, account, memberId }: { accountId: Uuid; account: string; memberId: Uuid },
): Effect[] => [
  insertMembership(app.sql, { id: memberId, accountId, role, joinedAt: app.clock.now() }),
  auditEntry(
    app,
    { orgId, keyPrefix: null, account, member: { id: memberId, accountId, role }, request },
    'invitation.accept',
    encodeId('inv', id),
  ),
]

export function wrongAccount(app: App) {
  app.metrics.invitations.inc({ outcome: 'wrong_account' })
  return forbidden('This invitation is for another address. Sign in with the account of that address.', 'wrong_account')
}
