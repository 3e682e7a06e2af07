import { z } from 'zod'
import { newPassword, signedInRecord } from '../accounts/schema.ts'
import { roles } from '../actors/roles.ts'
import { invitationToken } from '../members/invitationSchema.ts'
import { email, organizationRecord } from '../organizations/schema.ts'
import { tosVersion } from '../organizations/termsSchema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id } from '../shapes/fields.ts'

export const signUpBody = z
  .strictObject({
    email,
    password: newPassword,
    name: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'The name of the organization. Default: the local part of the address.' }),
    tos_version: tosVersion,
  })
  .meta({
    example: { email: 'owner@example.com', password: 'correct horse battery staple', tos_version: '2026-11-01' },
  })
export type SignUpBody = z.infer<typeof signUpBody>

const invitedMember = z.object({ id: id('mem'), role: z.enum(roles).meta({ example: 'developer' }) })

export const acceptBody = z
  .strictObject({
    token: invitationToken,
    password: newPassword.optional().meta({ description: 'Makes an account, without a session.' }),
    tos_version: tosVersion.optional(),
  })
  .meta({
    example: {
      token: 'Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4X',
      password: 'correct horse battery staple',
      tos_version: '2026-11-01',
    },
  })

export const joinedRecord = z.object({ org: organizationRecord, member: invitedMember }).meta({ id: 'Joined' })
export const signedInThrough = signedInRecord
  .extend({ member: invitedMember.optional().meta({ description: 'If an invitation was accepted.' }) })
  .meta({ id: 'SignedInThrough' })
export const signedUpMember = signedInRecord.extend({ member: invitedMember }).meta({ id: 'SignedUpMember' })

export const agentSignUpBody = z
  .strictObject({
    email,
    agent_name: z.string().min(1).max(100),
    tos_version: tosVersion,
  })
  .meta({ example: { email: 'owner@example.com', agent_name: 'Planner', tos_version: '2026-11-01' } })
export type AgentSignUpBody = z.infer<typeof agentSignUpBody>

export const agentSignedUp = z
  .object({
    org_id: id('org').optional(),
    agent_id: id('agt').optional(),
    api_key: z
      .string()
      .optional()
      .meta({ description: 'The secret of the organization. Shown only here.', example: 'svc_sk_…' }),
    message: z.string(),
  })
  .meta({ id: 'AgentSignUp', description: 'For an address that is known already, only `message`.' })

export const verifyBody = z
  .strictObject({
    otp: z
      .string()
      .regex(/^[0-9]{6}$/, 'expected the 6 digits of the code')
      .meta({ example: '204863' }),
  })
  .meta({ example: { otp: '204863' } })
export type VerifyBody = z.infer<typeof verifyBody>

export const verified = z.object({ verified: z.literal(true), message: z.string() })

export const waitlistBody = z
  .strictObject({
    email,
    name: z.string().min(2).max(100).optional(),
    tos_version: tosVersion.optional(),
  })
  .meta({ example: { email: 'owner@example.com', name: 'Example Robotics' } })
export type WaitlistBody = z.infer<typeof waitlistBody>

export const waitlisted = z
  .object({
    data: z.object({
      id: id('org'),
      name: z.string(),
      email: z.string().meta({ format: 'email' }),
      is_waitlisted: z.boolean(),
      waitlisted_at: timestamp.nullable(),
      signup_source: z.string(),
    }),
    message: z.string(),
  })
  .meta({ id: 'Waitlisted' })

/** The name of an organization if none was given. */
export const localPart = (address: string): string => address.slice(0, address.lastIndexOf('@'))

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()
