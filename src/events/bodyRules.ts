// The rules between the fields of an event, each of which was read.
import type { z } from 'zod'
import { datetimeForm } from '../localtime/hints.ts'
import { parseDatetime } from '../shapes/datetimes.ts'
import type { ErrorCode } from '../shapes/errorTypes.ts'

type Checked<Value> = z.core.ParsePayload<Value>
type Issues = Checked<unknown>['issues']

type Times = {
  start_time?: Date | undefined
  end_time?: Date | undefined
  recurrence_rdates?: Date[] | undefined
}
type NewEvent = Times & {
  start_time: Date
  end_time: Date
  status: string
  recurrence_rule?: string | undefined
  recurrence_timezone?: string | null | undefined
  hold_expires_at?: Date | undefined
  hold_priority?: number | undefined
  transparency?: string | undefined
}

export const onlyWithRule = 'only with a recurrence_rule'
export const rdateBeforeStart = 'none may lie before start_time'

const refusing = (issues: Issues) => (path: string, message: string) =>
  issues.push({ code: 'custom', path: [path], message, input: undefined })

export const endBeforeStart = (path: string) => ({
  code: 'custom' as const,
  path: [path],
  message: 'must be after start_time',
  params: { code: 'end_before_start' satisfies ErrorCode },
  input: undefined,
})

const areDistinct = (times: readonly Date[]): boolean => new Set(times.map(Number)).size === times.length
const mustBeDistinct = { code: 'custom' as const, message: 'must be distinct', input: undefined }

export function checkRdates({ value, issues }: Checked<Date[]>): void {
  if (!areDistinct(value)) issues.push({ ...mustBeDistinct, path: [] })
}

/** The times of a body that were not read from text: a duration may end after the year 9999. */
export function checkBuiltTimes({ value: { start_time, end_time, recurrence_rdates }, issues }: Checked<Times>): void {
  for (const [path, time] of Object.entries({ start_time, end_time })) {
    if (time === undefined || parseDatetime(time.toISOString())) continue
    const params = { code: 'invalid_time_format' satisfies ErrorCode }
    issues.push({ code: 'custom', path: [path], message: `expected ${datetimeForm}`, params, input: time })
  }
  if (recurrence_rdates && !areDistinct(recurrence_rdates))
    issues.push({ ...mustBeDistinct, path: ['recurrence_rdates'] })
}

export function checkCreateBody({ value, issues }: Checked<NewEvent>): void {
  const refuse = refusing(issues)
  if (value.end_time <= value.start_time) issues.push(endBeforeStart('end_time'))
  if (value.recurrence_rule === undefined) {
    if (value.recurrence_timezone) refuse('recurrence_timezone', onlyWithRule)
    if (value.recurrence_rdates) refuse('recurrence_rdates', onlyWithRule)
  }
  if (value.recurrence_rdates?.some((at) => at < value.start_time)) refuse('recurrence_rdates', rdateBeforeStart)
  if (value.status === 'hold') {
    if (!value.hold_expires_at) refuse('hold_expires_at', 'is required for a hold')
    if (value.recurrence_rule !== undefined) refuse('recurrence_rule', 'a hold cannot recur')
    if (value.transparency === 'transparent') refuse('transparency', 'a hold takes time')
    return
  }
  if (value.hold_expires_at) refuse('hold_expires_at', 'only with status "hold"')
  if (value.hold_priority !== undefined) refuse('hold_priority', 'only with status "hold"')
}

export function checkUpdateBody({ value, issues }: Checked<Times & { require_free?: boolean | undefined }>): void {
  const { require_free: isJudged, ...changes } = value
  if (Object.values(changes).every((change) => change === undefined) && !isJudged) {
    issues.push({ code: 'custom', path: [], message: 'give at least one field to change', input: undefined })
  }
  const { start_time: start, end_time: end } = value
  if (start && end && end <= start) issues.push(endBeforeStart('end_time'))
}
