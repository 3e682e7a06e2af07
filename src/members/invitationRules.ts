import { isAtLeast, type Role, roles } from '../actors/roles.ts'
import { dayMs } from '../shapes/durations.ts'
import { roleToTouch } from './rules.ts'

export const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

export const invitationMs = 7 * dayMs
/** Those that have ended are shown for so long. */
export const endedInvitationMs = 30 * dayMs

type Moments = { status: InvitationStatus; expiresAt: Date }

/** The clock of each read ends an invitation; no process needs to. */
export const invitationStatusAt = ({ status, expiresAt }: Moments, now: Date): InvitationStatus =>
  status === 'pending' && expiresAt <= now ? 'expired' : status

/** The roles that a member of this role may invite with. */
export const givenRoles = (role: Role): Role[] => roles.filter((given) => isAtLeast(role, roleToTouch(given)))
