// Writes one copy into a calendar of Microsoft. The key is in an extended property, which finds a copy whose answer was lost:
// how long a transaction is remembered is not documented. Only our own fields are sent, so a human's additions stay.
import { z } from 'zod'
import { dayMs } from '../shapes/durations.ts'
import { describedBy } from './describe.ts'
import type { Graph, GraphTrouble } from './graph.ts'
import { type GraphRecurrence, graphRecurrence } from './microsoftRecurrence.ts'
import type { CopyTarget, Deleted, EventCopy, Lost, Rejected, WrittenCopy } from './provider.ts'

const maxTries = 3
const maxOccurrencePages = 50

/** `shape` is that of times and rule as sent; `excluded` are the removed occurrences, in epoch ms; `set`: fields that only some events have. */
type Kept = { id: string; etag: string; shape: string; excluded: number[]; set?: readonly Further[] }
type Further = 'location' | 'sensitivity'

const storedEvent = z.object({ id: z.string().min(1), '@odata.etag': z.string(), iCalUId: z.string().nullish() })
type StoredEvent = z.infer<typeof storedEvent>
const foundEvents = z.object({ value: z.array(storedEvent) })

type Outcome = WrittenCopy | Deleted | Rejected | Lost | GraphTrouble

export async function putEvent(graph: Graph, target: CopyTarget, copy: EventCopy): Promise<Outcome> {
  const outcome = await write(graph, target, copy)
  return outcome.kind === 'status' ? lostBy(outcome) : outcome
}

async function write(graph: Graph, target: CopyTarget, copy: EventCopy): Promise<Outcome> {
  const sent = sentOf(copy)
  if (!sent) return { kind: 'rejected', message: 'Microsoft has no pattern for this rule.' }
  const kept = keptOf(target)
  if (kept) return change(graph, target, sent, kept)
  const found = await find(graph, target)
  if (found.kind !== 'ok') return ofCalendar(found)
  const [first, ...more] = found.body.value
  if (!first) return create(graph, target, sent)
  // Two requests of one copy may both have been carried out.
  for (const { id } of more) {
    const answer = await graph.send({ method: 'DELETE', path: eventPath(target, id) }, z.unknown())
    if (answer.kind !== 'ok' && !isGone(answer)) return answer
  }
  return change(graph, target, sent, { id: first.id, etag: first['@odata.etag'], shape: '', excluded: [] })
}

export async function removeEvent(
  graph: Graph,
  target: CopyTarget,
): Promise<{ kind: 'removed' } | Lost | GraphTrouble> {
  const kept = keptOf(target)
  const found = kept ? undefined : await find(graph, target)
  if (found && found.kind !== 'ok') return lostBy(ofCalendar(found))
  const known = kept ? [kept] : found!.body.value.map((one) => ({ id: one.id, etag: one['@odata.etag'] }))
  for (const one of known) {
    const answer = await removeOne(graph, target, one)
    if (answer.kind === 'ok') continue
    const absent = isGone(answer) ? await gone(graph, target) : answer
    if (absent.kind !== 'deleted') return lostBy(absent)
  }
  return { kind: 'removed' }
}

type Sent = {
  body: Record<string, unknown>
  shape: string
  excluded: number[]
  set: readonly Further[]
  recurrence: GraphRecurrence | null
  times: object
}

/** Undefined if the rule has no pattern. */
function sentOf(copy: EventCopy): Sent | undefined {
  const { title, isTentative, times, recurrence } = copy
  const isAllDay = times.kind === 'dates'
  const [start, end] = [times.start, times.end].map((at) => new Date(at))
  const pattern = recurrence ? graphRecurrence(recurrence.rule, start!) : null
  if (pattern === undefined) return undefined
  const further = furtherOf(copy)
  const moments = { start: momentOf(start!), end: momentOf(end!), isAllDay }
  return {
    body: {
      subject: title,
      body: { contentType: 'text', content: describedBy(copy) ?? '' },
      showAs: copy.isTransparent ? 'free' : isTentative ? 'tentative' : 'busy',
      ...further,
    },
    set: Object.keys(further) as Further[],
    times: moments,
    recurrence: pattern,
    shape: JSON.stringify([moments, pattern]),
    excluded: (recurrence?.excluded ?? []).map((at) => new Date(at).getTime()),
  }
}

