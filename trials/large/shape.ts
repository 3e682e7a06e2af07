// The shape of a large installation: how many rows, and how unevenly they are spread over organizations.
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'

const calendarsPerAgent = 2
/** The events of an agent's two calendars. */
export const eventsOfCalendars = [15, 5] as const
const deliveriesPerAgent = 10
/** Entries of the change feed. */
export const entriesPerAgent = 2

/** One organization has a tenth of the agents, ten have a hundredth each, a hundred a thousandth each. */
const uneven = [
  { count: 1, share: 0.1 },
  { count: 10, share: 0.01 },
  { count: 100, share: 0.001 },
]
export const agentsOfSmall = 10

/** Organizations of one size. */
export type Kind = { count: number; agents: number }

/** The largest first; together they have exactly this many agents. All others have ten, the last one perhaps fewer. */
export function kindsOf(agents: number): Kind[] {
  const kinds: Kind[] = uneven
    .map(({ count, share }) => ({ count, agents: Math.floor(agents * share) }))
    .filter((kind) => kind.agents >= agentsOfSmall)
  const left = agents - kinds.reduce((sum, { count, agents: each }) => sum + count * each, 0)
  const small = { count: Math.floor(left / agentsOfSmall), agents: agentsOfSmall }
  const last = { count: 1, agents: left % agentsOfSmall }
  return [...kinds, small, last].filter((kind) => kind.count > 0 && kind.agents > 0)
}

export type Sizes = Record<
  'organizations' | 'agents' | 'calendars' | 'events' | 'timers' | 'deliveries' | 'entries',
  number
>

export function sizesOf(agents: number): Sizes {
  const events = agents * (eventsOfCalendars[0] + eventsOfCalendars[1])
  return {
    organizations: kindsOf(agents).reduce((sum, { count }) => sum + count, 0),
    agents,
    calendars: agents * calendarsPerAgent,
    events,
    timers: agents * timersPerAgent,
    deliveries: agents * deliveriesPerAgent,
    entries: agents * entriesPerAgent,
  }
}

/** Events lie evenly over this time. */
const reach = { backDays: 200, aheadDays: 100 }
/** Nothing begins within a day of now: no timer comes due during the trial but those that it sets. */
const quietMs = dayMs
export const lengthMs = 30 * minuteMs
const statuses = [...Array(18).fill('confirmed'), 'tentative', 'cancelled'] as const

export type Placed = { startMs: number; endMs: number; status: string; hasTimers: boolean }

/** The event of a calendar with `count` of them, on the quarter of an hour. `seed` moves calendars against each other. */
export function placeEvent(nth: number, count: number, seed: number, nowMs: number): Placed {
  const part = (nth + (seed % 97) / 97) / count
  const spanMs = (reach.backDays + reach.aheadDays) * dayMs
  const quarterMs = 15 * minuteMs
  const rawMs = nowMs - reach.backDays * dayMs + part * spanMs
  const isAhead = isAheadOf(nth, count)
  const clearMs = isAhead ? Math.max(rawMs, nowMs + quietMs) : Math.min(rawMs, nowMs - quietMs)
  const startMs = Math.ceil(clearMs / quarterMs) * quarterMs
  const status = statuses[(nth * 7 + 4) % statuses.length]!
  return { startMs, endMs: startMs + lengthMs, status, hasTimers: isAhead && status === 'confirmed' }
}

/** By its number alone, so that every calendar of a size has as many timers. */
const isAheadOf = (nth: number, count: number) =>
  nth >= Math.round((count * reach.backDays) / (reach.backDays + reach.aheadDays))

/** A confirmed event ahead has its start, its end and the one reminder of the service. */
export const timersOfEvent = [
  { kind: 'event_start', offsetMinutes: 0 },
  { kind: 'event_end', offsetMinutes: 0 },
  { kind: 'event_reminder', offsetMinutes: 10 },
] as const

export const statusesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => placeEvent(nth, count, 0, 0).status)

const timersPerAgent = eventsOfCalendars.reduce(
  (sum, count) =>
    sum +
    Array.from({ length: count }, (_, nth) => placeEvent(nth, count, 0, 0)).filter(({ hasTimers }) => hasTimers)
      .length *
      timersOfEvent.length,
  0,
)

/** How many of an organization's deliveries belong to this one of `days` days: together exactly all of them. */
export const shareOfDay = (deliveries: number, day: number, days: number): number =>
  Math.floor(((day + 1) * deliveries) / days) - Math.floor((day * deliveries) / days)

export const deliveriesOf = (agents: number): number => agents * deliveriesPerAgent
