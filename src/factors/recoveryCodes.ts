// Recovery codes: ten texts, each of which replaces a code of the app once.
import { randomInt } from 'node:crypto'
import { hashSlowly } from '../accounts/passwords.ts'
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { recoveryLetters } from './rules.ts'

const count = 10
const half = 5

const newHalf = (): string =>
  Array.from({ length: half }, () => recoveryLetters[randomInt(recoveryLetters.length)]).join('')

/** As they are shown: `xxxxx-xxxxx`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(`${newHalf()}-${newHalf()}`)
  return [...codes]
}

/**
 * A code has 50 bits, so a fast hash of it could be searched. The account is the salt: one hash tells whether a code is among those
 * of the account. `letters`: without the hyphen.
 */
export const hashRecoveryCode = (app: App, accountId: Uuid, letters: string): Promise<Buffer> =>
  hashSlowly(app, letters, accountId)

export const hashRecoveryCodes = (app: App, accountId: Uuid, codes: readonly string[]): Promise<{ hash: Buffer }[]> =>
  Promise.all(codes.map(async (code) => ({ hash: await hashRecoveryCode(app, accountId, code.replace('-', '')) })))
