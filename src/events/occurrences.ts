// Events as they happen: one that happens once by itself, a series as occurrences. Pure.
import type { Uuid } from '../shapes/ids.ts'
import type { EventRow } from './columns.ts'

/** Half-open on the start, epoch ms. */
export type Window = { fromMs: number; toMs: number }

/** An event as it happens at one time; `row` is the series' for an occurrence. */
export type Instance<Row extends EventRow = EventRow> = {
  row: Row
  startMs: number
  endMs: number
  isOccurrence: boolean
  /** Of a row that stands for one occurrence. */
  series?: EventRow | undefined
}

export const single = <Row extends EventRow>(row: Row): Instance<Row> => ({
  row,
  startMs: row.startTime.getTime(),
  endMs: row.endTime.getTime(),
  isOccurrence: false,
})

/** An occurrence that has a row of its own. */
export const overridden = <Row extends EventRow>(row: Row, series: EventRow): Instance<Row> => ({
  ...single(row),
  series,
})

export const occurrenceAt = <Row extends EventRow>(row: Row, startMs: number): Instance<Row> => ({
  row,
  startMs,
  endMs: startMs + row.endTime.getTime() - row.startTime.getTime(),
  isOccurrence: true,
})

/** `id`: as lists show it, of an occurrence that of its series. `originalMs`: of an edited occurrence. */
type OccurrenceKey = { startMs: number; id: Uuid; originalMs?: number | undefined }

/** The order of lists: by start, then id, then original start. */
export function byStartAndId(a: OccurrenceKey, b: OccurrenceKey): number {
  if (a.startMs !== b.startMs) return a.startMs - b.startMs
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return (a.originalMs ?? a.startMs) - (b.originalMs ?? b.startMs)
}

const keyOf = ({ startMs, row }: Instance): OccurrenceKey => ({
  startMs,
  id: row.seriesId ?? row.id,
  originalMs: row.originalStart?.getTime(),
})

export const byStart = (a: Instance, b: Instance): number => byStartAndId(keyOf(a), keyOf(b))
