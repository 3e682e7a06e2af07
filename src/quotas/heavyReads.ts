// Reads whose cost grows with the data of an organization rather than with the size of the answer. In each process an
// organization has a few places for them and a short queue; beyond that it gets 429. This keeps connections and processor
// time free for others.
import type { App } from '../app.ts'
import { openPlaces } from '../changes/places.ts'
import { tooManyHeavyReads } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'

export const heavyReadKinds = ['list', 'context', 'availability', 'booking_slots', 'feed'] as const
export type HeavyReadKind = (typeof heavyReadKinds)[number]

const limits = {
  /** Each has at most two statements in progress: together less than half of a process's connections. */
  maxWorking: 4,
  maxWorkingEach: 2,
  maxWaiting: 60,
  /** As long as a statement may take. */
  patienceMs: 5_000,
}

const retryAfterSeconds = 2

const openPlacesOfApp = () => openPlaces(limits)
const placesOf = (app: App) => app.memory(openPlacesOfApp)

/** Throws `rate_limit_error` before it reads anything if the organization has too many of them in progress. */
export const heavyRead = <T>(app: App, orgId: Uuid, kind: HeavyReadKind, work: () => Promise<T>): Promise<T> =>
  placesOf(app).enter(orgId, work, () => {
    app.metrics.heavyReadRefusals.inc({ kind })
    return tooManyHeavyReads(retryAfterSeconds)
  })

/** A further piece of a read whose answer has begun. It waits for its place and is never refused. */
export const nextPiece = <T>(app: App, orgId: Uuid, work: () => Promise<T>): Promise<T> =>
  placesOf(app).goOn(orgId, work)
