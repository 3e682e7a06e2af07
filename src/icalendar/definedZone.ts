// A zone as a feed defines it: observances that each begin at moments of a rule, with the offset that holds from there.
import { dayMs } from '../shapes/durations.ts'
import type { Component } from './components.ts'
import { expandRule } from './expandRule.ts'
import type { WallWindow } from './rule.ts'
import { parseForeignRule } from './rule.ts'
import type { Work } from './unreadable.ts'
import { listedTimes, parseOffset, parseStamp } from './values.ts'
import { namedZone, type Zone } from './zone.ts'

type Onset = { atMs: number; offsetMs: number }

/** Two changes a year for five hundred years. */
const maxOnsets = 1_000
const yearMs = 366 * dayMs

export function definedZone(definition: Component, window: WallWindow, work: Work): Zone | undefined {
  const location = definition.properties.get('X-LIC-LOCATION')?.[0]?.value.trim()
  const named = location === undefined ? undefined : namedZone(location)
  if (named) return named
  const onsets: Onset[] = []
  let earliest: Onset | undefined
  for (const observance of definition.parts) {
    const found = onsetsOf(observance, window, work)
    if (!found || onsets.length + found.onsets.length > maxOnsets) continue
    onsets.push(...found.onsets)
    if (!earliest || found.before.atMs < earliest.atMs) earliest = found.before
  }
  if (!earliest) return undefined
  onsets.sort((a, b) => a.atMs - b.atMs)
  const firstOffset = earliest.offsetMs
  return { offsetAt: (utcMs) => onsets.findLast(({ atMs }) => atMs <= utcMs)?.offsetMs ?? firstOffset }
}

/** `before` is the offset that holds until the first onset. */
function onsetsOf(
  { properties }: Component,
  window: WallWindow,
  work: Work,
): { onsets: Onset[]; before: Onset } | undefined {
  const start = parseStamp(properties.get('DTSTART')?.[0]?.value ?? '')
  const beforeMs = parseOffset(properties.get('TZOFFSETFROM')?.[0]?.value ?? '')
  const offsetMs = parseOffset(properties.get('TZOFFSETTO')?.[0]?.value ?? '')
  if (!start || offsetMs === undefined) return undefined
  // An onset is given in the local time before it.
  const fromMs = beforeMs ?? offsetMs
  const walls = new Set([start.wallMs])
  for (const property of properties.get('RDATE') ?? []) {
    for (const time of listedTimes(property).times.slice(0, maxOnsets)) {
      const stamp = parseStamp(time)
      if (stamp) walls.add(stamp.wallMs)
    }
  }
  for (const { value } of (properties.get('RRULE') ?? []).slice(0, 3)) {
    const rule = parseForeignRule(value)
    if (!rule) continue
    const until = rule.until && rule.until.wallMs + (rule.until.offsetMs === undefined ? 0 : fromMs)
    const untilMs = rule.until?.isDate ? until! + dayMs - 1 : until
    // Where a rule has ended before the window, its last onset is what holds.
    const lastMs = Math.min(untilMs ?? window.toMs, window.toMs)
    const span = { fromMs: Math.min(window.fromMs, lastMs) - 2 * yearMs, toMs: lastMs + yearMs }
    for (const wallMs of expandRule(rule, { startMs: start.wallMs, untilMs }, span, work) ?? []) walls.add(wallMs)
  }
  const onsets = [...walls].map((wallMs) => ({ atMs: wallMs - fromMs, offsetMs }))
  return { onsets, before: { atMs: start.wallMs - fromMs, offsetMs: fromMs } }
}
