import { z } from 'zod'
import { roles } from '../actors/roles.ts'
import { email } from '../organizations/schema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'
import { invitationStatuses } from './invitationRules.ts'

const role = z.enum(roles).meta({ example: 'developer' })
const address = z.string().meta({ format: 'email', example: 'grace@example.com' })
const inviter = z.string().meta({ format: 'email', example: 'owner@example.com' })

export const inviteBody = z
  .strictObject({ email, role })
  .meta({ example: { email: 'grace@example.com', role: 'developer' } })
export type InviteBody = z.infer<typeof inviteBody>

export const invitationListQuery = pageQuery().extend({ status: z.enum(invitationStatuses).optional() })
export type InvitationListQuery = z.infer<typeof invitationListQuery>

export const invitationRecord = z
  .object({
    id: id('inv'),
    email: address,
    role,
    status: z.enum(invitationStatuses).meta({ example: 'pending' }),
    invited_by: inviter.meta({ description: 'The address of the member who sent the link.' }),
    created_at: timestamp,
    sent_at: timestamp.meta({ description: 'When the last link was sent.' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Invitation' })

/** Any text: a malformed token is answered like an unknown one. */
export const invitationToken = z.string().meta({
  description: 'The 43 characters of the mailed link.',
  example: 'Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4X',
})

export const lookUpBody = z
  .strictObject({ token: invitationToken })
  .meta({ example: { token: 'Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4X' } })

export const lookedUpInvitation = z
  .object({
    organization: z.object({ name: z.string().meta({ example: 'Example Robotics' }) }),
    email: address,
    role,
    invited_by: inviter,
    expires_at: timestamp,
  })
  .meta({ id: 'OpenInvitation' })
