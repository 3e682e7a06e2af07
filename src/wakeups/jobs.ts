// The job map: every wake-up by name, its queue and its payload. Payloads are ids and outlive deploys: only add
// optional fields, never rename. A wake-up carries no truth: what it is about is a row in Postgres. Beside the payload it
// may carry a `traceparent`.
import { z } from 'zod'
import { newId, type Uuid, uuid } from '../shapes/ids.ts'

/** Every pool of workers; each has a queue of its own. */
export const poolNames = ['timers', 'deliveries', 'ical', 'connections', 'publishing', 'mail', 'upkeep'] as const
export type PoolName = (typeof poolNames)[number]

/** Of the keys of a queue. Each has one hash slot, so that the queues spread over a cluster. */
export const queuePrefix = (redisPrefix: string, queue: PoolName) => `{${redisPrefix}:${queue}}`

export const jobs = {
  /** Timers are due in this second (epoch seconds). With `slice`: help with this part of a backlog. */
  fire: {
    queue: 'timers',
    payload: z.object({
      second: z.int(),
      slice: z.object({ nth: z.int(), of: z.int() }).optional(),
    }),
  },
  /** Deliveries of these subscriptions are due, as `[organization, subscription]`. */
  deliver: { queue: 'deliveries', payload: z.object({ lanes: z.array(z.tuple([uuid, uuid])) }) },
  /** A sync of an external feed is due. */
  sync: { queue: 'ical', payload: z.object({ orgId: uuid, subscriptionId: uuid }) },
  /** External calendars of a connection are due to be read; or somebody has asked about them (`interest`). */
  read: {
    queue: 'connections',
    payload: z.object({ orgId: uuid, connectionId: uuid, interest: z.boolean().optional() }),
  },
  /** A broken connection's human is written to, or it is given up. */
  attend: { queue: 'connections', payload: z.object({ orgId: uuid, connectionId: uuid }) },
  /** Copies of events in a calendar of a human are due to be written. */
  publish: { queue: 'publishing', payload: z.object({ orgId: uuid, destinationId: uuid }) },
  /** Channels of a connection are due to be made, renewed or stopped. */
  watch: { queue: 'connections', payload: z.object({ orgId: uuid, connectionId: uuid }) },
  /** A connection that has ended leaves its provider: tokens are revoked, channels stopped. */
  revoke: { queue: 'upkeep', payload: z.object({ orgId: uuid, connectionId: uuid }) },
  /** Removes the rows of a deleted organization. */
  erase: { queue: 'upkeep', payload: z.object({ orgId: uuid }) },
  /** Deliveries are sent again. */
  replay: { queue: 'upkeep', payload: z.object({ orgId: uuid, replayId: uuid }) },
  /** A mail is due to be sent. */
  mail: { queue: 'mail', payload: z.object({ orgId: uuid, mailId: uuid }) },
  /** Measures the use of quotas. */
  measure: { queue: 'upkeep', payload: z.object({ nth: z.int() }) },
  /** Removes records past their retention. */
  purge: { queue: 'upkeep', payload: z.object({ hour: z.int() }) },
} as const satisfies Record<string, { queue: PoolName; payload: z.ZodType }>

export type JobName = keyof typeof jobs
export type Payload<N extends JobName> = z.infer<(typeof jobs)[N]['payload']>

/** Adding a wake-up whose `id` is waiting already does nothing. */
export type Wakeup = { [N in JobName]: { name: N; id: string; payload: Payload<N>; dueAt: Date } }[JobName]

/** A wake-up that rescues an overdue row has an id of its own: the first one may be stuck with a dead worker. */
const rescueMark = (rescuedAt?: Date) => (rescuedAt ? `_r${Math.floor(rescuedAt.getTime() / 10_000)}` : '')

export const wakeTimers = (second: number, rescuedAt?: Date): Wakeup => ({
  name: 'fire',
  id: `fire_${second}${rescueMark(rescuedAt)}`,
  payload: { second },
  dueAt: new Date(second * 1000),
})

/** Help with a slice of what is due. One wake-up for each slice is enough, unless its worker has died in the meantime. */
export const wakeSlice = ({ nth, of }: { nth: number; of: number }, now: Date): Wakeup => ({
  name: 'fire',
  id: `fire_slice_${nth}_${of}${rescueMark(now)}`,
  payload: { second: Math.floor(now.getTime() / 1000), slice: { nth, of } },
  dueAt: now,
})

/** A subscription as the delivery engine sees it. */
export type LaneKey = { orgId: Uuid; subscriptionId: Uuid }

const maxTogether = 50

/** For subscriptions that have something due now: a burst takes only a few jobs. */
export function wakeLanes(lanes: readonly LaneKey[], now: Date): Wakeup[] {
  const each = [...new Map(lanes.map((lane) => [lane.subscriptionId, lane])).values()]
  return Array.from({ length: Math.ceil(each.length / maxTogether) }, (_, nth) => ({
    name: 'deliver',
    id: `deliver_${newId()}`,
    payload: { lanes: each.slice(nth * maxTogether, (nth + 1) * maxTogether).map(asPair) },
    dueAt: now,
  }))
}

