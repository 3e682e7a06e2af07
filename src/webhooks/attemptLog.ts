// How the attempts of a delivery went, one after another. Sealed, because a receiver's answer may repeat what it was sent. The
// worker that has the claim of an attempt reads the log with it and writes it with its result.
import type { App } from '../app.ts'
import { isoTimeOf } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Attempt } from './outcome.ts'
import type { AttemptRecord } from './schema.ts'

export const attemptLogContext = (id: Uuid) => `webhook_deliveries.attempt_log:${id}` as const

/** Of a delivery that is sent again and again the last ones are kept. */
const maxKept = 50

/** As stored, without names: every delivery has one. `http_status` 0: there was no answer. */
type Entry = [atMs: number, outcome: string, httpStatus: number, durationMs: number, bodyStart: string | null]

/** The log of the delivery `id` with one attempt more. */
export function addAttempt(
  { sealer }: App,
  { id, attemptLogSealed }: { id: Uuid; attemptLogSealed: Buffer | null },
  { at, outcome, httpStatus, durationMs, bodyStart }: Attempt,
): Buffer {
  const context = attemptLogContext(id)
  const before: Entry[] = attemptLogSealed ? JSON.parse(sealer.unseal(context, attemptLogSealed)) : []
  const entry: Entry = [at.getTime(), outcome, httpStatus ?? 0, durationMs, bodyStart]
  return sealer.seal(context, JSON.stringify([...before, entry].slice(-maxKept)))
}

/** The earliest first. */
export function openAttemptLog({ sealer }: App, id: Uuid, attemptLogSealed: Buffer | null): AttemptRecord[] {
  if (!attemptLogSealed) return []
  const entries: Entry[] = JSON.parse(sealer.unseal(attemptLogContext(id), attemptLogSealed))
  return entries.map(([atMs, outcome, httpStatus, durationMs, bodyStart]) => ({
    at: isoTimeOf(atMs),
    outcome,
    http_status: httpStatus || null,
    duration_ms: durationMs,
    body_start: bodyStart,
  }))
}
