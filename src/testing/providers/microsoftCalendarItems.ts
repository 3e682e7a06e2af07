// Events of the Microsoft emulator as Graph shows them: whole, or bare as the occurrences of a delta.
import {
  type Mailbox,
  occurrenceId,
  type StoredCalendar,
  type StoredEvent,
  startsOf,
} from './microsoftCalendarMailbox.ts'

export type Item = Record<string, unknown>

export const shownCalendar = ({ id, name, canEdit, isDefault, isShared }: StoredCalendar): Item => ({
  id,
  name,
  color: 'auto',
  hexColor: '',
  isDefaultCalendar: isDefault,
  changeKey: 'DxYSthXJXEWwAQSYQnXvIgAAIxGttg==',
  canShare: !isShared,
  canViewPrivateItems: !isShared,
  canEdit,
  isTallyingResponses: isDefault,
  isRemovable: !isDefault,
  owner: { name: isShared ? 'Somebody Else' : 'Ada', address: isShared ? 'else@example.com' : 'ada@example.com' },
})

export const etagOf = ({ version }: StoredEvent) => `W/"${version}"`

/** Without `IdType="ImmutableId"` an identifier changes with its event. */
const idOf = (event: StoredEvent, isImmutable: boolean) =>
  isImmutable ? event.id : `mutable-${event.id}-${event.version}`

const moment = (ms: number): Item => ({
  dateTime: new Date(ms).toISOString().replace('Z', '0000'),
  timeZone: 'UTC',
})

const typeOf = ({ master, fields }: StoredEvent) =>
  master ? 'exception' : fields.recurrence ? 'seriesMaster' : 'singleInstance'

/** The times of all-day events are midnights, whatever the zone. */
export function wholeItem(event: StoredEvent, isImmutable: boolean): Item {
  const { times, fields } = event
  const { singleValueExtendedProperties: _, transactionId, ...shown } = fields
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': etagOf(event),
    id: idOf(event, isImmutable),
    changeKey: String(event.version),
    transactionId: transactionId ?? null,
    originalStartTimeZone: times.zoneName,
    originalEndTimeZone: times.zoneName,
    subject: '',
    showAs: 'busy',
    isCancelled: false,
    isOrganizer: true,
    responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
    recurrence: null,
    categories: [],
    attendees: [],
    ...shown,
    isAllDay: times.isAllDay,
    seriesMasterId: event.master?.id ?? null,
    type: typeOf(event),
    start: moment(times.startMs),
    end: moment(times.endMs),
  }
}

function bareOccurrence(series: StoredEvent, startMs: number, isImmutable: boolean): Item {
  const lengthMs = series.times.endMs - series.times.startMs
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': etagOf(series),
    seriesMasterId: idOf(series, isImmutable),
    type: 'occurrence',
    id: isImmutable ? occurrenceId(series, startMs) : `mutable-${occurrenceId(series, startMs)}-${series.version}`,
    start: moment(startMs),
    end: moment(startMs + lengthMs),
  }
}

type Window = { fromMs: number; untilMs: number }

const meets = ({ times }: StoredEvent, { fromMs, untilMs }: Window) => times.startMs < untilMs && times.endMs > fromMs

/**
 * The part of a delta for an event: empty if it is outside the window. A series is its master, its exceptions, its occurrences.
 */
export function itemsOf(mailbox: Mailbox, event: StoredEvent, window: Window, isImmutable: boolean): Item[] {
  if (!event.fields.recurrence) return meets(event, window) ? [wholeItem(event, isImmutable)] : []
  const starts = startsOf(event, window.fromMs, window.untilMs)
  const exceptions = [...mailbox.events.values()].filter(({ master }) => master?.id === event.id)
  const moved = new Set(exceptions.map(({ master }) => master!.originalMs))
  const occurrences = starts.filter((startMs) => !event.gone.has(startMs) && !moved.has(startMs))
  const changed = exceptions.filter((one) => meets(one, window))
  if (occurrences.length + changed.length === 0) return []
  return [
    wholeItem(event, isImmutable),
    ...changed.map((one) => wholeItem(one, isImmutable)),
    ...occurrences.map((startMs) => bareOccurrence(event, startMs, isImmutable)),
  ]
}
