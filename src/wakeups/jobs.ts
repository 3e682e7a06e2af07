// The job map: every wake-up by name, with its queue, payload, id, limit and lease. Payloads are ids and outlive deploys: only add
// optional fields, never rename. A wake-up carries no truth: what it is about is a row in Postgres. Beside the payload it may
// carry a `traceparent`.
import { z } from 'zod'
import { minuteMs } from '../shapes/durations.ts'
import { newId, type Uuid, uuid } from '../shapes/ids.ts'

/** Each has a pool of workers. `atOnce`: how many of its jobs one process works on at once. */
export const queues = {
  timers: { atOnce: 8 },
  // A job of deliveries only wakes lanes, so it ends at once.
  deliveries: { atOnce: 20 },
  // They share one parser: the lease of `sync` covers the wait for it.
  ical: { atOnce: 24 },
  // A read that finds no place ends its job, so there may be more jobs than reads and watches.
  connections: { atOnce: 44 },
  // As with reads: a connection without a place ends its job.
  publishing: { atOnce: 40 },
  mail: { atOnce: 4 },
  // A large erasure takes minutes: the purge and the measurement run at the same time.
  upkeep: { atOnce: 3 },
} as const

export type PoolName = keyof typeof queues
export const poolNames = Object.keys(queues) as PoolName[]

/** Of the keys of a queue. Each has one hash slot, so that the queues spread over a cluster. */
export const queuePrefix = (redisPrefix: string, queue: PoolName) => `{${redisPrefix}:${queue}}`

const row = z.object({ orgId: uuid, id: uuid })

/** The wake-ups of a row for one moment are one. */
const perMoment = ({ id }: { id: Uuid }, dueAt: Date) => `${id}_${dueAt.getTime()}`

type Limits = {
  /** How many one process works on at once, where that is less than its queue takes. */
  atOnce?: number
  /** A row that was claimed is due again after this long: its worker was lost. */
  leaseMs?: number
}

/** `id`: behind the name of the job, without a colon. Adding a wake-up whose id is waiting already does nothing. */
const job = <Queue extends PoolName, Schema extends z.ZodType, L extends Limits = object>(
  queue: Queue,
  payload: Schema,
  id: (payload: z.infer<Schema>, dueAt: Date) => string,
  limits = {} as L,
) => ({ queue, payload, id, ...limits })

export const jobs = {
  /** Timers are due in this second (epoch seconds). With `slice`: help with this part of a backlog. */
  fire: job(
    'timers',
    z.object({ second: z.int(), slice: z.object({ nth: z.int(), of: z.int() }).optional() }),
    ({ second, slice }) => (slice ? `slice_${slice.nth}_${slice.of}` : `${second}`),
  ),
  /**
   * Deliveries of these subscriptions are due, as `[organization, subscription]`. An attempt waits 10 s for an answer; its lease is
   * shorter than `leaseOrRetryMs` of the quotas.
   */
  deliver: job('deliveries', z.object({ lanes: z.array(z.tuple([uuid, uuid])) }), newId, { leaseMs: 15_000 }),
  /**
   * A sync of an external feed is due. The fetch takes at most 20 s; then every other sync of the process may be before it at the
   * parser, 5 s each; the rest is for the write.
   */
  sync: job('ical', row, perMoment, { leaseMs: 5 * minuteMs }),
  /**
   * External calendars of a connection are due to be read: 60 s at the provider, and the list before it. `interest`: somebody has
   * asked about a copy that is not new; one wake-up a minute is enough.
   */
  read: job(
    'connections',
    row.extend({ interest: z.boolean().optional() }),
    ({ id, interest }, dueAt) =>
      interest ? `${id}_interest_${Math.floor(dueAt.getTime() / minuteMs)}` : perMoment({ id }, dueAt),
    { atOnce: 32, leaseMs: 2 * minuteMs },
  ),
  /** A broken connection's human is written to, or it is given up. */
  attend: job('connections', row, perMoment),
  /**
   * Copies of events in a calendar of a human are due to be written. One that is under way may have looked already, so each has an
   * id of its own. A write takes 20 s at the provider at most, and begins within 20 s or not at all.
   */
  publish: job('publishing', row, newId, { atOnce: 32, leaseMs: 45_000 }),
  /** Channels of a connection are due to be made, renewed or stopped. */
  watch: job('connections', row, perMoment, { atOnce: 8, leaseMs: 5 * minuteMs }),
  /** A connection that has ended leaves its provider: tokens are revoked, channels stopped. */
  revoke: job('upkeep', row, perMoment, { leaseMs: minuteMs }),
  /** A link to a human's calendar expires. */
  expire: job('upkeep', row, perMoment),
  /** Removes the rows of a deleted organization. */
  erase: job('upkeep', z.object({ orgId: uuid }), ({ orgId }, dueAt) => perMoment({ id: orgId }, dueAt), {
    leaseMs: minuteMs,
  }),
  /** Deliveries are sent again. */
  replay: job('upkeep', row, perMoment),
  /** A mail is due to be sent. */
  mail: job('mail', row, perMoment, { leaseMs: minuteMs }),
  /** Measures the use of quotas. */
  measure: job('upkeep', z.object({ nth: z.int() }), ({ nth }) => `${nth}`),
  /** Removes records past their retention. */
  purge: job('upkeep', z.object({ hour: z.int() }), ({ hour }) => `${hour}`),
} as const

export type JobName = keyof typeof jobs
export type Payload<N extends JobName> = z.infer<(typeof jobs)[N]['payload']>

/** The jobs that are about one row. */
export type RowJob = { [N in JobName]: { orgId: Uuid; id: Uuid } extends Payload<N> ? N : never }[JobName]

export type Wakeup = { [N in JobName]: { name: N; id: string; payload: Payload<N>; dueAt: Date } }[JobName]

/** A wake-up that rescues an overdue row has an id of its own: the first one may be stuck with a dead worker. */
const rescueMark = (rescuedAt?: Date) => (rescuedAt ? `_r${Math.floor(rescuedAt.getTime() / 10_000)}` : '')

type Marks = { rescuedAt?: Date | undefined; id?: string }

/** `id`: in place of that of the job map. */
export function wakeup<N extends JobName>(name: N, payload: Payload<N>, dueAt: Date, { rescuedAt, id }: Marks = {}) {
  const idOf = jobs[name].id as (payload: Payload<N>, dueAt: Date) => string
  const mark = rescueMark(rescuedAt)
  return { name, id: `${name}_${id ?? idOf(payload, dueAt)}${mark}`, payload, dueAt } as Extract<Wakeup, { name: N }>
}
