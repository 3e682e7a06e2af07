// When keys were last used. A process notes it in memory and writes it with one statement in ten seconds at most, for the keys
// whose last use is ten minutes old: a key in steady use costs six writes an hour.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type KeyUse, setUses } from './writes.ts'

const coarseMs = 10 * minuteMs
const everyMs = 10_000
/** How long the first use waits for others to share its statement. */
const delayMs = 100
const maxAtOnce = 5_000
/** Beyond it uses are forgotten: they are only a report. */
const maxWaiting = 50_000

type Uses = {
  waiting: Map<Uuid, KeyUse>
  timer: NodeJS.Timeout | undefined
  /** On the clock of the process. */
  writtenAt: number
  writing: Promise<void>
}

const openUses = (): Uses => ({
  waiting: new Map(),
  timer: undefined,
  writtenAt: Number.NEGATIVE_INFINITY,
  writing: Promise.resolve(),
})

/** `lastUsedMs`: as it was read, or as this process noted it since. */
type Used = { keyId: Uuid; orgId: Uuid; lastUsedMs: number }

/** Of every request, refused ones too. */
export function noteUse(app: App, key: Used, now: Date): void {
  if (now.getTime() - key.lastUsedMs < coarseMs) return
  key.lastUsedMs = now.getTime()
  const uses = app.memory(openUses)
  if (uses.waiting.size >= maxWaiting) return
  uses.waiting.set(key.keyId, { orgId: key.orgId, id: key.keyId, at: now })
  writeSoon(app, uses)
}

function writeSoon(app: App, uses: Uses): void {
  const wait = Math.max(delayMs, uses.writtenAt + everyMs - performance.now())
  uses.timer ??= setTimeout(() => void writeUses(app), wait).unref()
}

/** Writes what waits, at once: when a process ends. */
export function writeUses(app: App): Promise<void> {
  const uses = app.memory(openUses)
  clearTimeout(uses.timer)
  uses.timer = undefined
  uses.writing = uses.writing.then(() => write(app, uses))
  return uses.writing
}

async function write(app: App, uses: Uses): Promise<void> {
  const block = [...uses.waiting.values()].slice(0, maxAtOnce)
  if (block.length === 0) return
  for (const { id } of block) uses.waiting.delete(id)
  uses.writtenAt = performance.now()
  try {
    await setUses(app.sql, block)
  } catch (error) {
    app.log.warn({ error: (error as Error).message, keys: block.length }, 'uses of keys could not be written')
    for (const use of block) if (!uses.waiting.has(use.id)) uses.waiting.set(use.id, use)
  }
  if (uses.waiting.size > 0) writeSoon(app, uses)
}
