// A rule's days as a numbered grid. Slot 0 is the start; a slot's day and a day's slot are arithmetic, so no query walks
// from the start. DAILY and WEEKLY slots always exist; MONTHLY and YEARLY slots may be missing (February 30): never clamped.
import { firstDayOfMonth, gregorianCycleMonths, monthLength, monthOfDay, quotient, weekdayOf } from './civil.ts'
import type { DayInMonth, Rule } from './rule.ts'

/** Days `anchorDay + n × periodDays + offset`; the first `skipped` of them are before the start. */
export type DayGrid = {
  kind: 'days'
  anchorDay: number
  periodDays: number
  offsets: readonly number[]
  skipped: number
}

/**
 * One slot in each month `anchorMonth + n × periodMonths`. Which slots are missing repeats after `cycleSlots` slots;
 * 0 means that none ever is.
 */
export type MonthGrid = {
  kind: 'months'
  anchorMonth: number
  periodMonths: number
  on: DayInMonth
  cycleSlots: number
}

export type Grid = DayGrid | MonthGrid

export function gridOf(rule: Rule, startDay: number): Grid {
  if (rule.freq === 'DAILY') {
    return { kind: 'days', anchorDay: startDay, periodDays: rule.interval, offsets: [0], skipped: 0 }
  }
  const weekday = weekdayOf(startDay)
  if (rule.freq === 'WEEKLY') {
    const offsets = rule.weekdays ?? [weekday]
    const periodDays = 7 * rule.interval
    return { kind: 'days', anchorDay: startDay - weekday, periodDays, offsets, skipped: countBelow(offsets, weekday) }
  }
  const anchorMonth = monthOfDay(startDay)
  const given = rule.freq === 'MONTHLY' ? rule.on : undefined
  const on = given ?? { kind: 'monthDay', day: startDay - firstDayOfMonth(anchorMonth) + 1 }
  const periodMonths = rule.freq === 'YEARLY' ? 12 * rule.interval : rule.interval
  return { kind: 'months', anchorMonth, periodMonths, on, cycleSlots: cycleSlots(on, periodMonths) }
}

/** The slot's day, or NaN if its month has no such day: a missing day is in no window, since NaN compares with nothing. */
export function slotDay(grid: Grid, slot: number): number {
  if (grid.kind === 'months') return dayInMonth(grid.on, grid.anchorMonth + slot * grid.periodMonths)
  const position = slot + grid.skipped
  const period = quotient(position, grid.offsets.length)
  return grid.anchorDay + period * grid.periodDays + grid.offsets[position - period * grid.offsets.length]!
}

/** The first slot that can lie at `day` or later: every slot below it is earlier. `day` is not before the start. */
export function firstSlotFrom(grid: Grid, day: number): number {
  if (grid.kind === 'days') return slotsBefore(grid, day)
  return quotient(monthOfDay(day) - grid.anchorMonth + grid.periodMonths - 1, grid.periodMonths)
}

/** How many slots can lie before `day`: the slot of that number and all above it are at `day` or later. `day` is after the start. */
export function slotsBefore(grid: Grid, day: number): number {
  if (grid.kind === 'months') return quotient(monthOfDay(day - 1) - grid.anchorMonth, grid.periodMonths) + 1
  const period = quotient(day - grid.anchorDay, grid.periodDays)
  const dayOfPeriod = day - grid.anchorDay - period * grid.periodDays
  return Math.max(0, period * grid.offsets.length + countBelow(grid.offsets, dayOfPeriod) - grid.skipped)
}

/** How many slots of `[first, end)` exist. Walks at most two cycles. */
export function countExisting(grid: Grid, first: number, end: number): number {
  if (end <= first) return 0
  if (grid.kind === 'days' || grid.cycleSlots === 0) return end - first
  const cycles = Math.floor((end - first) / grid.cycleSlots)
  const rest = walkExisting(grid, first, end - cycles * grid.cycleSlots)
  return cycles === 0 ? rest : rest + cycles * walkExisting(grid, 0, grid.cycleSlots)
}

/** The slot of the n-th existing slot, from 0. Walks at most two cycles. */
export function slotOfExisting(grid: Grid, index: number): number {
  if (grid.kind === 'days' || grid.cycleSlots === 0) return index
  let found = 0
  for (let slot = 0; slot < grid.cycleSlots; slot++) {
    if (Number.isNaN(slotDay(grid, slot))) continue
    if (found === index) return slot
    found++
  }
  // Slot 0 is the start and exists, so found is at least 1 here, and the rest is within the first cycle.
  return Math.floor(index / found) * grid.cycleSlots + slotOfExisting(grid, index % found)
}

/** The day (since 1970-01-01) of `on` in the month, or NaN if the month has none. */
export function dayInMonth(on: DayInMonth, month: number): number {
  const first = firstDayOfMonth(month)
  if (on.kind === 'monthDay') {
    if (on.day === -1) return first + monthLength(month) - 1
    return on.day <= 28 || on.day <= monthLength(month) ? first + on.day - 1 : Number.NaN
  }
  if (on.ordinal > 0) {
    const offset = ((on.weekday - weekdayOf(first) + 7) % 7) + 7 * (on.ordinal - 1)
    return offset < 28 || offset < monthLength(month) ? first + offset : Number.NaN
  }
  const length = monthLength(month)
  const last = first + length - 1
  const offset = ((weekdayOf(last) - on.weekday + 7) % 7) - 7 * (on.ordinal + 1)
  return offset < length ? last - offset : Number.NaN
}

function walkExisting(grid: MonthGrid, first: number, end: number): number {
  let existing = 0
  for (let slot = first; slot < end; slot++) if (!Number.isNaN(slotDay(grid, slot))) existing++
  return existing
}

function cycleSlots(on: DayInMonth, periodMonths: number): number {
  if (on.kind === 'monthDay' ? on.day <= 28 : Math.abs(on.ordinal) <= 4) return 0
  // Days 30 and 31 do not depend on leap years.
  const cycleMonths = on.kind === 'monthDay' && on.day >= 30 ? 12 : gregorianCycleMonths
  return cycleMonths / greatestCommonDivisor(cycleMonths, periodMonths)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

function countBelow(ascending: readonly number[], bound: number): number {
  let count = 0
  while (count < ascending.length && ascending[count]! < bound) count++
  return count
}
