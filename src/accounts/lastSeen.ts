// When each session was last seen.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isWorthNoting, openUses } from '../stores/uses.ts'
import { writeUses } from './sessionWrites.ts'

type SessionUse = { id: Uuid; at: Date }

const openSessionUses = ({ sql, log }: App) =>
  openUses<SessionUse>(
    (uses) => writeUses(sql, uses),
    ({ message }, sessions) => log.warn({ error: message, sessions }, 'uses of sessions could not be recorded'),
  )

/** Never throws and never waits. */
export function noteUse(app: App, { id, lastSeenAt }: { id: Uuid; lastSeenAt: Date | null }): void {
  const now = app.clock.now()
  if (isWorthNoting(lastSeenAt?.getTime() ?? 0, now)) app.memory(openSessionUses).note({ id, at: now })
}

/** Writes what waits, at once. */
export const flushUses = (app: App): Promise<void> => app.memory(openSessionUses).flush()
