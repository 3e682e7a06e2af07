// The one-time code of a self-signed-up agent: six digits, ten minutes, ten attempts.
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { sendLater } from '../mails/mails.ts'
import { codeMail } from '../mails/texts.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { deleteCodes, setCode, takeAttempt } from './writes.ts'

const codeMs = 10 * 60_000
const maxAttempts = 10

export const codeContext = (orgId: Uuid) => `verification_codes.hash_sealed:${orgId}` as const

/** A new code for the organization whose `id` the guard returned, and the mail that brings it. */
export function mailCode(app: App, orgId: Uuid, email: string): Effect[] {
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  const now = app.clock.now()
  const hash = app.sealer.seal(codeContext(orgId), sha256(code).toString('base64'))
  return [setCode(app.sql, hash, now, new Date(now.getTime() + codeMs)), sendLater(app, codeMail(email, code, codeMs))]
}

/**
 * The sealed hash of the code if the guess is right. Each guess takes an attempt before it is checked, so that concurrent
 * guesses get no more than ten.
 */
export async function checkCode(app: App, orgId: Uuid, guess: string): Promise<Buffer | undefined> {
  const [row] = await takeAttempt(app.sql, orgId, maxAttempts)
  if (!row) return undefined
  const hash = Buffer.from(app.sealer.unseal(codeContext(orgId), row.hashSealed), 'base64')
  return timingSafeEqual(hash, sha256(guess)) ? row.hashSealed : undefined
}

export async function purgeOldCodes({ sql, clock }: App): Promise<void> {
  await deleteCodes(sql, clock.now())
}
