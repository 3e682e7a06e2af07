// The invitations of an organization, as its admins see them.
import type { Actor } from '../actors/actor.ts'
import { isAtLeast } from '../actors/roles.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { again } from '../commit/decide.ts'
import { step } from '../commit/step.ts'
import { conflict, notFound, roleRequired } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { type InvitationRow, invitationById, invitationCount, invitationsPage } from './invitationQueries.ts'
import { endedInvitationMs } from './invitationRules.ts'
import type { InvitationListQuery } from './invitationSchema.ts'
import { purgeInvitations, revokeInvitationGuard } from './invitationWrites.ts'
import { presentInvitation } from './presentInvitation.ts'
import { roleToTouch } from './rules.ts'

const shownSince = (now: Date): Date => new Date(now.getTime() - endedInvitationMs)

export async function listInvitations({ sql, clock }: App, { orgId }: Actor, query: InvitationListQuery) {
  const now = clock.now()
  const which = { status: query.status, since: shownSince(now), now }
  const [rows, [count]] = await Promise.all([
    invitationsPage(sql, orgId, which, query),
    invitationCount(sql, orgId, which),
  ])
  return listPage(
    rows.map((row) => presentInvitation(row, now)),
    count?.total ?? 0,
    query,
  )
}

/** One that the actor may change: 404 if it is not shown, 403 if its role is above the actor's, 409 if it was accepted. */
export async function requireChangeable({ sql, clock }: App, actor: Actor, id: string): Promise<InvitationRow> {
  const uuid = decodeId('inv', id)
  const [row] = uuid ? await invitationById(sql, actor.orgId, uuid, shownSince(clock.now())) : []
  if (!row) throw notFound('invitation', null, id)
  requireGivable(actor, row.role)
  if (row.status === 'accepted') throw conflict('This invitation was accepted. Remove the member instead.')
  return row
}

/** A member gives roles up to their own. */
export function requireGivable({ member }: Actor, role: InvitationRow['role']): void {
  if (!isAtLeast(member!.role, roleToTouch(role))) throw roleRequired(roleToTouch(role))
}

/** Revoking one twice has the effect of revoking it once. */
export async function revokeInvitation(app: App, actor: Actor, id: string): Promise<void> {
  const { sql, clock } = app
  await requireChangeable(app, actor, id)
  await atRevision(app, actor, async (guard) => {
    const row = await requireChangeable(app, actor, id)
    if (row.status === 'revoked') return commitResponse(app, actor, undefined)
    const organization = step('organization', guard)
    const revoked = await commitOrAgain(app, {
      steps: [organization],
      guard: revokeInvitationGuard(sql, row, organization, clock.now()),
      effects: recorded(app, actor, {
        action: 'invitation.revoke',
        resource: encodeId('inv', row.id),
        response: undefined,
      }),
    })
    if (revoked !== again) app.metrics.invitations.inc({ outcome: 'revoked' })
    return revoked
  })
}

/** Removes those that ended long ago. */
export const purgeOldInvitations = async ({ sql, clock }: App): Promise<void> => {
  await purgeInvitations(sql, shownSince(clock.now()))
}
