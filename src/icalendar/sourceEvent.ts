// A VEVENT as values: which moments, which rules, which instance of its series it stands for.
import { createHash } from 'node:crypto'
import { dayMs } from '../shapes/durations.ts'
import type { Component, Property } from './components.ts'
import type { ImportedEvent } from './feedParser.ts'
import { type ForeignRule, parseForeignRule } from './rule.ts'
import {
  descriptionOf,
  listedTimes,
  parameterOf,
  parseDuration,
  parseStamp,
  type Span,
  type Stamp,
  titleOf,
} from './values.ts'
import { fixedZone, toUtc, toWall, type Zone } from './zone.ts'
import type { Zones } from './zones.ts'

/** A time by the wall clock of its zone; a date is its midnight in the calendar's zone. */
export type Moment = { wallMs: number; isDate: boolean; zone: Zone }

export const utcOf = ({ zone, wallMs }: Moment): number => toUtc(zone, wallMs)

type ExtraDate = { moment: Moment; span: Span | undefined }

export type SourceEvent = Pick<ImportedEvent, 'uid' | 'title' | 'description' | 'status'> & {
  sequence: number
  /** The original start of the instance that this stands for; with `isFollowing` for all later ones too. */
  replaces: Moment | undefined
  isFollowing: boolean
  start: Moment
  span: Span
  rules: { rule: ForeignRule; untilMs: number | undefined }[]
  exceptRules: { rule: ForeignRule; untilMs: number | undefined }[]
  extraDates: ExtraDate[]
  exceptDates: Moment[]
  /** It takes none of its owner's time. */
  isFree?: true
}

/** Undefined when it has no start, ends before it, or holds a rule or an identity that cannot be understood. */
export function sourceEvent(component: Component, zones: Zones): SourceEvent | undefined {
  const first = (name: string): Property | undefined => component.properties.get(name)?.[0]
  const all = (name: string): Property[] => component.properties.get(name) ?? []
  const replaces = first('RECURRENCE-ID') && momentOf(first('RECURRENCE-ID')!, zones)
  // An instance that is only cancelled may say no more than which one it is.
  const start = first('DTSTART') ? momentOf(asDate(first('DTSTART')!, component), zones) : replaces
  if (!start || (first('RECURRENCE-ID') && !replaces)) return undefined
  const span = spanOf(component, start, zones)
  const rules = rulesOf(all('RRULE'), start, zones)
  const exceptRules = rulesOf(all('EXRULE'), start, zones)
  if (!span || !rules || !exceptRules) return undefined
  return {
    uid: uidOf(component),
    sequence: Number.parseInt(first('SEQUENCE')?.value ?? '0', 10) || 0,
    replaces,
    isFollowing: isFollowing(first('RECURRENCE-ID')),
    start,
    span,
    rules,
    exceptRules,
    extraDates: all('RDATE').flatMap((property) => extraDatesOf(property, zones)),
    exceptDates: all('EXDATE').flatMap((property) => momentsOf(property, zones)),
    title: titleOf(first('SUMMARY')),
    description: descriptionOf(first('DESCRIPTION')),
    status: statusOf(first('STATUS')?.value),
  }
}

const isFollowing = (property: Property | undefined): boolean =>
  property !== undefined && parameterOf(property, 'RANGE')?.toUpperCase() === 'THISANDFUTURE'

function statusOf(value: string | undefined): ImportedEvent['status'] {
  const status = value?.trim().toLowerCase()
  return status === 'tentative' || status === 'cancelled' ? status : 'confirmed'
}

const longestUid = 250

/** An event without a UID, or with a very long one, is recognised by the properties that stay the same for one event. */
function uidOf({ properties }: Component): string {
  const uid = properties
    .get('UID')?.[0]
    ?.value.replace(/\p{Cc}/gu, '')
    .trim()
    .toWellFormed()
  if (uid !== undefined && uid !== '' && uid.length <= longestUid) return uid
  const identity =
    uid || ['DTSTART', 'DTEND', 'DURATION', 'SUMMARY', 'RRULE'].map((name) => properties.get(name)?.[0]?.value)
  return `sha256-${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`
}

