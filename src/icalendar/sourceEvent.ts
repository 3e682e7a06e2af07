// A VEVENT as values: which moments, which rules, which instance of its series it stands for.
import { createHash } from 'node:crypto'
import { dayMs } from '../shapes/durations.ts'
import type { Component, Property } from './components.ts'
import type { ImportedEvent } from './feedParser.ts'
import { type Moment, type MomentReader, nearlyMs, openMomentReader, utcOf } from './moment.ts'
import { type ForeignRule, parseForeignRule } from './rule.ts'
import type { UnreadReason } from './unread.ts'
import { descriptionOf, isCancelled, parameterOf, parseDuration, type Span, titleOf } from './values.ts'
import type { Zones } from './zones.ts'

type ExtraDate = { moment: Moment; span: Span | undefined }
type RuleInSeries = { rule: ForeignRule; untilMs: number | undefined }

export type SourceEvent = Pick<
  ImportedEvent,
  'uid' | 'title' | 'description' | 'status' | 'details' | 'transparent'
> & {
  sequence: number
  /** The original start of the instance that this stands for; with `isFollowing` for all later ones too. */
  replaces: Moment | undefined
  isFollowing: boolean
  start: Moment
  span: Span
  rules: RuleInSeries[]
  exceptRules: RuleInSeries[]
  extraDates: ExtraDate[]
  exceptDates: Moment[]
  /** Why parts of it are left out: each is counted. */
  unread: UnreadReason[]
  /** In UTC: from when on it may take more time than is known here; undefined if its time is known. */
  unknownFromMs: number | undefined
  /** It takes none of its owner's time. */
  isFree?: true
  isEndUnknown?: true
}

/** Undefined when it has no start that can be read. */
export function sourceEvent(component: Component, zones: Zones): SourceEvent | undefined {
  const first = (name: string): Property | undefined => component.properties.get(name)?.[0]
  const all = (name: string): Property[] => component.properties.get(name) ?? []
  const isWholeDay = first('X-MICROSOFT-CDO-ALLDAYEVENT')?.value.trim().toUpperCase() === 'TRUE'
  const reader = openMomentReader(zones, isWholeDay)
  const recurrenceId = first('RECURRENCE-ID')
  const named = recurrenceId && reader.listed(recurrenceId)[0]
  const startProperty = first('DTSTART')
  // A cancelled instance may contain no more than its identity.
  const start = startProperty ? reader.moment(startProperty) : named
  if (!start) return undefined
  const length = lengthOf(component, start, reader)
  const rules = rulesOf(all('RRULE'), start, reader)
  const exceptRules = rulesOf(all('EXRULE'), start, reader)
  const extra = extraDatesOf(all('RDATE'), reader)
  const except = all('EXDATE').flatMap((property) => reader.listed(property))
  const startMs = utcOf(start)
  const unknown = [
    length.isKnown ? undefined : startMs,
    rules ? undefined : startMs + lastingMs(length.span),
    extra.unread.length > 0 ? Number.NEGATIVE_INFINITY : undefined,
  ].filter((ms) => ms !== undefined)
  return {
    uid: uidOf(component),
    sequence: Number.parseInt(first('SEQUENCE')?.value ?? '0', 10) || 0,
    // Where nothing says which instance it stands for, it is one more.
    replaces: recurrenceId && (named ?? start),
    isFollowing: named !== undefined && isFollowing(recurrenceId),
    start,
    span: length.span,
    rules: rules ?? [],
    exceptRules: exceptRules ?? [],
    extraDates: extra.dates,
    exceptDates: except.filter((moment) => moment !== undefined),
    title: titleOf(first('SUMMARY')),
    description: descriptionOf(first('DESCRIPTION')),
    status: statusOf(first('STATUS')?.value),
    unread: [
      ...(recurrenceId && !named ? (['date'] as const) : []),
      ...(length.isRead ? [] : (['end'] as const)),
      ...(rules && exceptRules ? [] : (['rule'] as const)),
      ...extra.unread,
      ...except.filter((moment) => moment === undefined).map(() => 'date' as const),
    ],
    unknownFromMs: unknown.length > 0 ? Math.min(...unknown) : undefined,
    ...(!length.isKnown && { isEndUnknown: true }),
  }
}

