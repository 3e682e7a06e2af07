// The signatures of a delivery, made afresh for each attempt.
import { createHmac, type KeyObject, randomBytes } from 'node:crypto'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** HMAC-SHA256 over `<timestamp>.<raw body>`; `timestamp` in epoch seconds. */
export const signature = (secret: string | KeyObject, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

/** The key of Standard Webhooks: the bytes that the secret spells in base64 after its prefix. */
export const standardKey = (secret: string): Buffer => Buffer.from(secret.replace('whsec_', ''), 'base64')

/** As Standard Webhooks signs: HMAC-SHA256 over `<id>.<timestamp>.<raw body>`. */
export const standardSignature = (key: Buffer | KeyObject, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
