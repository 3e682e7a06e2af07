// When each session was last seen: coarse, so that a session costs one small write in ten minutes. A process notes the uses, and
// writes them together.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { writeUses } from './sessionWrites.ts'

/** A use is written if the last one that is known is older than this. */
const coarseMs = 10 * minuteMs
const delayMs = 5_000
const maxNoted = 10_000

type Noted = { uses: Map<Uuid, Date>; timer: NodeJS.Timeout | undefined }
const openNoted = (): Noted => ({ uses: new Map(), timer: undefined })

/** Never throws and never waits. */
export function noteUse(app: App, { id, lastSeenAt }: { id: Uuid; lastSeenAt: Date | null }): void {
  const now = app.clock.now()
  if (lastSeenAt && now.getTime() - lastSeenAt.getTime() < coarseMs) return
  const noted = app.memory(openNoted)
  if (noted.uses.size >= maxNoted) return
  noted.uses.set(id, now)
  noted.timer ??= setTimeout(() => void flushUses(app), delayMs).unref()
}

/** Writes the uses that were noted. If Postgres fails, they are dropped: the next use is noted again. */
export async function flushUses(app: App): Promise<void> {
  const noted = app.memory(openNoted)
  clearTimeout(noted.timer)
  noted.timer = undefined
  const uses = [...noted.uses].map(([id, at]) => ({ id, at }))
  noted.uses.clear()
  if (uses.length === 0) return
  try {
    await writeUses(app.sql, uses)
  } catch (error) {
    app.log.warn({ error: (error as Error).message, sessions: uses.length }, 'uses of sessions could not be recorded')
  }
}
