// Local time as callers see it: a model would compute it wrong.
import { firstDayOfMonth, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import { isoTime, isoTimeOf } from '../shapes/datetimes.ts'
import { dayMs, hourMs } from '../shapes/durations.ts'
import { nextOffsetChange, offsetAt } from './offsets.ts'
import type { LocalRecord, TimeRecord } from './schema.ts'
import { clockTime, dayOf, isoOffset, isoYear, shortTime, spelledDay } from './spelling.ts'

type Times = { readonly start: Date; readonly end: Date; readonly allDay?: boolean }

/** `zone` is a name that `isZone` accepts; it is shown in its spelling. `dash`: the one that `text` uses. */
export function localOf({ start, end, allDay = false }: Times, zone: string, dash = '–'): LocalRecord {
  const offsetMs = offsetAt(zone, start.getTime())
  const endOffsetMs = offsetAt(zone, end.getTime())
  const startWallMs = start.getTime() + offsetMs
  const endWallMs = end.getTime() + endOffsetMs
  const firstDay = dayOf(startWallMs)
  const dayOfEnd = dayOf(endWallMs)
  const day = spelledDay(firstDay)
  const endDay = spelledDay(dayOfEnd)
  const startTime = shortTime(startWallMs)
  const endTime = shortTime(endWallMs)
  const offset = isoOffset(offsetMs)
  // Its text comes last.
  const local = {
    timezone: zone,
    weekday: day.weekday,
    date: day.date,
    start: startTime,
    end: endTime,
    end_date: endDay.date,
    utc_offset: offset,
  } as LocalRecord
  if (endOffsetMs !== offsetMs) local.end_utc_offset = isoOffset(endOffsetMs)
  if (allDay) {
    const last = spelledDay(firstDay + wholeDays(startWallMs, endWallMs) - 1)
    local.last_date = last.date
    local.text = allDayText(day.long, last.long, dash)
  } else {
    const until = dayOfEnd === firstDay ? dash + endTime : ` ${dash} ${endDay.long}, ${endTime}`
    local.text = `${day.long}, ${startTime}${until} (${zone}, ${offsetsText(offset, local.end_utc_offset)})`
  }
  return local
}

const allDayText = (first: string, last: string, dash: string): string =>
  last === first ? `${first} (all day)` : `${first} ${dash} ${last} (all day)`

/** Without the second offset the end of a doubled hour could be either of two moments. */
const offsetsText = (offset: string, endOffset: string | undefined): string =>
  endOffset === undefined ? `UTC${offset}` : `UTC${offset} to UTC${endOffset}`

/**
 * Every started day counts, as in the iCal feed. An hour more or less is a change of clocks, for callers that count whole days
 * in UTC and where clocks change at midnight.
 */
const wholeDays = (startWallMs: number, endWallMs: number): number =>
  Math.max(1, Math.ceil((endWallMs - startWallMs - hourMs) / dayMs))

/** The local time at a moment that the caller chose; `now` is the service's own time. */
export function timeAt(at: Date, zone: string, now: Date): TimeRecord {
  const offsetMs = offsetAt(zone, at.getTime())
  const wallMs = at.getTime() + offsetMs
  const day = dayOf(wallMs)
  const { weekday, date, long } = spelledDay(day)
  const time = clockTime(wallMs)
  const utcOffset = isoOffset(offsetMs)
  const change = nextOffsetChange(zone, at.getTime())
  return {
    now: isoTime(now),
    local: {
      timezone: zone,
      weekday,
      date,
      time,
      utc_offset: utcOffset,
      text: `${long}, ${time} (${zone}, UTC${utcOffset})`,
    },
    iso_week: isoWeek(day),
    next_offset_change: change ? { at: isoTimeOf(change.atMs), utc_offset: isoOffset(change.offsetMs) } : null,
  }
}

/** A week belongs to the year in which its Thursday lies (ISO 8601). */
function isoWeek(day: number): string {
  const thursday = day - weekdayOf(day) + 3
  const year = Math.floor(monthOfDay(thursday) / 12)
  const week = Math.floor((thursday - firstDayOfMonth(year * 12)) / 7) + 1
  return `${isoYear(year)}-W${String(week).padStart(2, '0')}`
}
