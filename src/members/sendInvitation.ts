// Sends the link of an invitation, the first or another one. No answer, and no time that it takes, depends on whether the invited
// address has an account.
import type { Actor, Member } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { conflict, forbidden } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { withinCap } from '../organizations/caps.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { isVerified } from '../organizations/rules.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { recorded } from '../recording/recorded.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { dayMs, hourMs } from '../shapes/durations.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import { invitationMail } from './invitationMail.ts'
import { type InvitationRow, seatsTaken, standingOf } from './invitationQueries.ts'
import { invitationMs } from './invitationRules.ts'
import type { InviteBody } from './invitationSchema.ts'
import { requireChangeable, requireGivable } from './invitations.ts'
import { expireInvitation, insertInvitation, renewInvitation } from './invitationWrites.ts'
import { presentInvitation } from './presentInvitation.ts'

const mailsPerAddress = { name: 'invitation_mails', max: 5, windowMs: hourMs }
const invitationsPerDay = { name: 'invitations', max: 100, windowMs: dayMs }

/** A session acts. */
type Inviter = Actor & { member: Member; account: string }

export async function createInvitation(app: App, actor: Actor, body: InviteBody) {
  requireGivable(actor, body.role)
  const now = app.clock.now()
  const row: InvitationRow = {
    orgId: actor.orgId,
    id: newId(),
    email: body.email.toLowerCase(),
    role: body.role,
    createdAt: now,
    ...sentBy(actor as Inviter, now),
  }
  return send(app, actor, row)
}

/** The link before it dies. The member who sends it vouches for the invitation from now on. */
export async function resendInvitation(app: App, actor: Actor, id: string) {
  const row = { ...(await requireSendable(app, actor, id)), ...sentBy(actor as Inviter, app.clock.now()) }
  return send(app, actor, row, () => requireSendable(app, actor, id))
}

async function requireSendable(app: App, actor: Actor, id: string): Promise<InvitationRow> {
  const row = await requireChangeable(app, actor, id)
  if (row.status === 'revoked') throw conflict('This invitation was revoked. Make another one.')
  return row
}

const sentBy = ({ member, account }: Inviter, now: Date) => ({
  status: 'pending' as const,
  invitedBy: member.id,
  invitedByEmail: account,
  sentAt: now,
  expiresAt: new Date(now.getTime() + invitationMs),
})

/** `recheck`, of one that exists: throws if it has changed since it was read. */
async function send(app: App, actor: Actor, row: InvitationRow, recheck?: () => Promise<unknown>) {
  const { sql } = app
  const organization = await requireOrganization(app, encodeId('org', actor.orgId))
  if (!isVerified(organization)) throw unproven()
  await refuseKnown(app, row)
  const token = randomToken()
  const answer = presentInvitation(row, row.sentAt)
  const { email: to, role, invitedByEmail: invitedBy } = row
  const mail = invitationMail(app, { to, organization: organization.name, role, invitedBy, token })
  let isCounted = false
  await withinCap(app, actor, 'members', seatsTaken(sql, row, row.sentAt), async (guard) => {
    await recheck?.()
    await refuseKnown(app, row)
    if (!isCounted) await countMail(app, actor, row, recheck === undefined)
    isCounted = true
    const expired = expireInvitation(sql, row, row.sentAt)
    const write = recheck ? renewInvitation : insertInvitation
    const { matched } = await commit(app, {
      guard,
      effects: [
        expired,
        write(sql, row, sha256(token), expired),
        sendLater(app, mail, actor.orgId),
        ...recorded(app, actor, {
          action: recheck ? 'invitation.resend' : 'invitation.create',
          resource: answer.id,
          response: answer,
          created: recheck ? [] : [answer.id],
        }),
      ],
    })
    return matched || again
  })
  app.metrics.invitations.inc({ outcome: recheck ? 'resent' : 'created' })
  return answer
}

async function refuseKnown({ sql }: App, row: InvitationRow): Promise<void> {
  const [known] = await standingOf(sql, row, row.sentAt)
  if (known?.isMember) throw conflict('This person is a member already.', 'already_member', 'email')
  if (known?.isInvited) {
    throw conflict(
      'This address is invited already. Send that invitation again, or revoke it first.',
      'already_invited',
      'email',
    )
  }
}

async function countMail(app: App, { orgId, request }: Actor, { email }: InvitationRow, isNew: boolean) {
  const limit = request.dryRun ? refuseExcess : throttle
  if (isNew) await limit(app, invitationsPerDay, orgId)
  await limit(app, mailsPerAddress, `${orgId} ${email}`)
}

const unproven = () =>
  forbidden(
    'The address of the organization must be proven before people are invited. Open the link that was mailed to it; POST /v1/auth/email/link mails another one.',
    'address_unproven',
  )
