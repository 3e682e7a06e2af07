import { z } from 'zod'
import { roles } from '../actors/roles.ts'
import { organizationRecord } from '../organizations/schema.ts'
import { tosVersion } from '../organizations/termsSchema.ts'
import { planIds } from '../plans/plans.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id, queryBoolean } from '../shapes/fields.ts'

const role = z.enum(roles).meta({ example: 'developer' })

export const memberRecord = z
  .object({
    id: id('mem'),
    email: z.string().meta({ format: 'email', example: 'ada@example.com' }),
    role,
    joined_at: timestamp,
    you: z.boolean().meta({ description: 'It is the member who asks.', example: false }),
    second_factor: z.boolean().optional().meta({
      description: 'Whether the account has a second factor. For owners and admins only.',
      example: true,
    }),
    last_seen_at: timestamp.nullable().optional().meta({
      description: 'When a session of the account was last used; null: it has none. For owners and admins only.',
    }),
  })
  .meta({ id: 'Member' })

export const updateMemberBody = z.strictObject({ role }).meta({ example: { role: 'developer' } })
export type UpdateMemberBody = z.infer<typeof updateMemberBody>

export const removeMemberQuery = z.strictObject({
  revoke_keys: queryBoolean.optional().meta({
    description: 'Also revokes the keys that this member made, those of agents too. Default: they stay.',
  }),
})

const ownMember = z.object({ id: id('mem'), role })

export const membershipList = z.object({
  data: z.array(
    z
      .object({
        org: z.object({
          id: id('org'),
          name: z.string().meta({ example: 'Example Robotics' }),
          plan: z.enum(planIds),
        }),
        role,
        member_id: id('mem'),
        require_second_factor: z.boolean().meta({ example: false }),
      })
      .meta({ id: 'Membership' }),
  ),
})

export const openOrganizationBody = z
  .strictObject({ name: z.string().min(1).max(255), tos_version: tosVersion })
  .meta({ example: { name: 'Example Robotics', tos_version: '2026-11-01' } })
export type OpenOrganizationBody = z.infer<typeof openOrganizationBody>

export const openedOrganization = z.object({ org: organizationRecord, member: ownMember })

export const organizationDetail = z.object({
  org: organizationRecord,
  policy: z.object({
    require_second_factor: z.boolean().meta({
      description: 'Members without a second factor reach only their own account until they turn it on.',
      example: false,
    }),
  }),
})

export const updateOwnOrganizationBody = z
  .strictObject({
    name: z.string().min(1).max(255).optional(),
    require_second_factor: z.boolean().optional().meta({
      description: 'For owners, with a second factor of their own and re-authentication.',
    }),
  })
  .refine((body) => Object.keys(body).length > 0, 'give at least one of name, require_second_factor')
  .meta({ minProperties: 1, example: { name: 'Example Robotics' } })
export type UpdateOwnOrganizationBody = z.infer<typeof updateOwnOrganizationBody>

export const deleteOrganizationQuery = z.strictObject({
  confirm: z.string().max(255).optional().meta({ description: 'The name of the organization, as it is.' }),
})
