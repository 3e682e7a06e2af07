// The instances of one UID: the starts of its rules and dates, without the exceptions, with the overrides of single ones.
import { earliestMs, latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { expandRule } from './expandRule.ts'
import type { ImportedEvent } from './feedParser.ts'
import { type Moment, type SourceEvent, utcOf } from './sourceEvent.ts'
import type { Work } from './unreadable.ts'
import type { Span } from './values.ts'
import { toUtc, toWall, type Zone } from './zone.ts'

/** Half-open, in UTC. `cut`: a series with more instances ends early, and says from when on it is not known. */
type Window = { fromMs: number; untilMs: number; cut?: { maxInstances: number; at(ms: number): void } | undefined }

const always: Window = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }

/** Larger than any real UTC offset. */
const marginMs = 2 * dayMs

/** The instances that overlap the window; undefined if the rules give too many. */
export function instancesOf(
  master: SourceEvent | undefined,
  overrides: readonly SourceEvent[],
  window: Window,
  work: Work,
): ImportedEvent[] | undefined {
  const placed = placeOverrides(master, overrides, window)
  const isSeries =
    master !== undefined && (master.rules.length > 0 || master.extraDates.length > 0 || overrides.length > 0)
  const found: ImportedEvent[] = []
  const add = (source: SourceEvent, startWallMs: number, zone: Zone, { span, originalMs }: Placing) => {
    // An event that happens once is kept wherever it lies: there is nothing to expand.
    const within = originalMs === undefined ? always : window
    const event = instance(source, { wallMs: startWallMs, zone, isDate: source.start.isDate }, span, originalMs, within)
    if (event) found.push(event)
  }
  if (master && !isSeries) add(master, master.start.wallMs, master.start.zone, { span: master.span })
  if (master && isSeries) {
    const originals = originalsOf(master, placed, window, work)
    if (!originals) return undefined
    for (const [originalMs, { wallMs, span }] of originals) {
      if (placed.single.has(originalMs)) continue
      const following = placed.following.findLast(({ fromMs }) => fromMs <= originalMs)
      if (!following) add(master, wallMs, master.start.zone, { span, originalMs })
      else {
        const { source, shiftMs } = following
        add(source, wallMs + shiftMs, master.start.zone, { span: source.span, originalMs })
      }
    }
  }
  for (const [originalMs, source] of placed.single) {
    add(source, source.start.wallMs, source.start.zone, { span: source.span, originalMs })
  }
  return found
}

type Placing = { span: Span; originalMs?: number }

/** Undefined if it does not overlap the window. */
function instance(
  { uid, title, description, status, isFree }: SourceEvent,
  start: Moment,
  span: Span,
  originalMs: number | undefined,
  window: Window,
): ImportedEvent | undefined {
  const longMs = span.days * dayMs + span.ms
  // Most events of a feed are long past. That can be seen without their zone.
  if (start.wallMs + longMs + marginMs < window.fromMs || start.wallMs - marginMs > window.untilMs) return undefined
  const startMs = utcOf(start)
  const endMs = (span.days === 0 ? startMs : toUtc(start.zone, start.wallMs + span.days * dayMs)) + span.ms
  if (!(startMs < window.untilMs && endMs > window.fromMs && endMs > startMs)) return undefined
  if (startMs < earliestMs || endMs > latestMs) return undefined
  const recurrenceId = originalMs === undefined ? null : new Date(originalMs).toISOString()
  const [from, to] = [new Date(startMs), new Date(endMs)]
  const event = { uid, recurrenceId, title, description, start: from, end: to, allDay: start.isDate, status }
  return isFree ? { ...event, isFree } : event
}

/** By the original start in UTC. `following` is ascending; its `shiftMs` is by the wall clock. */
type PlacedOverrides = {
  single: Map<number, SourceEvent>
  following: { fromMs: number; shiftMs: number; source: SourceEvent }[]
}

function placeOverrides(
  master: SourceEvent | undefined,
  overrides: readonly SourceEvent[],
  window: Window,
): PlacedOverrides {
  const single = new Map<number, SourceEvent>()
  const following: PlacedOverrides['following'] = []
  for (const source of overrides) {
    const original = originalOf(source.replaces!, master)
    const originalMs = utcOf(original)
    const rival = single.get(originalMs)
    if (rival && rival.sequence > source.sequence) continue
    single.set(originalMs, source)
    if (!source.isFollowing || !master) continue
    const wallMs = toWall(master.start.zone, utcOf(source.start))
    const shiftMs = wallMs - toWall(master.start.zone, originalMs)
    // Further than the window is long, and it is no shift of a series but another one.
    if (Math.abs(shiftMs) <= window.untilMs - window.fromMs) following.push({ fromMs: originalMs, shiftMs, source })
  }
  return { single, following: following.sort((a, b) => a.fromMs - b.fromMs) }
}

