// A series as its definition and its edits say, occurrence by occurrence, in minutes. It shares nothing with the engine: the local starts
// come from an oracle, and wall clocks are read off `Intl`.
import { wallClock } from './minuteMap.ts'

/** Minutes since 1970 as if the wall clock showed UTC. */
export const wallAt = (zone: string, minute: number): number =>
  Date.parse(`${wallClock(zone, minute).replace(' ', 'T')}Z`) / 60_000

const dayMinutes = 1440
const widestOffset = 15 * 60

/** The first minute at which the clock shows it. A time that clocks skip counts by the offset before the gap. */
export function minuteAt(zone: string, wall: number): number {
  for (let minute = wall - widestOffset; minute <= wall + widestOffset; minute += 15)
    if (wallAt(zone, minute) === wall) return minute
  const before = wall - dayMinutes
  return wall - (wallAt(zone, before) - before)
}

type ModelEdit = { start?: number; end?: number; status?: string }
type Piece = { start: number; end: number }

export type SeriesModel = {
  id: string
  zone: string
  /** Of the rule, in order: the moment, and the time on the clock that the rule means. */
  starts: { at: number; wall: number }[]
  rdates: number[]
  length: number
  status: string
  isTransparent: boolean
  isAllDay: boolean
  cancelled: Set<number>
  edits: Map<number, ModelEdit>
}

/** The original starts of what is not cancelled for good. */
export const originals = ({ starts, rdates, cancelled }: SeriesModel): number[] =>
  [...new Set([...starts.map(({ at }) => at), ...rdates])].filter((at) => !cancelled.has(at)).sort((a, b) => a - b)

/** When an occurrence happens. */
export function timesOf({ edits, length }: SeriesModel, original: number): Piece {
  const { start = original, end = original + length } = edits.get(original) ?? {}
  return { start, end: end > start ? end : start + length }
}

export const takenBy = (model: SeriesModel): Piece[] =>
  model.isTransparent
    ? []
    : originals(model)
        .filter((original) => (model.edits.get(original)?.status ?? model.status) !== 'cancelled')
        .map((original) => timesOf(model, original))

/** Cuts `model` at `at`. Returns the rest as a series of its own, moved on its clock by `by` minutes. */
export function splitModel(model: SeriesModel, at: number, by: number, id: string): SeriesModel {
  const { zone, starts } = model
  const moved = (minute: number) => (by === 0 ? minute : minuteAt(zone, wallAt(zone, minute) + by))
  const after: SeriesModel = {
    ...model,
    id,
    starts: starts
      .filter((one) => one.at >= at)
      .map(({ wall }) => ({ wall: wall + by, at: minuteAt(zone, wall + by) })),
    rdates: model.rdates.filter((one) => one >= at).map(moved),
    cancelled: new Set([...model.cancelled].filter((one) => one >= at).map(moved)),
    edits: new Map(
      [...model.edits]
        .filter(([original]) => original >= at)
        .map(([original, { start, end, status }]) => [
          moved(original),
          {
            ...(start !== undefined && { start: moved(start) }),
            ...(end !== undefined && { end: moved(end) }),
            ...(status && { status }),
          },
        ]),
    ),
  }
  cutModel(model, at)
  return after
}

/** Nothing is left from `at` on. */
export function cutModel(model: SeriesModel, at: number): void {
  model.starts = model.starts.filter((one) => one.at < at)
  model.rdates = model.rdates.filter((one) => one < at)
  for (const original of model.edits.keys()) if (original >= at) model.edits.delete(original)
}
