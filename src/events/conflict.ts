// The events and holds at the time of a new or edited event, and the refusal that names them.
import type { App } from '../app.ts'
import type { Piece } from '../availability/explained.ts'
import type { Omitted, Verdict } from '../availability/judge.ts'
import { zoneOfCalendar } from '../calendars/calendars.ts'
import { conflict, ServiceError } from '../errors.ts'
import { isoTimeOf } from '../shapes/datetimes.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { nearbyTimes } from './freeTimes.ts'
import { eventsById } from './listQueries.ts'
import { presentEvent } from './present.ts'
import type { EventStatus } from './rules.ts'
import type { JudgedEvent } from './spans.ts'

/** An event in the way. Of a series, the first occurrence that is. */
type OverlappingEvent = {
  id: string
  title: string
  startTime: string
  endTime: string
  allDay: boolean
  status: EventStatus
  /** It has the same title and times, and was made just before: a probable duplicate. */
  isLikelyDuplicate: boolean
}

export type Overlaps = {
  /** How many events are in the way. */
  total: number
  /** The first of them, likely duplicates before all others. */
  events: readonly OverlappingEvent[]
}

/** The event to be written, with its title. */
export type Titled = JudgedEvent & { title: string; allDay: boolean }

/** A refusal with the conflicting events and free times nearby. */
export class TimeTaken extends ServiceError {
  readonly overlaps: Overlaps
  /** A flat list, epoch ms. */
  readonly freeTimes: readonly number[]
  constructor({ type, message, detail }: ServiceError, overlaps: Overlaps, freeTimes: readonly number[]) {
    super(type, message, detail)
    this.overlaps = overlaps
    this.freeTimes = freeTimes
  }
}

export const timeTaken = () => conflict('This time is taken. Choose another one.', 'time_taken', 'start_time')

/** The refusal, with other times. A duplicate gets no suggestions. */
export async function withOverlaps(
  app: App,
  refusal: ServiceError,
  row: Titled,
  { conflicts }: Pick<Verdict, 'conflicts'>,
  omitted: Omitted,
  now: Date,
): Promise<TimeTaken> {
  const overlaps = await findOverlaps(app, row, conflicts, now)
  if (overlaps.events[0]?.isLikelyDuplicate) return new TimeTaken(refusal, overlaps, [])
  const timezone = (await zoneOfCalendar(app, row, encodeId('cal', row.calendarId))) ?? 'UTC'
  return new TimeTaken(refusal, overlaps, await nearbyTimes(app, { ...row, timezone }, omitted, now))
}

const maxShown = 5
/** How many events with the same times are looked at. */
const maxTwins = 20

/** `conflicts` by the rule of overlaps: events and holds alone. */
export async function findOverlaps(app: App, row: Titled, conflicts: readonly Piece[], now: Date): Promise<Overlaps> {
  const firsts = firstPieces(conflicts)
  const twins = [...firsts].filter(
    ([, { own }]) => own.fromMs === row.startTime.getTime() && own.toMs === row.endTime.getTime(),
  )
  const ids = new Set([...twins.slice(0, maxTwins).map(([id]) => id), ...[...firsts.keys()].slice(0, maxShown)])
  const rows = await eventsById(app.sql, row.orgId, [...ids])
  const events = rows.flatMap((one) => {
    const { own } = firsts.get(one.id)!
    const { id, title, allDay, status } = presentEvent(app, one, now)
    const [startTime, endTime] = [isoTimeOf(own.fromMs), isoTimeOf(own.toMs)]
    const isJustMade = now.getTime() - one.createdAt.getTime() < duplicateMs
    const isLikelyDuplicate = isJustMade && title === row.title && twins.some(([twin]) => twin === one.id)
    return { id, title, startTime, endTime, allDay, status, isLikelyDuplicate }
  })
  events.sort((a, b) => Number(b.isLikelyDuplicate) - Number(a.isLikelyDuplicate) || compare(a.startTime, b.startTime))
  return { total: firsts.size, events: events.slice(0, maxShown) }
}

const duplicateMs = 10 * minuteMs

const compare = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function firstPieces(conflicts: readonly Piece[]): Map<Uuid, Piece> {
  const firsts = new Map<Uuid, Piece>()
  for (const piece of conflicts) {
    const { cause } = piece
    if ((cause.kind === 'event' || cause.kind === 'hold') && !firsts.has(cause.eventId))
      firsts.set(cause.eventId, piece)
  }
  return firsts
}