/** Exchange writes days as times from midnight to midnight, and says so beside. */
function asDate(property: Property, { properties }: Component): Property {
  const isAllDay = properties.get('X-MICROSOFT-CDO-ALLDAYEVENT')?.[0]?.value.trim().toUpperCase() === 'TRUE'
  return isAllDay ? { ...property, parameters: [...property.parameters, 'VALUE=DATE'] } : property
}

const momentOf = (property: Property, zones: Zones): Moment | undefined => momentsOf(property, zones)[0]

/** The times of a property that can be read. */
function momentsOf(property: Property, zones: Zones): Moment[] {
  const { times, zoneName, isDate } = listedTimes(property)
  const zone = zones.find(zoneName)
  return times.flatMap((time) => momentIn(parseStamp(time, isDate), zone, zones) ?? [])
}

function momentIn(stamp: Stamp | undefined, zone: Zone, zones: Zones): Moment | undefined {
  if (!stamp) return undefined
  const { wallMs, isDate, offsetMs } = stamp
  if (isDate) return { wallMs, isDate, zone: zones.calendar }
  return { wallMs, isDate, zone: offsetMs === undefined ? zone : fixedZone(offsetMs) }
}

const oneDay: Span = { days: 1, ms: 0 }
/** A time without an end takes no time; kept as the shortest that an event can be, so that it is seen. */
const oneMinute: Span = { days: 0, ms: 60_000 }

function spanOf({ properties }: Component, start: Moment, zones: Zones): Span | undefined {
  const endProperty = properties.get('DTEND')?.[0]
  const end = endProperty && momentOf(endProperty, zones)
  if (end) return spanBetween(start, end)
  const duration = properties.get('DURATION')?.[0]?.value
  if (duration === undefined) return start.isDate ? oneDay : oneMinute
  const span = parseDuration(duration)
  if (!span) return undefined
  return checkedSpan(start.isDate ? { days: span.days + Math.ceil(span.ms / dayMs), ms: 0 } : span, start)
}

/** An end that is given makes every instance exactly as long as the first (RFC 5545, 3.8.5.3); days are days. */
function spanBetween(start: Moment, end: Moment): Span | undefined {
  if (!start.isDate) return checkedSpan({ days: 0, ms: utcOf(end) - utcOf(start) }, start)
  return checkedSpan({ days: Math.floor(end.wallMs / dayMs) - start.wallMs / dayMs, ms: 0 }, start)
}

function checkedSpan(span: Span, start: Moment): Span | undefined {
  const length = span.days * dayMs + span.ms
  if (length > 0) return span
  if (length < 0) return undefined
  return start.isDate ? oneDay : oneMinute
}

/** One is what is allowed, two were seen. */
const maxRules = 10

/** Undefined when one of them is no rule. */
function rulesOf(properties: Property[], start: Moment, zones: Zones): SourceEvent['rules'] | undefined {
  if (properties.length > maxRules) return undefined
  const rules = properties.flatMap(({ value }) => {
    const rule = parseForeignRule(value)
    return rule ? [{ rule, untilMs: rule.until && wallUntil(rule.until, start, zones) }] : []
  })
  return rules.length === properties.length ? rules : undefined
}

/** The last moment by the wall clock of the start; a date takes its whole day in. */
function wallUntil(until: Stamp, start: Moment, zones: Zones): number {
  const isMidnight = until.wallMs % dayMs === 0
  if (until.isDate || (start.isDate && isMidnight)) return Math.floor(until.wallMs / dayMs) * dayMs + dayMs - 1
  if (until.offsetMs === undefined) return until.wallMs
  return toWall(start.isDate ? zones.calendar : start.zone, until.wallMs - until.offsetMs)
}

function extraDatesOf(property: Property, zones: Zones): ExtraDate[] {
  const { times, zoneName, isDate } = listedTimes(property)
  const zone = zones.find(zoneName)
  return times.flatMap((time): ExtraDate[] => {
    const [from, to] = time.split('/')
    const moment = momentIn(parseStamp(from!, isDate), zone, zones)
    if (!moment || to === undefined) return moment ? [{ moment, span: undefined }] : []
    const end = momentIn(parseStamp(to), zone, zones)
    const span = end ? spanBetween(moment, end) : parseDuration(to)
    return span && span.days * dayMs + span.ms > 0 ? [{ moment, span }] : []
  })
}
