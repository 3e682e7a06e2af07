// Writing events in the Microsoft emulator: POST with `transactionId`, PATCH and DELETE with If-Match, and the look-up by an
// extended property.
import { instantsAroundGap, instantsOf } from '../../localtime/offsets.ts'
import { type GraphAnswer, graphError } from './microsoftCalendarDelta.ts'
import { etagOf, type Item, wholeItem } from './microsoftCalendarItems.ts'
import {
  type GraphFields,
  type Mailbox,
  occurrenceId,
  type StoredEvent,
  startsOf,
  type Times,
} from './microsoftCalendarMailbox.ts'

type SentTime = { dateTime: string; timeZone: string }
type Sent = GraphFields & { start?: SentTime; end?: SentTime; isAllDay?: boolean }

type EventRequest = {
  calendar: string | undefined
  id: string | undefined
  query: URLSearchParams
  body: Record<string, unknown>
  ifMatch: string | undefined
  isImmutable: boolean
}

const writable = [
  ...['subject', 'body', 'showAs', 'isReminderOn', 'categories', 'attendees', 'transactionId', 'recurrence'],
  ...['singleValueExtendedProperties', 'start', 'end', 'isAllDay', 'responseRequested', 'sensitivity', 'importance'],
  ...['reminderMinutesBeforeStart', 'location', 'locations', 'allowNewTimeProposals', 'isOnlineMeeting'],
]

export function openEvents(mailbox: Mailbox, now: () => number) {
  const transactions = new Map<string, { id: string; atMs: number; body: string }>()
  const settings = { transactionWindowMs: 300_000 }

  const notFound = () =>
    graphError(
      404,
      'ErrorItemNotFound',
      'The specified object was not found in the store., The process failed to get the correct properties.',
    )

  /** An occurrence that was never changed is read through its series. */
  function find({ id, calendar }: EventRequest): StoredEvent | undefined {
    const event = mailbox.events.get(id ?? '')
    return event && (calendar === undefined || event.calendar === calendar) ? event : undefined
  }

  function create(request: EventRequest): GraphAnswer {
    const calendar = mailbox.calendars.get(request.calendar ?? '')
    if (!calendar) return notFound()
    if (!calendar.canEdit) return denied()
    const bad = refusal(request.body)
    if (bad) return bad
    const sent = request.body as Sent
    const times = sent.start && sent.end && timesOf(sent, undefined)
    if (!times || typeof times === 'string') return invalid(times || 'start and end are required.')
    const known = sent.transactionId === undefined ? undefined : transactions.get(sent.transactionId)
    if (known && now() - known.atMs < settings.transactionWindowMs) {
      const event = mailbox.events.get(known.id)
      if (event && known.body === JSON.stringify(request.body))
        return { status: 201, body: wholeItem(event, request.isImmutable) }
      return graphError(
        409,
        'ErrorDuplicateTransactionId',
        "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
      )
    }
    const { start: _, end: __, isAllDay: ___, ...fields } = sent
    const event = mailbox.store(calendar.id, times, fields)
    if (sent.transactionId !== undefined) {
      transactions.set(sent.transactionId, { id: event.id, atMs: now(), body: JSON.stringify(request.body) })
    }
    return { status: 201, body: wholeItem(event, request.isImmutable), headers: { etag: etagOf(event) } }
  }

  function update(request: EventRequest): GraphAnswer {
    const event = find(request) ?? occurrence(request)
    if (!event) return notFound()
    if (!mailbox.calendars.get(event.calendar)?.canEdit) return denied()
    if (isOutdated(event, request.ifMatch)) return outdated()
    const bad = refusal(request.body)
    if (bad) return bad
    const sent = request.body as Sent
    if (sent.transactionId !== undefined) return invalid('transactionId cannot be changed.')
    const times = sent.start || sent.end || sent.isAllDay !== undefined ? timesOf(sent, event.times) : event.times
    if (typeof times === 'string') return invalid(times)
    const { start: _, end: __, isAllDay: ___, singleValueExtendedProperties: properties, ...fields } = sent
    const merged = properties && {
      singleValueExtendedProperties: [
        ...(event.fields.singleValueExtendedProperties ?? []).filter(
          ({ id }) => !properties.some((one) => one.id === id),
        ),
        ...properties,
      ],
    }
    const changed = mailbox.change(event.id, { times, fields: { ...fields, ...merged } })
    // A new rule is a new series: changes of its occurrences are lost.
    if (sent.recurrence !== undefined) mailbox.forgetExceptions(changed.id)
    return { status: 200, body: wholeItem(changed, request.isImmutable), headers: { etag: etagOf(changed) } }
  }

  /** An occurrence that is written becomes an exception. */
  function occurrence({ id }: EventRequest): StoredEvent | undefined {
    const [series, startMs] = seriesOf(id)
    if (!series || startMs === undefined) return undefined
    const iso = new Date(startMs).toISOString()
    const end = new Date(startMs + series.times.endMs - series.times.startMs).toISOString()
    return mailbox.events.get(mailbox.moveOccurrence(series.id, iso, iso, end))
  }

  function seriesOf(id: string | undefined): [StoredEvent, number] | [] {
    const series = mailbox.events.get(/^(.*)\.o\d{8}T\d{6}Z$/.exec(id ?? '')?.[1] ?? '')
    if (!series) return []
    const startMs = startsOf(series, series.times.startMs, series.times.startMs + 2_000 * 86_400_000).find(
      (one) => occurrenceId(series, one) === id,
    )
    return startMs === undefined || series.gone.has(startMs) ? [] : [series, startMs]
  }

  function remove(request: EventRequest): GraphAnswer {
    const event = find(request)
    const [series, startMs] = event ? [] : seriesOf(request.id)
    const target = event ?? series
    if (!target) return notFound()
    if (!mailbox.calendars.get(target.calendar)?.canEdit) return denied()
    if (isOutdated(target, request.ifMatch)) return outdated()
    if (event) mailbox.remove(event.id)
    else mailbox.removeOccurrence(series!.id, new Date(startMs!).toISOString())
    return { status: 204 }
  }

  function get(request: EventRequest): GraphAnswer {
    const event = find(request)
    if (!event) return notFound()
    const select = request.query.get('$select')?.split(',')
    const item = withProperties(event, wholeItem(event, request.isImmutable), request.query.get('$expand'))
    const body = select
      ? Object.fromEntries(
          Object.entries(item).filter(
            ([name]) =>
              name.startsWith('@') ||
              name === 'id' ||
              select.includes(name) ||
              name === 'singleValueExtendedProperties',
          ),
        )
      : item
    return { status: 200, body }
  }

  function list(request: EventRequest): GraphAnswer {
    if (!mailbox.calendars.has(request.calendar ?? '')) return notFound()
    const filter = request.query.get('$filter')
    const wanted =
      /^singleValueExtendedProperties\/any\(\s*(\w+)\s*:\s*\1\/id eq '([^']+)' and \1\/value eq '([^']*)'\s*\)$/i.exec(
        filter ?? '',
      )
    if (filter !== null && !wanted)
      return graphError(400, 'ErrorInvalidUrlQueryFilter', 'The query filter contains one or more invalid nodes.')
    const all = [...mailbox.events.values()].filter(({ calendar, master }) => calendar === request.calendar && !master)
    const found = wanted
      ? all.filter(({ fields }) =>
          fields.singleValueExtendedProperties?.some(
            ({ id, value }) => sameProperty(id, wanted[2]!) && value === wanted[3],
          ),
        )
      : all
    const expand = request.query.get('$expand')
    return {
      status: 200,
      body: { value: found.map((event) => withProperties(event, wholeItem(event, request.isImmutable), expand)) },
    }
  }

  function instances(request: EventRequest): GraphAnswer {
    const series = find(request)
    const [fromMs, untilMs] = ['startDateTime', 'endDateTime'].map((name) =>
      Date.parse(request.query.get(name) ?? ''),
    ) as [number, number]
    if (!series) return notFound()
    if (!(fromMs < untilMs)) return invalid('startDateTime and endDateTime are required.')
    const lengthMs = series.times.endMs - series.times.startMs
    const value = startsOf(series, fromMs, untilMs)
      .filter((startMs) => !series.gone.has(startMs))
      .map((startMs) => {
        const exception = mailbox.exceptionOf(series.id, startMs)
        if (exception) return wholeItem(exception, request.isImmutable)
        const times = { ...series.times, startMs, endMs: startMs + lengthMs }
        const item = wholeItem({ ...series, id: occurrenceId(series, startMs), times }, request.isImmutable)
        return { ...item, type: 'occurrence', seriesMasterId: series.id, recurrence: null }
      })
    return { status: 200, body: { value } }
  }

  return { settings, create, update, remove, get, list, instances }
}