const furtherOf = ({ place, isPrivate }: EventCopy) => ({
  ...(place !== undefined && { location: { displayName: place } }),
  ...(isPrivate && { sensitivity: 'private' }),
})

/** As they are without us. Those that we never set are the human's. */
const usual: Record<Further, unknown> = { location: { displayName: '' }, sensitivity: 'normal' }

const momentOf = (at: Date) => ({ dateTime: at.toISOString().slice(0, -1), timeZone: 'UTC' })

/** Of the product, the same in every installation: copies of one are found by the next. */
const propertyId = 'String {5f1d0c2e-8a64-4c0e-9d0b-6f6a3c1b7e92} Name agent-calendar-key'

const eventsPath = ({ remote }: CopyTarget): string => `/me/calendars/${encodeURIComponent(remote)}/events`
const eventPath = (target: CopyTarget, id: string): string => `${eventsPath(target)}/${encodeURIComponent(id)}`

const keptOf = ({ kept }: CopyTarget): Kept | undefined => (kept === null ? undefined : (JSON.parse(kept) as Kept))

const find = (graph: Graph, target: CopyTarget) => {
  const $filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${propertyId}' and ep/value eq '${target.key}')`
  return graph.get(`${eventsPath(target)}?$filter=${encodeURIComponent($filter)}`, foundEvents)
}

async function create(graph: Graph, target: CopyTarget, sent: Sent): Promise<Outcome> {
  const body = {
    ...sent.body,
    ...sent.times,
    ...(sent.recurrence && { recurrence: sent.recurrence }),
    transactionId: target.key,
    singleValueExtendedProperties: [{ id: propertyId, value: target.key }],
  }
  const answer = await graph.send({ method: 'POST', path: eventsPath(target), body }, storedEvent)
  // Its transaction is known, and the event cannot be found: it is still being made, or was removed a moment ago.
  if (answer.kind === 'status' && answer.status === 409) return { kind: 'status', status: 503 }
  if (answer.kind !== 'ok') return isRejected(answer) ? rejected : ofCalendar(answer)
  return exclude(graph, target, sent, answer.body, new Set())
}

/** Writes our fields over the event, unless the human has deleted it. */
async function change(graph: Graph, target: CopyTarget, sent: Sent, kept: Kept): Promise<Outcome> {
  const cleared = Object.fromEntries((kept.set ?? []).map((name) => [name, usual[name]]))
  const fields = { ...cleared, ...sent.body }
  const whole = { ...fields, ...sent.times, recurrence: sent.recurrence }
  // A rule that is sent anew brings cancelled occurrences back, so it is left out while the copy is as we wrote it.
  const isRestored = kept.excluded.some((startMs) => !sent.excluded.includes(startMs))
  let isWhole = kept.shape !== sent.shape || isRestored
  let ifMatch = kept.etag
  const path = eventPath(target, kept.id)
  for (let tries = 0; tries <= maxTries; tries++) {
    const body = isWhole ? whole : fields
    const answer = await graph.send({ method: 'PATCH', path, body, ifMatch }, storedEvent)
    if (answer.kind === 'ok') return exclude(graph, target, sent, answer.body, new Set(isWhole ? [] : kept.excluded))
    if (isGone(answer)) return gone(graph, target)
    if (!isMissed(answer)) return isRejected(answer) ? rejected : answer
    const stored = await graph.get(path, storedEvent)
    if (isGone(stored)) return gone(graph, target)
    if (stored.kind !== 'ok') return stored
    ifMatch = stored.body['@odata.etag']
    isWhole = true
  }
  return { kind: 'status', status: 412 }
}

const occurrencePage = z.object({
  value: z.array(
    z.object({ id: z.string(), start: z.object({ dateTime: z.string() }), originalStart: z.string().nullish() }),
  ),
  '@odata.nextLink': z.string().optional(),
})