const isFollowing = (property: Property | undefined): boolean =>
  property !== undefined && parameterOf(property, 'RANGE')?.toUpperCase() === 'THISANDFUTURE'

function statusOf(value: string | undefined): ImportedEvent['status'] {
  if (isCancelled(value)) return 'cancelled'
  return value?.trim().toLowerCase() === 'tentative' ? 'tentative' : 'confirmed'
}

const longestUid = 250

/** An event without a UID, or with a very long one, is recognised by the properties that stay the same for one event. */
export function uidOf({ properties }: Pick<Component, 'properties'>): string {
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

const oneDay: Span = { days: 1, ms: 0 }
/** A time without an end takes no time; kept as the shortest that an event can be, so that it is seen. */
const oneMinute: Span = { days: 0, ms: 60_000 }

const lastingMs = ({ days, ms }: Span): number => days * dayMs + ms
const shortest = ({ isDate }: Moment): Span => (isDate ? oneDay : oneMinute)

/** `isRead`: it is a length, and none below nothing. An end before its start is known to take no time. */
type Length = { span: Span; isRead: boolean; isKnown: boolean }

function lengthOf({ properties }: Component, start: Moment, reader: MomentReader): Length {
  const endProperty = properties.get('DTEND')?.[0]
  const end = endProperty && reader.moment(endProperty)
  const duration = properties.get('DURATION')?.[0]?.value
  if (!endProperty && duration === undefined) return { span: shortest(start), isRead: true, isKnown: true }
  const span = end ? spanBetween(start, end) : duration === undefined ? undefined : durationOf(duration, start)
  if (!span) return { span: shortest(start), isRead: false, isKnown: false }
  const isRead = lastingMs(span) >= 0 && (end !== undefined || endProperty === undefined)
  return { span: lastingMs(span) > 0 ? span : shortest(start), isRead, isKnown: true }
}

function durationOf(text: string, start: Moment): Span | undefined {
  const span = parseDuration(text)
  return span && start.isDate ? { days: span.days + Math.ceil(span.ms / dayMs), ms: 0 } : span
}

/** An end that is given makes every instance exactly as long as the first (RFC 5545, 3.8.5.3); days are days. */
function spanBetween(start: Moment, end: Moment): Span {
  if (!start.isDate) return { days: 0, ms: utcOf(end) - utcOf(start) }
  return { days: Math.floor((end.wallMs + nearlyMs) / dayMs) - start.wallMs / dayMs, ms: 0 }
}

/** One is allowed, two were found. */
const maxRules = 10

/** Undefined when one of them is no rule. */
function rulesOf(properties: Property[], start: Moment, reader: MomentReader): RuleInSeries[] | undefined {
  if (properties.length > maxRules) return undefined
  const rules = properties.flatMap(({ value }) => {
    const rule = parseForeignRule(value)
    return rule ? [{ rule, untilMs: rule.until && reader.wallUntil(rule.until, start) }] : []
  })
  return rules.length === properties.length ? rules : undefined
}

/** A period whose end is before its start takes no time, as an event does. */
function extraDatesOf(properties: Property[], reader: MomentReader): { dates: ExtraDate[]; unread: UnreadReason[] } {
  const unread: UnreadReason[] = []
  const dates: ExtraDate[] = []
  for (const { moment, to, end } of properties.flatMap((property) => reader.periods(property))) {
    const span = moment && (end ? spanBetween(moment, end) : to === undefined ? undefined : parseDuration(to))
    const isLong = span !== undefined && lastingMs(span) > 0
    if (!moment) unread.push('date')
    else dates.push({ moment, span: span && (isLong ? span : oneMinute) })
    if (moment && to !== undefined && !isLong) unread.push('end')
  }
  return { dates, unread }
}
