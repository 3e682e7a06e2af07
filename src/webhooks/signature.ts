// The signature of a delivery, made afresh for each attempt.
import { createHmac, type KeyObject } from 'node:crypto'

/** HMAC-SHA256 over `<timestamp>.<raw body>`; `timestamp` in epoch seconds. */
export const signature = (secret: string | KeyObject, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
