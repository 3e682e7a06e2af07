import { z } from 'zod'
import { roles } from '../actors/roles.ts'
import { email, organizationRecord } from '../organizations/schema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'

export const newPassword = z.string().min(12).max(128).meta({ example: 'correct horse battery staple' })

/** A text that cannot be a password is a wrong password. */
export const signInBody = z
  .strictObject({ email, password: z.string().min(1).max(1_000) })
  .meta({ example: { email: 'owner@example.com', password: 'correct horse battery staple' } })
export type SignInBody = z.infer<typeof signInBody>

export const adminSessionBody = z
  .strictObject({ token: z.string().min(1).max(1_000) })
  .meta({ example: { token: 'the-ADMIN_TOKEN-of-the-installation' } })

export const forgotBody = z.strictObject({ email }).meta({ example: { email: 'owner@example.com' } })
export const resetBody = z
  .strictObject({ token: z.string().min(1).max(200), password: newPassword })
  .meta({ example: { token: 'the-token-of-the-mailed-link', password: 'correct horse battery staple' } })
export type ResetBody = z.infer<typeof resetBody>

export const verifyEmailBody = z
  .strictObject({
    token: z.string().min(1).max(200),
    password: z.string().min(1).max(1_000).optional().meta({
      description: 'The password of the sign-up. Required unless the request has the session of the sign-up.',
    }),
  })
  .meta({ example: { token: 'the-token-of-the-mailed-link', password: 'correct horse battery staple' } })
export type VerifyEmailBody = z.infer<typeof verifyEmailBody>

export const signedInRecord = z
  .object({
    org: organizationRecord,
    token: z
      .string()
      .meta({ description: 'A JWT, valid as bearer token for 12 hours or until sign-out.', example: 'eyJ…' }),
    expires_at: timestamp,
  })
  .meta({ id: 'SignedIn' })

export const chooseOrganizationBody = z
  .strictObject({ organization_id: idInput('org') })
  .meta({ example: { organization_id: exampleId('org') } })
export type ChooseOrganizationBody = z.infer<typeof chooseOrganizationBody>

export const sessionRecord = z
  .object({
    id: id('ses'),
    account: z.object({
      email: z.string().meta({ format: 'email', example: 'ada@example.com' }),
      has_password: z.boolean().meta({ example: true }),
    }),
    org: organizationRecord,
    member: z.object({ id: id('mem'), role: z.enum(roles).meta({ example: 'owner' }) }),
    second_factor: z.boolean().meta({ description: 'It was opened with a second factor.', example: false }),
    reauthenticated_until: timestamp
      .nullable()
      .meta({ description: 'Until then acts that ask for re-authentication do not ask; null: they ask.' }),
    reauthentication: z
      .array(z.enum(['password', 'code', 'provider']))
      .meta({ description: 'The ways in which this account shows who it is.', example: ['password'] }),
    expires_at: timestamp,
  })
  .meta({ id: 'CurrentSession' })

export const account = z.object({ org: organizationRecord })
export const said = z.object({ message: z.string() })

export const changePasswordBody = z
  .strictObject({ current_password: z.string().min(1).max(1_000), password: newPassword })
  .meta({ example: { current_password: 'correct horse battery staple', password: 'another horse battery staple' } })
export type ChangePasswordBody = z.infer<typeof changePasswordBody>

export const sessionList = z.object({
  sessions: z.array(
    z
      .object({
        id: id('ses'),
        created_at: timestamp,
        last_seen_at: timestamp,
        ip: z.string().nullable().meta({ description: 'Where it was opened.', example: '203.0.113.7' }),
        user_agent: z.string().nullable().meta({
          description: 'The program that opened it, in its own words; at most 200 characters.',
          example: 'Mozilla/5.0',
        }),
        current: z.boolean().meta({ description: 'The session of this request.' }),
      })
      .meta({ id: 'Session' }),
  ),
})
