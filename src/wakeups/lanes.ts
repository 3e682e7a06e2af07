// The wake-ups of deliveries. A burst takes only a few jobs, and the retries of a second share one.
import type { Uuid } from '../shapes/ids.ts'
import { type Payload, type Wakeup, wakeup } from './jobs.ts'

/** A subscription as the delivery engine sees it. */
export type LaneKey = { orgId: Uuid; subscriptionId: Uuid }

const maxTogether = 50

/** For subscriptions that have something due now. */
export function wakeLanes(lanes: readonly LaneKey[], now: Date): Wakeup[] {
  const each = [...new Map(lanes.map((lane) => [lane.subscriptionId, lane])).values()]
  return Array.from({ length: Math.ceil(each.length / maxTogether) }, (_, nth) =>
    wakeup('deliver', { lanes: each.slice(nth * maxTogether, (nth + 1) * maxTogether).map(asPair) }, now),
  )
}

/** For one subscription that has something due by `dueAt`, at the end of that second. */
export function wakeLane(lane: LaneKey, dueAt: Date, rescuedAt?: Date) {
  const second = Math.ceil(dueAt.getTime() / 1000)
  const id = `${lane.subscriptionId}_${second}`
  return wakeup('deliver', { lanes: [asPair(lane)] }, new Date(second * 1000), { rescuedAt, id })
}

const asPair = ({ orgId, subscriptionId }: LaneKey): [Uuid, Uuid] => [orgId, subscriptionId]

/** The lanes of a wake-up. */
export const lanesOf = ({ lanes }: Payload<'deliver'>): LaneKey[] =>
  lanes.map(([orgId, subscriptionId]) => ({ orgId, subscriptionId }))

/** The wake-ups of one turn of the event loop: those for lanes that are due at one time are joined. */
export function joinWakeups<W extends Wakeup>(wakeups: readonly W[], now: Date): Wakeup[] {
  const isBurst = (one: W) => one.name === 'deliver' && one.dueAt <= now
  const bursts = wakeups.filter(isBurst)
  if (bursts.length < 2) return [...wakeups]
  const lanes = bursts.flatMap(({ payload }) => lanesOf(payload as Payload<'deliver'>))
  return [...wakeups.filter((one) => !isBurst(one)), ...wakeLanes(lanes, now)]
}
