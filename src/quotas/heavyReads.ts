// Reads whose cost grows with what an organization has rather than with what it is shown: it has a few places for them in
// each process, a short line, and then 429. So they leave connections and processor time to everybody else.
import type { App } from '../app.ts'
import { openPlaces } from '../changes/places.ts'
import { tooManyHeavyReads } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'

export const heavyReadKinds = ['list', 'context', 'availability', 'booking_slots', 'feed'] as const
export type HeavyReadKind = (typeof heavyReadKinds)[number]

const limits = {
  /** Each has at most two statements under way: of all organizations less than half of a process's connections. */
  maxWorking: 4,
  maxWorkingEach: 2,
  maxWaiting: 60,
  /** As long as a statement may take. */
  patienceMs: 5_000,
}

const retryAfterSeconds = 2

const openPlacesOfApp = () => openPlaces(limits)
const placesOf = (app: App) => app.memory(openPlacesOfApp)

/** Throws `rate_limit_error` when the organization has too many of them under way: nothing was read then. */
export const heavyRead = <T>(app: App, orgId: Uuid, kind: HeavyReadKind, work: () => Promise<T>): Promise<T> =>
  placesOf(app).enter(orgId, work, () => {
    app.metrics.heavyReadRefusals.inc({ kind })
    return tooManyHeavyReads(retryAfterSeconds)
  })

/** A further piece of a read whose answer has begun: it waits for its place and is not refused. */
export const nextPiece = <T>(app: App, orgId: Uuid, work: () => Promise<T>): Promise<T> =>
  placesOf(app).goOn(orgId, work)
