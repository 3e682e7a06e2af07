import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOf, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Candidate } from './best.ts'
import type { BusyTime } from './busy.ts'
import type { Freshness } from './freshness.ts'
import { stretchesOf, type WorkingHours, weekdays } from './hours.ts'
import type { MoreRules } from './moreRules.ts'
import type { availabilityRecord, RulesBody, rulesRecord } from './schema.ts'

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
  more: MoreRules | null
  /** JSON of `Labels`; null: there are none. */
  labelsSealed: Buffer | null
  /** The holiday subscriptions that are not removed; null: none. */
  livingHolidays: readonly Uuid[] | null
  createdAt: Date
  updatedAt: Date
}

/** Of the dates and of the time off, in their order; null: without a label. */
type Labels = { dates: readonly (string | null)[]; time_off: readonly (string | null)[] }

export const labelsContext = (calendarId: Uuid) => `availability_rules.labels:${calendarId}` as const

/** Null without any label. */
export function sealLabels({ sealer }: App, calendarId: Uuid, { dates = [], time_off = [] }: RulesBody): Buffer | null {
  const labels: Labels = { dates: dates.map(labelOf), time_off: time_off.map(labelOf) }
  const hasAny = [...labels.dates, ...labels.time_off].some((label) => label !== null)
  return hasAny ? sealer.seal(labelsContext(calendarId), JSON.stringify(labels)) : null
}

const labelOf = ({ label }: { label?: string | undefined }): string | null => label ?? null

export const presentRules = (app: App, row: RulesRow): z.infer<typeof rulesRecord> => ({
  id: encodeId('avr', row.id),
  calendar_id: encodeId('cal', row.calendarId),
  buffer_before_minutes: row.bufferBeforeMinutes,
  buffer_after_minutes: row.bufferAfterMinutes,
  working_hours: row.workingHours && inWeekOrder(row.workingHours),
  timezone: row.timezone,
  ...(row.more && presentMore(app, row, row.more)),
  created_at: isoTime(row.createdAt),
  updated_at: isoTime(row.updatedAt),
})

/** Keys of the rules that are shown only where they are set. */
function presentMore({ sealer }: App, { calendarId, labelsSealed, livingHolidays }: RulesRow, more: MoreRules) {
  const labels: Labels | null = labelsSealed && JSON.parse(sealer.unseal(labelsContext(calendarId), labelsSealed))
  const labelled = (label: string | null | undefined) => (label == null ? {} : { label })
  const { dates, time_off, holiday_subscription_ids, ...limits } = more
  const holidays = holiday_subscription_ids?.filter((id) => livingHolidays?.includes(id)) ?? []
  return {
    ...(dates && {
      dates: dates.map(({ from, to, hours }, nth) => ({
        from,
        ...(to !== undefined && { to }),
        hours: hours.map(({ start, end }) => ({ start, end })),
        ...labelled(labels?.dates[nth]),
      })),
    }),
    ...(time_off && {
      time_off: time_off.map(({ start, end }, nth) => ({ start, end, ...labelled(labels?.time_off[nth]) })),
    }),
    ...(holidays.length > 0 && { holiday_subscription_ids: holidays.map((id) => encodeId('ics', id)) }),
    ...limits,
  }
}

/** jsonb does not keep the order of keys. */
export const inWeekOrder = (hours: WorkingHours): WorkingHours =>
  Object.fromEntries(
    weekdays.flatMap((weekday) => {
      const day = hours[weekday]
      const shown = stretchesOf(day).map(({ start, end }) => ({ start, end }))
      return day === undefined ? [] : [[weekday, Array.isArray(day) ? shown : shown[0]!]]
    }),
  )
