// Records of REST as tools show them: without null or empty fields, with instants in the zone of the answer, and with `when`
// next to every pair of start and end.
import { offsetTime, spanWhen } from '../../../src/localtime/words.ts'
import { compact } from './answer.ts'
import type { Clock } from './clock.ts'

type Json = Record<string, unknown>

/** Fields that are not changed: callers own their contents; a payload is signed. */
const kept = new Set(['metadata', 'payload', 'context'])

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const shownRecord = (record: object, clock: Clock): Json => shown(record, clock) as Json

function shown(value: unknown, clock: Clock): unknown {
  if (typeof value === 'string') return instant.test(value) ? offsetTime(Date.parse(value), clock.zone) : value
  if (Array.isArray(value)) return value.map((one) => shown(one, clock))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, one]) => [name, kept.has(name) ? one : shown(one, clock)])
  return compact({ ...Object.fromEntries(fields), ...whenOf(value as Json, clock) })
}

const pairs = [
  ['start_time', 'end_time'],
  ['startTime', 'endTime'],
  ['start', 'end'],
  ['period_start', 'period_end'],
] as const

function whenOf(record: Json, { zone, now }: Clock): { when?: string } {
  for (const [from, to] of pairs) {
    const [start, end] = [record[from], record[to]]
    if (typeof start !== 'string' || typeof end !== 'string' || !instant.test(start) || !instant.test(end)) continue
    return { when: spanWhen({ startMs: Date.parse(start), endMs: Date.parse(end) }, zone, now.getTime()) }
  }
  return {}
}
