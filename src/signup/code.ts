// The one-time code of a self-signed-up agent: six digits, ten minutes, ten attempts.
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { Effects } from '../changes/commitParts.ts'
import { sendLater } from '../mails/mails.ts'
import { codeMail } from '../mails/texts.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { purgeCodes, setCode, takeAttempt } from './queries.ts'

const codeMs = 10 * 60_000
const maxAttempts = 10

export const codePlace = (orgId: Uuid) => `verification_codes.hash_sealed:${orgId}` as const

/** A fresh code for the organization that the guard returned as `id`, and the mail that brings it. */
export function freshCode(app: App, orgId: Uuid, email: string): Effects {
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  const now = app.clock.now()
  const hash = app.sealer.seal(codePlace(orgId), sha256(code).toString('base64'))
  return {
    code: setCode(app.sql, hash, now, new Date(now.getTime() + codeMs)),
    mails: sendLater(app, codeMail(email, code, codeMs)),
  }
}

/** Every guess takes an attempt before it is looked at, so that guesses made at once get no more than ten. */
export async function checkCode(app: App, orgId: Uuid, guess: string): Promise<Buffer | undefined> {
  const [row] = await takeAttempt(app.sql, orgId, maxAttempts)
  if (!row) return undefined
  const hash = Buffer.from(app.sealer.unseal(codePlace(orgId), row.hashSealed), 'base64')
  return timingSafeEqual(hash, sha256(guess)) ? row.hashSealed : undefined
}

/** Codes that nobody can use any more. */
export async function purgeOldCodes({ sql, clock }: App): Promise<void> {
  await purgeCodes(sql, clock.now())
}
