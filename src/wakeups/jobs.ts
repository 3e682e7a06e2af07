// The job map: every wake-up by name, its queue and its payload. Payloads are ids and outlive deploys: only add
// optional fields, never rename. A wake-up carries no truth: what it is about is a row in Postgres. Beside the payload it
// may carry a `traceparent`.
import { z } from 'zod'
import { type Uuid, uuid } from '../shapes/ids.ts'

/** Every pool of workers; each has a queue of its own. */
export const poolNames = ['timers', 'deliveries', 'ical', 'mail', 'upkeep'] as const
export type PoolName = (typeof poolNames)[number]

export const jobs = {
  /** Timers of one shard are due in this second (epoch seconds). */
  fire: { queue: 'timers', payload: z.object({ shard: z.int(), second: z.int() }) },
  /**
   * An attempt of this delivery is due, and attempts of others of the same organization: `others` have the same
   * subscription; those in `beside` come with theirs, as `[subscription, delivery]`.
   */
  deliver: {
    queue: 'deliveries',
    payload: z.object({
      orgId: uuid,
      subscriptionId: uuid,
      deliveryId: uuid,
      others: z.array(uuid).optional(),
      beside: z.array(z.tuple([uuid, uuid])).optional(),
    }),
  },
  /** A sync of an external feed is due. */
  sync: { queue: 'ical', payload: z.object({ orgId: uuid, subscriptionId: uuid }) },
  /** Removes the rows of a deleted organization. */
  erase: { queue: 'upkeep', payload: z.object({ orgId: uuid }) },
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

export const wakeTimers = (shard: number, second: number, rescuedAt?: Date): Wakeup => ({
  name: 'fire',
  id: `fire_${second}_${shard}${rescueMark(rescuedAt)}`,
  payload: { shard, second },
  dueAt: new Date(second * 1000),
})

type DueDelivery = { orgId: Uuid; id: Uuid; subscriptionId: Uuid; attempts: number; dueAt: Date }

const maxTogether = 50

/**
 * For deliveries that one statement emitted or one sweep found: a burst of one organization takes only a few jobs, so it does
 * not hold up the others for long.
 */
export const wakeDeliveries = (rows: readonly DueDelivery[], rescuedAt?: Date): Wakeup[] =>
  [...Map.groupBy(rows, (row) => row.orgId).values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxTogether) }, (_, nth) =>
      wakeTogether(group.slice(nth * maxTogether, (nth + 1) * maxTogether), rescuedAt),
    ),
  )

function wakeTogether(rows: readonly DueDelivery[], rescuedAt?: Date): Wakeup {
  const [first, ...rest] = rows
  const wakeup = wakeDelivery(first!, rescuedAt)
  const others = rest.filter(({ subscriptionId }) => subscriptionId === first!.subscriptionId).map(({ id }) => id)
  const beside = rest
    .filter(({ subscriptionId }) => subscriptionId !== first!.subscriptionId)
    .map(({ subscriptionId, id }): [Uuid, Uuid] => [subscriptionId, id])
  const last = rest.at(-1)
  return {
    ...wakeup,
    id: last ? `${wakeup.id}_${last.id}` : wakeup.id,
    payload: { ...wakeup.payload, ...(others.length > 0 && { others }), ...(beside.length > 0 && { beside }) },
  }
}

export const wakeDelivery = (row: DueDelivery, rescuedAt?: Date): Wakeup & { name: 'deliver' } => ({
  name: 'deliver',
  id: `deliver_${row.id}_${row.attempts}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, subscriptionId: row.subscriptionId, deliveryId: row.id },
  dueAt: row.dueAt,
})

export const wakeSync = (row: { orgId: Uuid; id: Uuid; dueAt: Date }, rescuedAt?: Date): Wakeup => ({
  name: 'sync',
  id: `sync_${row.id}_${row.dueAt.getTime()}${rescueMark(rescuedAt)}`,
  payload: { orgId: row.orgId, subscriptionId: row.id },
  dueAt: row.dueAt,
})

export const wakeErasure = (orgId: Uuid, dueAt: Date, rescuedAt?: Date): Wakeup => ({
  name: 'erase',
  id: `erase_${orgId}_${Math.floor(dueAt.getTime() / 1000)}${rescueMark(rescuedAt)}`,
  payload: { orgId },
  dueAt,
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