/** For one subscription that has something due by `dueAt`, at the end of that second: retries of a second share a wake-up. */
export function wakeLane(lane: LaneKey, dueAt: Date, rescuedAt?: Date): Wakeup & { name: 'deliver' } {
  const second = Math.ceil(dueAt.getTime() / 1000)
  return {
    name: 'deliver',
    id: `deliver_${lane.subscriptionId}_${second}${rescueMark(rescuedAt)}`,
    payload: { lanes: [asPair(lane)] },
    dueAt: new Date(second * 1000),
  }
}

const asPair = ({ orgId, subscriptionId }: LaneKey): [Uuid, Uuid] => [orgId, subscriptionId]

/** The lanes of a wake-up. */
export const lanesOf = ({ lanes }: Payload<'deliver'>): LaneKey[] =>
  lanes.map(([orgId, subscriptionId]) => ({ orgId, subscriptionId }))

/** The wake-ups of one turn of the event loop: those for lanes that are due at one time are joined. */
export function joinWakeups<W extends Wakeup>(wakeups: readonly W[], now: Date): Wakeup[] {
  const isBurst = (wakeup: W) => wakeup.name === 'deliver' && wakeup.dueAt <= now
  const bursts = wakeups.filter(isBurst)
  if (bursts.length < 2) return [...wakeups]
  const lanes = bursts.flatMap(({ payload }) => lanesOf(payload as Payload<'deliver'>))
  return [...wakeups.filter((wakeup) => !isBurst(wakeup)), ...wakeLanes(lanes, now)]
}

export const wakeSync = (row: { orgId: Uuid; id: Uuid; dueAt: Date }, rescuedAt?: Date): Wakeup => ({
  name: 'sync',
  id: `sync_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, subscriptionId: row.id },
  dueAt: row.dueAt,
})

/** Each has an id of its own: one that is under way may have looked already. */
export const wakePublish = (key: { orgId: Uuid; destinationId: Uuid }, dueAt: Date): Wakeup => ({
  name: 'publish',
  id: `publish_${newId()}`,
  payload: { orgId: key.orgId, destinationId: key.destinationId },
  dueAt,
})

type ConnectionDue = { orgId: Uuid; id: Uuid; dueAt: Date }

export const wakeRead = (row: ConnectionDue, rescuedAt?: Date): Wakeup => ({
  name: 'read',
  id: `read_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, connectionId: row.id },
  dueAt: row.dueAt,
})

/** Somebody asked about a copy that is not new. One wake-up a minute is enough. */
export const wakeInterest = (row: { orgId: Uuid; id: Uuid }, now: Date): Wakeup => ({
  name: 'read',
  id: `read_${row.id}_interest_${Math.floor(now.getTime() / 60_000)}`,
  payload: { orgId: row.orgId, connectionId: row.id, interest: true },
  dueAt: now,
})

export const wakeAttention = (row: ConnectionDue, rescuedAt?: Date): Wakeup => ({
  name: 'attend',
  id: `attend_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, connectionId: row.id },
  dueAt: row.dueAt,
})

export const wakeWatch = (row: ConnectionDue, rescuedAt?: Date): Wakeup => ({
  name: 'watch',
  id: `watch_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, connectionId: row.id },
  dueAt: row.dueAt,
})

export const wakeRevoke = (row: ConnectionDue, rescuedAt?: Date): Wakeup => ({
  name: 'revoke',
  id: `revoke_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, connectionId: row.id },
  dueAt: row.dueAt,
})

export const wakeErasure = (orgId: Uuid, dueAt: Date, rescuedAt?: Date): Wakeup => ({
  name: 'erase',
  id: `erase_${orgId}_${Math.floor(dueAt.getTime() / 1000)}${rescueMark(rescuedAt)}`,
  payload: { orgId },
  dueAt,
})

export const wakeReplay = (row: { orgId: Uuid; id: Uuid; dueAt: Date }, rescuedAt?: Date): Wakeup => ({
  name: 'replay',
  id: `replay_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, replayId: row.id },
  dueAt: row.dueAt,
})

export const wakeMail = (row: { orgId: Uuid; id: Uuid; attempts: number; dueAt: Date }, rescuedAt?: Date): Wakeup => ({
  name: 'mail',
  id: `mail_${row.id}_${row.attempts}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, mailId: row.id },
  dueAt: row.dueAt,
})

/** How often the use of quotas is measured. */
export const measureEveryMs = 5 * 60_000

export const wakeMeasure = (nth: number): Wakeup => ({
  name: 'measure',
  id: `measure_${nth}`,
  payload: { nth },
  dueAt: new Date(nth * measureEveryMs),
})

export const wakeUpkeep = (hour: number): Wakeup => ({
  name: 'purge',
  id: `purge_${hour}`,
  payload: { hour },
  dueAt: new Date(hour * 3_600_000),
})
