import type { z } from 'zod'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { InvitationRow, OpenInvitation } from './invitationQueries.ts'
import { invitationStatusAt } from './invitationRules.ts'
import type { invitationRecord, lookedUpInvitation } from './invitationSchema.ts'

export const presentInvitation = (row: InvitationRow, now: Date): z.infer<typeof invitationRecord> => ({
  id: encodeId('inv', row.id),
  email: row.email,
  role: row.role,
  status: invitationStatusAt(row, now),
  invited_by: row.invitedByEmail,
  created_at: isoTime(row.createdAt),
  sent_at: isoTime(row.sentAt),
  expires_at: isoTime(row.expiresAt),
})

/** For anybody who has the link. */
export const presentOpenInvitation = (row: OpenInvitation): z.infer<typeof lookedUpInvitation> => ({
  organization: { name: row.orgName },
  email: row.email,
  role: row.role,
  invited_by: row.invitedByEmail,
  expires_at: isoTime(row.expiresAt),
})
