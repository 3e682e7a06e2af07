// The question of a person, and as the API takes it. Pure.
import type { Availability } from '../../../clients/typescript/src/entry.ts'
import { dayStart } from '../../parts/days.ts'

export type Question = {
  agents: readonly string[]
  timezone: string
  from: string
  to: string
  duration: '15m' | '30m' | '45m' | '1h' | '2h'
  rank: 'soonest' | 'compact' | 'spread'
  notBefore: string
  notAfter: string
}

/** As many as the API gives: times outside the hours are left out of them. */
const asked = 50
const shownTimes = 20

const midnight = '00:00'
const lastMinute = '23:59'

/** The last day is part of the window. */
export function queryOf({ timezone, from, to, duration, rank, notBefore, notAfter }: Question) {
  const hours = notBefore || notAfter ? `${notBefore || midnight}-${notAfter || lastMinute}` : undefined
  return {
    start: from && dayStart(from, timezone || 'UTC'),
    end: to && dayStart(to, timezone || 'UTC', 1),
    duration,
    ...{ explain: true, best: asked, rank, tz: timezone },
    ...(hours && { prefer: hours }),
  }
}

type Best = NonNullable<Availability['best']>

/** The API prefers the hours; a person who gives them wants no other times. */
export function timesOf({ best = [] }: Pick<Availability, 'best'>, { notBefore, notAfter }: Question): Best {
  const isBound = notBefore !== '' || notAfter !== ''
  return best.filter(({ reasons }) => !isBound || reasons.includes('in_preferred_hours')).slice(0, shownTimes)
}

type Cause = NonNullable<Availability['blocked']>[number]['by'][number]

/** The events that the causes name, and on which calendars they are. */
export function namedIn(blocked: NonNullable<Availability['blocked']>) {
  const causes = blocked.flatMap(({ by }) => by)
  const calendars = new Set(causes.flatMap((cause) => ('event_id' in cause ? [cause.calendar_id] : [])))
  return { calendars: [...calendars] }
}

type Words = {
  event(title: string): string
  hold(title: string): string
  before(title: string): string
  after(title: string): string
  working_hours(calendar: string | undefined): string
  busy: string
  elsewhere: string
  notCurrent: string
  daily_limit: string
  closed_date: string
  holiday: string
  time_off: string
}

/** `titleOf` and `calendarOf` know the names of ids. */
export function wordsOf(
  cause: Cause,
  words: Words,
  titleOf: (id: string) => string,
  calendarOf: (id: string) => string | undefined,
): string {
  switch (cause.kind) {
    case 'event':
      return words.event(titleOf(cause.event_id))
    case 'hold':
      return words.hold(titleOf(cause.event_id))
    case 'buffer':
      return words[cause.side](titleOf(cause.event_id))
    case 'working_hours':
      return words.working_hours(cause.calendar_id && calendarOf(cause.calendar_id))
    case 'external':
      return cause.reason === 'busy' ? words.elsewhere : words.notCurrent
    default:
      return words[cause.kind]
  }
}
