// The history of an event, from the entries of the change feed: each is compared with the one before. Pure.
import { isDeepStrictEqual } from 'node:util'
import { isoTimeOf } from '../shapes/datetimes.ts'
import type { HistoryEntry } from './schema.ts'

export type Fields = Readonly<Record<string, unknown>>

/** An entry with the record of its payload; some types have none. */
export type Told = { type: string; event: Fields | undefined }

type Compared = Pick<HistoryEntry, 'changes' | 'incomplete'>

/** The start that the series gives the occurrence; undefined for the event itself. */
export const occurrenceOf = ({ event }: Told): string | undefined => event?.originalStartTime as string | undefined

const isCreation = ({ type }: Told): boolean => type === 'event.created' || type === 'event.hold_created'

/** Those of one occurrence follow each other, and those of the event itself. */
const lineOf = (told: Told): string => occurrenceOf(told) ?? ''

/** `entries`: the newest first, and after them none that the first `count` would have to be compared with. */
export function compareEntries(entries: readonly Told[], count: number): Compared[] {
  const records = new Map<string, Fields>()
  const compared: Compared[] = []
  for (let nth = entries.length - 1; nth >= 0; nth--) {
    const told = entries[nth]!
    const before = recordBefore(records, told)
    if (nth < count) compared.unshift(compare(told, before))
    const after = recordAfter(told, before)
    if (after) records.set(lineOf(told), after)
  }
  return compared
}

/** Whether more entries would change nothing about the first `count`: each is a creation, or one of its line with a record follows. */
export function isSettled(entries: readonly Told[], count: number): boolean {
  const open = new Set<string>()
  for (const [nth, told] of entries.entries()) {
    if (nth < count && !isCreation(told)) open.add(lineOf(told))
    else if (told.event) open.delete(lineOf(told))
  }
  return open.size === 0
}

/** The first change of an occurrence is compared with the occurrence as its series has it. */
function recordBefore(records: ReadonlyMap<string, Fields>, told: Told): Fields | undefined {
  const start = occurrenceOf(told)
  const series = records.get('')
  return records.get(lineOf(told)) ?? (start !== undefined && series ? occurrenceAt(series, start) : undefined)
}

function occurrenceAt(series: Fields, start: string): Fields {
  const lengthMs = Date.parse(String(series.endTime)) - Date.parse(String(series.startTime))
  return { ...series, startTime: start, endTime: isoTimeOf(Date.parse(start) + lengthMs) }
}

/** A payload without a record tells that a hold has ended, or that the event was deleted. */
const recordAfter = ({ type, event }: Told, before: Fields | undefined): Fields | undefined =>
  event ?? (before && (type === 'event.deleted' ? before : { ...before, status: 'cancelled' }))

function compare(told: Told, before: Fields | undefined): Compared {
  if (isCreation(told)) return { changes: [] }
  if (!before) return { changes: null, incomplete: true }
  return { changes: told.type === 'event.deleted' ? [] : differences(before, recordAfter(told, before)!) }
}

/** They name an occurrence, or differ with every change. */
const untold = new Set(['updatedAt', 'recurringEventId', 'originalStartTime', 'overridden'])

function differences(before: Fields, after: Fields) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !untold.has(name))
  return names
    .sort()
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
}