/** Removes the cancelled occurrences that are still there; `done` are those that were removed before. */
async function exclude(
  graph: Graph,
  target: CopyTarget,
  sent: Sent,
  event: StoredEvent,
  done: ReadonlySet<number>,
): Promise<Outcome> {
  const missing = new Set(sent.excluded.filter((startMs) => !done.has(startMs)))
  if (missing.size === 0) return written(event, sent)
  const window = new URLSearchParams({
    startDateTime: new Date(Math.min(...missing)).toISOString(),
    endDateTime: new Date(Math.max(...missing) + dayMs).toISOString(),
  })
  let path: string | undefined = `${eventPath(target, event.id)}/instances?${window}`
  const found: string[] = []
  for (let nth = 0; path !== undefined; nth++) {
    if (nth >= maxOccurrencePages) return { kind: 'too_large' }
    const answer: Awaited<ReturnType<typeof graph.get<typeof occurrencePage>>> = await graph.get(path, occurrencePage)
    if (answer.kind !== 'ok') return answer
    const isMissing = ({ start, originalStart }: (typeof answer.body.value)[number]) =>
      missing.has(Date.parse(originalStart ?? `${start.dateTime.replace(/\.\d+$/, '')}Z`))
    found.push(...answer.body.value.filter(isMissing).map(({ id }) => id))
    path = answer.body['@odata.nextLink']
  }
  for (const id of found) {
    const answer = await graph.send({ method: 'DELETE', path: eventPath(target, id) }, z.unknown())
    if (answer.kind !== 'ok' && !isGone(answer)) return answer
  }
  if (found.length === 0) return written(event, sent)
  const stored = await graph.get(eventPath(target, event.id), storedEvent)
  return stored.kind === 'ok' ? written(stored.body, sent) : stored
}

function written(event: StoredEvent, { shape, excluded, set }: Sent): WrittenCopy {
  const kept: Kept = { id: event.id, etag: event['@odata.etag'], shape, excluded, ...(set.length > 0 && { set }) }
  return { kind: 'written', kept: JSON.stringify(kept), object: event.id, uid: event.iCalUId ?? event.id }
}

async function removeOne(graph: Graph, target: CopyTarget, { id, etag }: { id: string; etag: string }) {
  const path = eventPath(target, id)
  let ifMatch = etag
  for (let tries = 0; ; tries++) {
    const answer = await graph.send({ method: 'DELETE', path, ifMatch }, z.unknown())
    if (!isMissed(answer) || tries >= maxTries) return answer
    const stored = await graph.get(path, storedEvent)
    if (stored.kind !== 'ok') return stored
    ifMatch = stored.body['@odata.etag']
  }
}

type Answer = GraphTrouble | { kind: 'ok' }

const isStatus = (answer: Answer, ...statuses: readonly number[]): boolean =>
  answer.kind === 'status' && statuses.includes(answer.status)
const isGone = (answer: Answer): boolean => isStatus(answer, 404, 410)
const isMissed = (answer: Answer): boolean => isStatus(answer, 412)
const isRejected = (answer: Answer): boolean => isStatus(answer, 400, 413, 422)

const rejected: Rejected = { kind: 'rejected', message: 'Microsoft does not accept this event.' }
const forbidden: Lost = { kind: 'lost', category: 'forbidden' }
const notFound: Lost = { kind: 'lost', category: 'not_found' }

const lostBy = (trouble: Lost | GraphTrouble): Lost | GraphTrouble =>
  trouble.kind !== 'lost' && isStatus(trouble, 403) ? forbidden : trouble

/** The meaning of a refusal of the calendar's events: there a 404 is about the calendar. */
const ofCalendar = (trouble: GraphTrouble): Lost | GraphTrouble => (isGone(trouble) ? notFound : trouble)

const calendarRights = z.object({ canEdit: z.boolean().nullish() })

/** A copy that was written is gone: its human deleted it, unless the calendar is gone or may no longer be written to. */
async function gone(graph: Graph, { remote }: CopyTarget): Promise<Deleted | Lost | GraphTrouble> {
  const answer = await graph.get(`/me/calendars/${encodeURIComponent(remote)}`, calendarRights)
  if (answer.kind !== 'ok') return ofCalendar(answer)
  return answer.body.canEdit === false ? forbidden : { kind: 'deleted' }
}
