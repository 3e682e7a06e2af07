// When keys were last used.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isWorthNoting, openUses } from '../stores/uses.ts'
import { type KeyUse, setUses } from './writes.ts'

const openKeyUses = ({ sql, log }: App) =>
  openUses<KeyUse>(
    (uses) => setUses(sql, uses),
    ({ message }, keys) => log.warn({ error: message, keys }, 'uses of keys could not be written'),
  )

/** `lastUsedMs`: as it was read, or as this process noted it since. */
type Used = { keyId: Uuid; orgId: Uuid; lastUsedMs: number }

/** Of every request, refused ones too. */
export function noteUse(app: App, key: Used, now: Date): void {
  if (!isWorthNoting(key.lastUsedMs, now)) return
  key.lastUsedMs = now.getTime()
  app.memory(openKeyUses).note({ orgId: key.orgId, id: key.keyId, at: now })
}

/** Writes what waits, at once: when a process ends. */
export const writeUses = (app: App): Promise<void> => app.memory(openKeyUses).flush()
