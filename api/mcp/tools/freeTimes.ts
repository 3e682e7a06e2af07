// Questions about free time as tools ask them, and their answers.
import { requireAhead } from '../../../src/availability/availability.ts'
import type { FreeTimes } from '../../../src/availability/findFree.ts'
import { freeQuery } from '../../../src/availability/schema.ts'
import { isoTime } from '../../../src/shapes/datetimes.ts'
import { minuteMs } from '../../../src/shapes/durations.ts'
import { fitting } from '../language/answer.ts'
import { type Clock, clockOf, shownSpan, windowOf } from '../language/clock.ts'
import { readBounds, type Zones, zoneOfAnswer, zoneWarnings } from '../language/times.ts'

const { duration_minutes, day_start, day_end, limit, include_busy } = freeQuery.shape
export const slotArguments = { duration_minutes, day_start, day_end, limit, include_busy }

type Sent = { start?: string | undefined; end?: string | undefined; timezone?: string | undefined }

/** `window`: without the past. `zones`: of the calendars in question. */
type Question = { clock: Clock; window: { start: Date; end: Date }; zones: Zones }

/** The question, and the part of it that a query has. */
export function readQuestion<S extends Sent>(sent: S, zones: Zones, now: Date) {
  const { start: from, end: until, timezone: _, ...rest } = sent
  const { start, end } = readBounds({ start: from, end: until }, zones, now)
  requireAhead(end, now)
  const clock: Clock = { zone: zoneOfAnswer(zones), now }
  const question: Question = { clock, window: { start: start < now ? now : start, end }, zones }
  return { question, query: { ...rest, start: isoTime(start), end: isoTime(end), timezone: clock.zone } }
}

const maxFree = 30

/** The free times. The tools add `next_free`, only if no slot was found. */
export function shownTimes({ answer, free, slots, hasMoreSlots }: FreeTimes, { clock, window, zones }: Question) {
  const incomplete = answer.warnings.map((code) => ({
    code,
    message: 'The busy time of connected calendars may be incomplete. Do not book; ask again later.',
  }))
  return {
    ...clockOf(clock),
    window: windowOf(window, clock),
    availability_state: answer.availability_state,
    free: stretchesOf(free.slice(0, 2 * maxFree), clock),
    slots: slotsOf(slots, clock),
    more_slots: hasMoreSlots,
    warnings: [...incomplete, ...zoneWarnings(zones)],
  }
}

/** The first slot after the window, or null. */
export const shownNext = ({ next }: FreeTimes, { clock }: Question) => slotsOf(next, clock)[0] ?? null

/** As much of the busy time as fits next to the rest of the answer. */
export function shownBusy({ busy }: FreeTimes, { clock }: Question, rest: object) {
  if (!busy) return undefined
  const spans = slotsOf(busy, clock)
  const shown = fitting(spans, rest)
  return { busy: shown, ...(shown.length < spans.length && { more_busy: true }) }
}

export function shownBusyOfAgents({ busyOfAgents }: FreeTimes, { clock }: Question, rest: object) {
  if (!busyOfAgents) return undefined
  const all = [...busyOfAgents].flatMap(([agent, busy]) => slotsOf(busy, clock).map((span) => ({ agent, span })))
  const shown = fitting(all, rest)
  const ofAgents = [...busyOfAgents.keys()].map((id) => {
    const spans = shown.filter(({ agent }) => agent === id).map(({ span }) => span)
    return [id, spans]
  })
  return { per_agent_busy: Object.fromEntries(ofAgents), ...(shown.length < all.length && { more_busy: true }) }
}

type Span = ReturnType<typeof shownSpan>

const slotsOf = (flat: readonly number[], clock: Clock): Span[] =>
  pairsOf(flat).map(([startMs, endMs]) => shownSpan(startMs, endMs, clock))

const stretchesOf = (flat: readonly number[], clock: Clock) =>
  pairsOf(flat).map(([startMs, endMs]) => {
    const { start, end, when } = shownSpan(startMs, endMs, clock)
    return { start, end, minutes: Math.floor((endMs - startMs) / minuteMs), when }
  })

const pairsOf = (flat: readonly number[]): [startMs: number, endMs: number][] =>
  Array.from({ length: flat.length / 2 }, (_, nth) => [flat[2 * nth]!, flat[2 * nth + 1]!])
