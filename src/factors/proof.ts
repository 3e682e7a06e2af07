// Compares a sent code with the secrets of its account. Only the update that accepts it tells whether it is still unused.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { hashRecoveryCode } from './recoveryCodes.ts'
import { readCode } from './rules.ts'
import { totpContext } from './sealed.ts'
import { stepOf } from './totp.ts'
import type { Proof } from './writes.ts'

type Secrets = { accountId: Uuid; totpSealed: Buffer | null }

/** Undefined: it is wrong. A recovery code may be wrong nevertheless. */
export async function proofOf(app: App, { accountId, totpSealed }: Secrets, text: string): Promise<Proof | undefined> {
  const sent = readCode(text)
  if (!sent || !totpSealed) return undefined
  if (sent.kind === 'recovery') return { kind: 'recovery', hash: await hashRecoveryCode(app, accountId, sent.letters) }
  const secret = app.sealer.unseal(totpContext(accountId), totpSealed)
  const step = stepOf(secret, sent.digits, app.clock.now())
  return step === undefined ? undefined : { kind: 'totp', sealed: totpSealed, step }
}

/** A code that was right and is used up is no guess, so it does not count as one. */
export const isGuess = (proof: Proof | undefined): boolean => proof?.kind !== 'totp'