const sameProperty = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function withProperties(event: StoredEvent, item: Item, expand: string | null): Item {
  const wanted = /^singleValueExtendedProperties\(\$filter=id eq '([^']+)'\)$/i.exec(expand ?? '')?.[1]
  const found = event.fields.singleValueExtendedProperties?.filter(
    ({ id }) => wanted !== undefined && sameProperty(id, wanted),
  )
  return found && found.length > 0 ? { ...item, singleValueExtendedProperties: found } : item
}

const denied = () => graphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
const invalid = (text: string) => graphError(400, 'ErrorPropertyValidationFailure', text)
const outdated = () =>
  graphError(
    412,
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  )

const isOutdated = (event: StoredEvent, ifMatch: string | undefined) =>
  ifMatch !== undefined && ifMatch !== '*' && ifMatch !== etagOf(event)

function refusal(body: Record<string, unknown>): GraphAnswer | undefined {
  const unknown = Object.keys(body).find((name) => !writable.includes(name))
  return unknown === undefined
    ? undefined
    : graphError(
        400,
        'RequestBodyRead',
        `The property '${unknown}' does not exist on type 'microsoft.graph.event', or cannot be written.`,
      )
}

/** A text names the fault. */
function timesOf({ start, end, isAllDay }: Sent, before: Times | undefined): Times | string {
  const allDay = isAllDay ?? before?.isAllDay ?? false
  const startMs = start ? momentOf(start, allDay) : before?.startMs
  const endMs = end ? momentOf(end, allDay) : before?.endMs
  if (startMs === undefined || endMs === undefined) return 'The time or the time zone is not supported.'
  if (endMs < startMs) return 'The end lies before the start.'
  const isMidnight = (ms: number) => ms % 86_400_000 === 0
  if (allDay && (!isMidnight(startMs) || !isMidnight(endMs) || endMs === startMs)) {
    return 'The Event.Start property for an all-day event needs to be set to midnight.'
  }
  if (allDay && start && end && start.timeZone !== end.timeZone)
    return 'Start and end of an all-day event need one time zone.'
  const zone = start?.timeZone ?? before?.zone ?? 'UTC'
  return { startMs, endMs, isAllDay: allDay, zone, zoneName: start ? zone : (before?.zoneName ?? zone) }
}

function momentOf({ dateTime, timeZone }: SentTime, isAllDay: boolean): number | undefined {
  const wallMs = Date.parse(`${dateTime.replace(/Z$/, '')}Z`)
  if (Number.isNaN(wallMs)) return undefined
  if (isAllDay || timeZone === 'UTC') return wallMs
  return instantsOf(timeZone, wallMs)[0] ?? instantsAroundGap(timeZone, wallMs)[0]
}
