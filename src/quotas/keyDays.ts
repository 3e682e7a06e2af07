// The daily counts of an agent key under its guardrails. A row per key and day counts; its constraints refuse a change beyond a
// limit, whatever else happens at the same moment.
import type { Actor } from '../actors/actor.ts'
import type { Guardrails } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { ServiceError } from '../errors.ts'
import { windowStart } from '../localtime/offsets.ts'
import { isoDate } from '../localtime/spelling.ts'
import { wallDay } from '../localtime/words.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { violatedIn } from '../stores/failures.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { holdsOfDay } from './queries.ts'
import { type DayCount, deleteDays, upsertDays } from './writes.ts'

type Made = { events?: number; holds?: number }

const limitsIn = ({ max_events_per_day, max_holds_per_day, max_live_holds }: Guardrails) => ({
  events: max_events_per_day,
  holds: max_holds_per_day,
  isLooked: max_live_holds !== undefined,
})

const dayIn = ({ timezone = 'UTC' }: Guardrails, now: Date): number => wallDay(now.getTime(), timezone)

/** `belongsTo`: the `id` of the guard's row that makes it. `seenHolds`: placed in the day before it. Undefined: nothing is counted. */
export function dayCountOf(
  { clock }: Pick<App, 'clock'>,
  { orgId, keyId, guardrails }: Pick<Actor, 'orgId' | 'keyId' | 'guardrails'>,
  belongsTo: Uuid | null,
  { events = 0, holds = 0 }: Made,
  seenHolds?: number,
): DayCount | undefined {
  if (!guardrails || !keyId) return undefined
  const limits = limitsIn(guardrails)
  const counts =
    (events > 0 && limits.events !== undefined) || (holds > 0 && (limits.holds !== undefined || limits.isLooked))
  if (!counts) return undefined
  return {
    ...{ orgId, keyId, day: isoDate(dayIn(guardrails, clock.now())), events, holds, belongsTo },
    maxEvents: events > 0 ? (limits.events ?? null) : null,
    maxHolds: holds > 0 ? (limits.holds ?? null) : null,
    seenHolds: seenHolds === undefined ? null : seenHolds + holds,
  }
}

/** Those whose row the guard returned; undefined if nothing is counted. */
export const countDays = ({ sql }: App, counts: readonly DayCount[]): Effect | undefined =>
  counts.length === 0
    ? undefined
    : effect('key_days', upsertDays(sql, counts, sql`d.belongs_to in (select id from ${guard})`))

/** As `countDays`, for one change whose guard has no `id`. */
export function countDay(app: App, actor: Actor, made: Made, seenHolds?: number): Effect | undefined {
  const counted = dayCountOf(app, actor, null, made, seenHolds)
  return counted && effect('key_days', upsertDays(app.sql, [counted], app.sql`exists (select from ${guard})`))
}

/** How many holds the key has placed today. */
export async function holdsToday(app: App, { orgId, keyId, guardrails }: Actor): Promise<number> {
  const [row] = await holdsOfDay(app.sql, orgId, keyId!, isoDate(dayIn(guardrails!, app.clock.now())))
  return Number(row?.holds ?? 0)
}

/** The change was decided by a number of holds that is another one by now. */
export const isOldCount = (error: unknown): boolean => violatedIn(error) === 'key_days_seen'

const kinds = {
  key_days_events: { guardrail: 'max_events_per_day', noun: 'events' },
  key_days_holds: { guardrail: 'max_holds_per_day', noun: 'holds' },
} as const

/**
 * Runs a change of a key that may be beyond a limit of its day. Throws `quota_exceeded` if it is. A limit that was reached stays so
 * until the day ends, so it is not tried again in vain.
 */
export async function withinDay<T>(
  app: App,
  actor: Actor,
  makes: 'events' | 'holds',
  work: () => Promise<T>,
): Promise<T> {
  const { guardrails, keyId } = actor
  if (!guardrails || limitsIn(guardrails)[makes] === undefined) return work()
  const day = dayIn(guardrails, app.clock.now())
  const full = app.memory(openFullDays)
  const key = `${keyId} ${day} ${makes}`
  const constraint = `key_days_${makes}` as const
  const max = limitsIn(guardrails)[makes]!
  if (max <= (full.get(key) ?? -1)) throw beyond(app, guardrails, constraint)
  try {
    return await work()
  } catch (error) {
    if (violatedIn(error) !== constraint) throw error
    if (full.size >= maxKnown) full.clear()
    full.set(key, max)
    throw beyond(app, guardrails, constraint)
  }
}

/** Of the day after: no zone is more than a day behind. */
const keptMs = 3 * dayMs

/** Removes what past days counted, in short statements. */
export async function purgeKeyDays({ sql, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  await inBlocks(5_000, (max) => deleteDays(sql, before, max))
}

const maxKnown = 10_000
const openFullDays = () => new Map<string, number>()

function beyond(app: App, guardrails: Guardrails, constraint: keyof typeof kinds): ServiceError {
  const { guardrail, noun } = kinds[constraint]
  const now = app.clock.now()
  const zone = guardrails.timezone ?? 'UTC'
  const endsAt = windowStart(zone, (dayIn(guardrails, now) + 1) * dayMs)
  const message = `The guardrails of this key allow ${guardrails[guardrail]} ${noun} a day. Wait for Retry-After seconds.`
  return new ServiceError('quota_exceeded', message, {
    ...{ code: 'guardrail', help: { guardrail } },
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
  })
}