/** The start that a RECURRENCE-ID means. */
function originalOf(named: Moment, master: SourceEvent | undefined): Moment {
  if (!master || named.isDate === master.start.isDate) return named
  return { ...master.start, wallMs: wallInSeries(named, master.start) }
}

const dayOf = (wallMs: number): number => Math.floor(wallMs / dayMs) * dayMs

/**
 * A moment by the clock of its series. Some feeds name the day of a time, some a time of a day: a midnight, wherever it is,
 * means that day, any other time the day that it falls on here.
 */
function wallInSeries(moment: Moment, start: Moment): number {
  if (moment.isDate && !start.isDate) return moment.wallMs + start.wallMs - dayOf(start.wallMs)
  if (start.isDate && moment.wallMs === dayOf(moment.wallMs)) return moment.wallMs
  const wallMs = moment.zone === start.zone ? moment.wallMs : toWall(start.zone, utcOf(moment))
  return start.isDate ? dayOf(wallMs) : wallMs
}

type Original = { wallMs: number; span: Span }

/** The starts of the rules and dates, by their time in UTC; those that cannot overlap the window may be missing. */
function originalsOf(
  master: SourceEvent,
  { following }: PlacedOverrides,
  window: Window,
  work: Work,
): Map<number, Original> | undefined {
  const { start, span } = master
  const shifts = following.map(({ shiftMs }) => shiftMs)
  const spans = [span, ...following.map(({ source }) => source.span)].map(({ days, ms }) => days * dayMs + ms)
  const wall = {
    fromMs: window.fromMs - largest(spans) - largest(shifts) - marginMs,
    toMs: window.untilMs + largest(shifts.map((shiftMs) => -shiftMs)) + marginMs,
  }
  const excepted = exceptions(master, wall, work)
  const originals = new Map<number, Original>()
  const add = (wallMs: number, lasting: Span) => {
    const utcMs = toUtc(start.zone, wallMs)
    if (!excepted?.(wallMs, utcMs)) originals.set(utcMs, { wallMs, span: lasting })
  }
  if (!excepted) return undefined
  if (master.rules.length === 0 && start.wallMs >= wall.fromMs && start.wallMs < wall.toMs) add(start.wallMs, span)
  const earlierMs = largest(shifts.map((shiftMs) => -shiftMs))
  const cut = window.cut && {
    maxStarts: window.cut.maxInstances,
    at: (wallMs: number) => window.cut?.at(toUtc(start.zone, wallMs) - earlierMs),
  }
  for (const { rule, untilMs } of master.rules) {
    const starts = expandRule(rule, { startMs: start.wallMs, untilMs, cut }, wall, work)
    if (!starts) return undefined
    for (const wallMs of starts) add(wallMs, span)
  }
  for (const { moment, span: own } of master.extraDates) {
    const lasting = own ?? span
    const longMs = lasting.days * dayMs + lasting.ms
    if (moment.wallMs + longMs < wall.fromMs || moment.wallMs > wall.toMs) continue
    add(wallInSeries(moment, start), lasting)
  }
  return originals
}

const largest = (numbers: readonly number[]): number => numbers.reduce((max, number) => Math.max(max, number), 0)

/** Whether a start is excepted; a date excepts every start of its day. Undefined if EXRULE gives too many. */
function exceptions(
  { start, exceptDates, exceptRules }: SourceEvent,
  wall: { fromMs: number; toMs: number },
  work: Work,
): ((wallMs: number, utcMs: number) => boolean) | undefined {
  const days = new Set<number>()
  const moments = new Set<number>()
  for (const moment of exceptDates) {
    if (moment.wallMs < wall.fromMs - marginMs || moment.wallMs > wall.toMs + marginMs) continue
    if (moment.isDate || start.isDate) days.add(dayOf(wallInSeries(moment, start)))
    else moments.add(utcOf(moment))
  }
  for (const { rule, untilMs } of exceptRules) {
    const starts = expandRule(rule, { startMs: start.wallMs, untilMs }, wall, work)
    if (!starts) return undefined
    for (const wallMs of starts) moments.add(toUtc(start.zone, wallMs))
  }
  return (wallMs, utcMs) => moments.has(utcMs) || days.has(dayOf(wallMs))
}
