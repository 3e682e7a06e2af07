import type { Intervals } from './intervals.ts'

/** Back to back from the beginning of each free stretch, each exactly `durationMs` long; a rest is left over. */
export function slotsWithin(free: Intervals, durationMs: number): number[] {
  const slots: number[] = []
  for (let i = 0; i < free.length; i += 2) {
    const lastStart = free[i + 1]! - durationMs
    for (let start = free[i]!; start <= lastStart; start += durationMs) slots.push(start, start + durationMs)
  }
  return slots
}
