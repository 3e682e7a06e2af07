// Time-based one-time passwords (RFC 6238) in the form that every authenticator app knows: SHA-1, 6 digits, steps of 30 seconds.
import { Secret, TOTP } from 'otpauth'

const issuer = 'agent-calendar'
const periodSeconds = 30
const secretBytes = 20

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  })

/** 160 bits, in base32. */
export const newSecret = (): string => new Secret({ size: secretBytes }).base32

/** The address from which an authenticator app takes the secret, as a QR code or a link. */
export const otpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * The step whose code this is, counted since 1970; undefined if it is not the code of the current step, the one before or the
 * one after.
 */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta
}
