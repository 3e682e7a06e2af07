// The instances of one UID: the starts of its rules and dates, without the exceptions, with the overrides of single ones.
import { earliestMs, latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { expandRule } from './expandRule.ts'
import type { ImportedEvent } from './feedParser.ts'
import { type Moment, utcOf } from './moment.ts'
import type { SourceEvent } from './sourceEvent.ts'
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
  let matched = matchOverrides(master, overrides, window)
  const isSeries =
    master !== undefined &&
    (master.rules.length > 0 || master.extraDates.length > 0 || overrides.length > 0 || master.unread.includes('rule'))
  const found: ImportedEvent[] = []
  const add = (source: SourceEvent, startWallMs: number, zone: Zone, { span, originalMs }: Placing) => {
    // An event that happens once is kept wherever it lies: there is nothing to expand.
    const within = originalMs === undefined ? always : window
    const event = instance(source, { wallMs: startWallMs, zone, isDate: source.start.isDate }, span, originalMs, within)
    if (event) found.push(event)
  }
  if (master && !isSeries) add(master, master.start.wallMs, master.start.zone, { span: master.span })
  if (master && isSeries) {
    const originals = originalsOf(master, matched, window, work)
    if (!originals) return undefined
    const isExcepted = exceptions(master, originals, work)
    if (!isExcepted) return undefined
    const { start } = master
    if (overrides.some(({ replaces }) => isByClock(replaces!, start))) {
      matched = matchOverrides(master, overrides, window, originals)
    }
    for (const [originalMs, { wallMs, span }] of originals) {
      if (isExcepted(wallMs, originalMs) || matched.single.has(originalMs)) continue
      const following = matched.following.findLast(({ fromMs }) => fromMs <= originalMs)
      if (!following) add(master, wallMs, master.start.zone, { span, originalMs })
      else {
        const { source, shiftMs } = following
        add(source, wallMs + shiftMs, master.start.zone, { span: source.span, originalMs })
      }
    }
  }
  for (const [originalMs, source] of matched.single) {
    add(source, source.start.wallMs, source.start.zone, { span: source.span, originalMs })
  }
  return found
}

type Placing = { span: Span; originalMs?: number }

/** Undefined if it does not overlap the window. */
function instance(
  { uid, title, description, status, details, transparent, isFree, isEndUnknown }: SourceEvent,
  start: Pick<Moment, 'wallMs' | 'isDate' | 'zone'>,
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
  const kept = { ...(details && { details }), ...(transparent && { transparent }) }
  return { ...event, ...kept, ...(isFree && { isFree }), ...(isEndUnknown && { isEndUnknown }) }
}

/** By the original start in UTC. `following` is ascending; its `shiftMs` is by the wall clock. */
type MatchedOverrides = {
  single: Map<number, SourceEvent>
  following: { fromMs: number; shiftMs: number; source: SourceEvent }[]
}

/** `originals`: the starts of the series, if they are known. */
function matchOverrides(
  master: SourceEvent | undefined,
  overrides: readonly SourceEvent[],
  window: Window,
  originals: Originals = new Map(),
): MatchedOverrides {
  const single = new Map<number, SourceEvent>()
  const following: MatchedOverrides['following'] = []
  for (const source of overrides) {
    const original = originalOf(source.replaces!, master)
    const originalMs = master ? namedStart(original, master.start, originals) : utcOf(original)
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

type Originals = ReadonlyMap<number, { wallMs: number; span: Span }>

/** Without a zone beside a start that has one, or in UTC beside a start without one: it may mean the clock of the series. */
const isByClock = (moment: Moment, start: Moment): boolean =>
  moment.written === 'floating'
    ? start.written !== 'floating'
    : moment.written === 'utc' && start.written === 'floating'

/** The start that a moment names, in UTC: the written one if it exists, else by the clock of the series. */
function namedStart(moment: Moment, start: Moment, originals: Originals): number {
  const utcMs = utcOf(moment)
  if (moment.isDate || originals.has(utcMs) || !isByClock(moment, start)) return utcMs
  const byClockMs = toUtc(start.zone, moment.wallMs)
  return originals.has(byClockMs) ? byClockMs : utcMs
}

/**
 * The starts of the rules and dates, exceptions among them, by their time in UTC; those that cannot overlap the window may be
 * missing.
 */
function originalsOf(
  master: SourceEvent,
  { following }: MatchedOverrides,
  window: Window,
  work: Work,
): Originals | undefined {
  const { start, span } = master
  const shifts = following.map(({ shiftMs }) => shiftMs)
  const spans = [span, ...following.map(({ source }) => source.span)].map(lastingMs)
  const wall = {
    fromMs: window.fromMs - largest(spans) - largest(shifts) - marginMs,
    toMs: window.untilMs + largest(shifts.map((shiftMs) => -shiftMs)) + marginMs,
  }
  const originals = new Map<number, { wallMs: number; span: Span }>()
  const add = (wallMs: number, lasting: Span) => originals.set(toUtc(start.zone, wallMs), { wallMs, span: lasting })
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
    if (moment.wallMs + lastingMs(lasting) < wall.fromMs || moment.wallMs > wall.toMs) continue
    add(wallInSeries(moment, start), lasting)
  }
  return originals
}

const lastingMs = ({ days, ms }: Span): number => days * dayMs + ms
const smallest = (numbers: readonly number[]): number =>
  numbers.reduce((min, number) => Math.min(min, number), Number.POSITIVE_INFINITY)
const largest = (numbers: readonly number[]): number => numbers.reduce((max, number) => Math.max(max, number), 0)

/** Whether a start is excepted; a date excepts every start of its day. Undefined if EXRULE gives too many. */
function exceptions(
  { start, exceptDates, exceptRules }: SourceEvent,
  originals: Originals,
  work: Work,
): ((wallMs: number, utcMs: number) => boolean) | undefined {
  if (originals.size === 0) return () => false
  const walls = [...originals.values()].map(({ wallMs }) => wallMs)
  const wall = {
    fromMs: smallest(walls),
    toMs: walls.reduce((max, ms) => Math.max(max, ms), Number.NEGATIVE_INFINITY) + 1,
  }
  const days = new Set<number>()
  const moments = new Set<number>()
  for (const moment of exceptDates) {
    if (moment.wallMs < wall.fromMs - marginMs || moment.wallMs > wall.toMs + marginMs) continue
    if (moment.isDate || start.isDate) days.add(dayOf(wallInSeries(moment, start)))
    else moments.add(namedStart(moment, start, originals))
  }
  for (const { rule, untilMs } of exceptRules) {
    const starts = expandRule(rule, { startMs: start.wallMs, untilMs }, wall, work)
    if (!starts) return undefined
    for (const wallMs of starts) moments.add(toUtc(start.zone, wallMs))
  }
  return (wallMs, utcMs) => moments.has(utcMs) || days.has(dayOf(wallMs))
}
