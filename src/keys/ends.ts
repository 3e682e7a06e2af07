// The ends of keys, as callers may set them.
import { conflict, invalid } from '../errors.ts'
import type { KeyRow } from './row.ts'
import { isProlonged } from './rules.ts'

type End = Date | null | undefined

export function requireEndAhead(end: End, now: Date): void {
  if (end && end <= now) throw invalid('expires_at: must be in the future', 'expires_at')
}

export const alreadyReplaced = () =>
  conflict('This key was replaced already. Rotate the key that has replaced it.', 'key_replaced')

export function refuseProlonging(key: KeyRow, end: End): void {
  if (!isProlonged(key, end)) return
  throw conflict('This key was replaced: it may end earlier, not later.', 'key_replaced', 'expires_at')
}
