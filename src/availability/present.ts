import type { z } from 'zod'
import { isoTime, isoTimeOf, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Candidate } from './best.ts'
import type { BusyTime } from './busy.ts'
import type { Freshness } from './freshness.ts'
import { stretchesOf, type WorkingHours, weekdays } from './hours.ts'
import type { availabilityRecord, rulesRecord } from './schema.ts'

export type AvailabilityAnswer = z.infer<typeof availabilityRecord>

/** `slots` is a flat list, like `Intervals`. */
export const presentAvailability = (
  { agents, own, ofAgents }: BusyTime,
  slots: readonly number[],
  freshness: Freshness,
): AvailabilityAnswer => ({
  agents: [...agents],
  slots: presentIntervals(slots),
  ...(own && { busy: presentIntervals(own) }),
  ...(ofAgents && {
    per_agent_busy: Object.fromEntries(agents.map((agent, nth) => [agent, presentIntervals(ofAgents[nth]!)])),
  }),
  ...presentFreshness(freshness),
})

/** `sources` of an answer. */
export const presentFreshness = ({ state, external, lastSyncedAt }: Freshness) => ({
  availability_state: state,
  sources: { internal: 'current' as const, external, last_synced_at: isoTimeOrNull(lastSyncedAt) },
  warnings: state === 'complete' ? [] : ['availability_incomplete'],
})

export const presentBest = (best: readonly Candidate[]): AvailabilityAnswer['best'] =>
  best.map(({ startMs, endMs, score, reasons }) => ({
    start: isoTimeOf(startMs),
    end: isoTimeOf(endMs),
    score,
    reasons,
  }))

/** Slots are back to back, so the text of one's end is reused as the start of the next. */
export function presentIntervals(flat: readonly number[]): { start: string; end: string }[] {
  const intervals: { start: string; end: string }[] = []
  let end = ''
  for (let i = 0; i < flat.length; i += 2) {
    const start = i > 0 && flat[i] === flat[i - 1] ? end : isoTimeOf(flat[i]!)
    end = isoTimeOf(flat[i + 1]!)
    intervals.push({ start, end })
  }
  return intervals
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

/** jsonb does not keep the order of keys. */
export const inWeekOrder = (hours: WorkingHours): WorkingHours =>
  Object.fromEntries(
    weekdays.flatMap((weekday) => {
      const day = hours[weekday]
      const shown = stretchesOf(day).map(({ start, end }) => ({ start, end }))
      return day === undefined ? [] : [[weekday, Array.isArray(day) ? shown : shown[0]!]]
    }),
  )
