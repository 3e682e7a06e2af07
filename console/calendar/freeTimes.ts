// Free stretches of a column, from the slots of the API. Pure.
import { addDays, clockAt, minutesOfDay } from './dates.ts'

type Slot = { start: string; end: string }
type Stretch = { startMs: number; endMs: number }

/** On one day, from which minute to which. */
export type Free = { from: number; to: number; text: string }

/** Slots that touch are one stretch. */
export function stretchesOf(slots: readonly Slot[]): Stretch[] {
  const found: Stretch[] = []
  for (const { start, end } of slots) {
    const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
    const last = found.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else found.push({ startMs, endMs })
  }
  return found
}

/** The time that is in all of them. */
export function common(all: readonly (readonly Stretch[])[]): readonly Stretch[] {
  return all.reduce((shared, stretches) =>
    shared.flatMap((one) =>
      stretches
        .map((other) => ({
          startMs: Math.max(one.startMs, other.startMs),
          endMs: Math.min(one.endMs, other.endMs),
        }))
        .filter(({ startMs, endMs }) => startMs < endMs),
    ),
  )
}

/** Their parts on one day. */
export function freeOn(date: string, stretches: readonly Stretch[], zone: string, clock: (minute: number) => string) {
  return stretches.flatMap(({ startMs, endMs }): Free[] => {
    const [start, end] = [clockAt(startMs, zone), clockAt(endMs, zone)]
    if (start.date > date || end.date < date) return []
    const from = start.date === date ? start.minute : 0
    const to = end.date === date ? end.minute : end.date >= addDays(date, 1) ? minutesOfDay : 0
    return from < to ? [{ from, to, text: `${clock(from)}–${clock(to % minutesOfDay)}` }] : []
  })
}
