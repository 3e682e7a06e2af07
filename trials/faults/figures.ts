// The figures of one fault: how late moments were, how often deliveries were repeated, how the API answered in the
// meantime, and how long it took until everything was normal again.

import type { Arrival } from './arrivals.ts'
import { type CallRecord, isApiError } from './client.ts'
import { holdExpiry, momentTold } from './moments.ts'
import type { DeliveryFact, Snapshot } from './snapshot.ts'

/** Epoch milliseconds. */
export type Span = { from: number; faultFrom: number; faultTo: number; to: number }

export type Figures = {
  changes: number
  moments: number
  repeated: number
  lateMs: number[]
  /** The two parts of a delay: until the delivery was written, and from there to its arrival. */
  firingMs: number[]
  deliveringMs: number[]
  apiErrors: number
  /** How long the answers took while the fault lasted. */
  apiMs: number[]
  /** The longest wait for an answer. */
  slowestMs: number
  healMs: number
}

/** Its answers wait for a change. */
const waiting = 'GET /v1/changes'
/** A moment that is later than this is not normal. */
const wellMs = 1_000

type Told = { delivery: DeliveryFact; dueMs: number; isMoment: boolean; arrivals: readonly Arrival[] }

export function figuresOf(
  snapshot: Snapshot,
  { calls, arrivals, span }: { calls: readonly CallRecord[]; arrivals: ReadonlyMap<string, Arrival[]>; span: Span },
): Figures {
  const isWithin = (at: number) => at >= span.from && at < span.to
  const told = snapshot.deliveries.flatMap((delivery): Told[] => {
    const arrived = arrivals.get(delivery.id)
    return arrived ? [{ delivery, ...dueOf(snapshot, delivery), arrivals: arrived }] : []
  })
  const moments = told.filter(({ isMoment, dueMs }) => isMoment && isWithin(dueMs))
  const mine = calls.filter(({ at }) => isWithin(at))
  const answered = mine.filter(({ path }) => path !== waiting)
  const errors = mine.filter(isApiError)
  const healed = [
    ...errors.map(({ at, ms }) => at + ms),
    ...told
      .filter(({ dueMs, arrivals: [first] }) => first!.at - dueMs > wellMs)
      .map(({ arrivals: [first] }) => first!.at),
  ].filter((at) => at > span.faultTo && isWithin(at))
  return {
    changes: mine.filter(({ status, path }) => status >= 200 && status < 300 && !path.startsWith('GET')).length,
    moments: moments.length,
    repeated: told.reduce((sum, one) => sum + one.arrivals.slice(1).filter(({ at }) => isWithin(at)).length, 0),
    lateMs: lags(moments.map(({ dueMs, arrivals: [first] }) => first!.at - dueMs)),
    firingMs: lags(moments.map(({ dueMs, delivery }) => delivery.createdAt.getTime() - dueMs)),
    deliveringMs: lags(moments.map(({ delivery, arrivals: [first] }) => first!.at - delivery.createdAt.getTime())),
    apiErrors: errors.length,
    apiMs: answered
      .filter(({ at, status }) => status > 0 && at >= span.faultFrom && at < span.faultTo)
      .map(({ ms }) => ms),
    slowestMs: Math.max(0, ...answered.map(({ ms }) => ms)),
    healMs: Math.max(0, ...healed.map((at) => at - span.faultTo)),
  }
}

/** The clocks of two processes may differ by a little. */
const lags = (times: readonly number[]) => times.map((ms) => Math.max(0, ms))

/** A delivery about a change is due at once. */
function dueOf({ events }: Snapshot, delivery: DeliveryFact): { dueMs: number; isMoment: boolean } {
  const moment = momentTold(delivery)
  if (moment) return { dueMs: moment.dueMs, isMoment: true }
  const event = delivery.type === 'event.hold_expired' ? events.get(delivery.payload.event_id) : undefined
  if (event?.outcome === 'expired') return { dueMs: holdExpiry(event).dueMs, isMoment: true }
  return { dueMs: delivery.createdAt.getTime(), isMoment: false }
}
