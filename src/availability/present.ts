import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Taken } from './busy.ts'
import type { Freshness } from './freshness.ts'
import { type WorkingHours, weekdays } from './hours.ts'
import type { availabilityRecord, rulesRecord } from './schema.ts'

export type AvailabilityAnswer = z.infer<typeof availabilityRecord>

/** `slots` as flat as what is taken. */
export const presentAvailability = (
  { agents, busy, busyOfAgents }: Taken,
  slots: readonly number[],
  freshness: Freshness,
): AvailabilityAnswer => ({
  agents: [...agents],
  slots: presentStretches(slots),
  ...(busy && { busy: presentStretches(busy) }),
  ...(busyOfAgents && {
    per_agent_busy: Object.fromEntries(agents.map((agent, nth) => [agent, presentStretches(busyOfAgents[nth]!)])),
  }),
  availability_state: freshness.state,
  sources: {
    internal: 'current',
    external: freshness.external,
    last_synced_at: isoTimeOrNull(freshness.lastSyncedAt),
  },
  warnings: freshness.warnings,
})

/** Slots stand back to back: what ends one is not written anew for the next. */
export function presentStretches(flat: readonly number[]): { start: string; end: string }[] {
  const write = openWriter()
  const stretches: { start: string; end: string }[] = []
  let end = ''
  for (let i = 0; i < flat.length; i += 2) {
    const start = i > 0 && flat[i] === flat[i - 1] ? end : write(flat[i]!)
    end = write(flat[i + 1]!)
    stretches.push({ start, end })
  }
  return stretches
}

const timesOfDay = Array.from({ length: 1440 }, (_, minute) => isoTime(new Date(minute * minuteMs)).slice(11))

/** As `present`, twenty times as fast for the whole minutes of one day after another: an answer may hold 70,000 of them. */
function openWriter(): (ms: number) => string {
  let day = Number.NaN
  let date = ''
  return (ms) => {
    const dayOfMs = Math.floor(ms / dayMs)
    const time = timesOfDay[(ms - dayOfMs * dayMs) / minuteMs]
    if (time === undefined) return isoTime(new Date(ms))
    if (dayOfMs !== day) {
      day = dayOfMs
      date = dateOf(day)
    }
    return date + time
  }
}

const dates = new Map<number, string>()
const maxDates = 4_000

/** Of a day since 1970, with the `T`. The days that answers speak of are mostly the same few. */
function dateOf(day: number): string {
  const known = dates.get(day)
  if (known) return known
  const date = isoTime(new Date(day * dayMs)).slice(0, 11)
  if (dates.size >= maxDates) dates.clear()
  dates.set(day, date)
  return date
}

export type RulesRow = {
  orgId: Uuid
  calendarId: Uuid
  id: Uuid
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  workingHours: WorkingHours | null
  timezone: string
  createdAt: Date
  updatedAt: Date
}

export const presentRules = (row: RulesRow): z.infer<typeof rulesRecord> => ({
  id: encodeId('avr', row.id),
  calendar_id: encodeId('cal', row.calendarId),
  buffer_before_minutes: row.bufferBeforeMinutes,
  buffer_after_minutes: row.bufferAfterMinutes,
  working_hours: row.workingHours && inWeekOrder(row.workingHours),
  timezone: row.timezone,
  created_at: isoTime(row.createdAt),
  updated_at: isoTime(row.updatedAt),
})

/** jsonb forgets the order of keys. */
export const inWeekOrder = (hours: WorkingHours): WorkingHours =>
  Object.fromEntries(
    weekdays.flatMap((weekday) => {
      const day = hours[weekday]
      return day ? [[weekday, { start: day.start, end: day.end }]] : []
    }),
  )
