import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'

/** Any text: one that cannot be a code is a wrong code. */
const code = z.string().min(1).max(100).meta({
  description: 'Six digits of the authenticator app, or a recovery code. Blanks and case do not matter.',
  example: '492039',
})

export const factors = z
  .object({
    totp: z.object({ enabled: z.boolean(), enabled_at: timestamp.nullable() }),
    recovery_codes_left: z.int().meta({ example: 10 }),
  })
  .meta({ id: 'Factors' })

export const begunTotp = z.object({
  secret: z.string().meta({ description: '160 bits in base32.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  otpauth_url: z.string().meta({
    description: 'The same for an authenticator app, as a link or a QR code.',
    example:
      'otpauth://totp/agent-calendar:owner%40example.com?issuer=agent-calendar&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  }),
})

export const confirmBody = z.strictObject({ code }).meta({ example: { code: '492039' } })

export const recoveryCodes = z.object({
  recovery_codes: z.array(z.string()).meta({
    description: 'Each replaces a code of the app once. They are shown only in this answer.',
    example: ['x7k2m-9pqrt'],
  }),
})

export const factorBody = z
  .strictObject({
    code,
    challenge: z.string().min(1).max(200).optional().meta({
      description: 'Of the answer to the sign-in. Default: the cookie `svc_factor`.',
    }),
    return_to: z.string().max(200).optional().meta({ description: 'Of the form on our page.' }),
  })
  .meta({ example: { code: '492039', challenge: 'the-challenge-of-the-sign-in' } })

const passwordSent = z.strictObject({ password: z.string().min(1).max(1_000) })
export const reauthenticateBody = z
  .union([passwordSent, z.strictObject({ code })], { error: 'give either a password or a code' })
  .meta({ example: { password: 'correct horse battery staple' } })
export type ReauthenticateBody = z.infer<typeof reauthenticateBody>

export const reauthenticated = z.object({ reauthenticated_until: timestamp }).meta({ id: 'Reauthenticated' })

export const resetFactorBody = z
  .strictObject({ email: z.string().max(320) })
  .meta({ example: { email: 'owner@example.com' } })
