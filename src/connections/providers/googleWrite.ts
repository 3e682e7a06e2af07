// Writing one copy into a calendar of Google. The identifier of the copy is ours, so a lost answer is found again; it is never
// free again either, so one that the human deleted stays deleted.
import { type GoogleAnswer, type GoogleApi, googleFailure, googleTrouble, isLimit } from './googleApi.ts'
import type { Closed, CopyPlace, Deleted, EventCopy, Failed, Lost, Refused, Rejected, WrittenCopy } from './provider.ts'

/** The version that our last write made. */
type Kept = { etag: string | null }
type Trouble = Failed | Refused | Closed
type Stored = { kind: 'stored'; etag: string | null; isCancelled: boolean }

const maxTries = 3

export async function putGoogle(
  api: GoogleApi,
  place: CopyPlace,
  copy: EventCopy,
): Promise<WrittenCopy | Deleted | Rejected | Lost | Trouble> {
  let etag = place.kept === null ? undefined : (JSON.parse(place.kept) as Kept).etag
  if (etag === undefined) {
    const body = { id: place.key, ...insertBody(copy) }
    const answer = await api.request({ method: 'POST', path: `${eventsOf(place)}?${quietly}`, body })
    if (answer.kind === 'answered') return written(place, answer)
    if (answer.kind !== 'status' || answer.status !== 409) return refused(api, place, answer)
  }
  for (let tries = 0; tries < maxTries; tries++) {
    if (etag === undefined) {
      const stored = await find(api, place)
      if (stored.kind !== 'stored') return stored
      if (stored.isCancelled) return { kind: 'deleted' }
      etag = stored.etag
    }
    const answer = await api.request({
      method: 'PATCH',
      path: `${eventOf(place)}?${quietly}`,
      body: patchBody(copy),
      ...(etag !== null && { ifMatch: etag }),
    })
    if (answer.kind === 'answered') return written(place, answer)
    if (answer.kind !== 'status' || answer.status !== 412) return refused(api, place, answer)
    etag = undefined
  }
  return googleFailure('provider_error')
}

export async function removeGoogle(api: GoogleApi, place: CopyPlace): Promise<{ kind: 'removed' } | Lost | Trouble> {
  let etag = place.kept === null ? null : (JSON.parse(place.kept) as Kept).etag
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await api.request({
      method: 'DELETE',
      path: `${eventOf(place)}?${quietly}`,
      ...(etag !== null && { ifMatch: etag }),
    })
    if (answer.kind === 'answered') return { kind: 'removed' }
    if (answer.kind !== 'status') return answer
    if (answer.status === 404 || answer.status === 410) return { kind: 'removed' }
    if (answer.status === 403 && !isLimit(answer)) return { kind: 'lost', category: 'forbidden' }
    if (answer.status !== 412) return googleTrouble(answer)
    const stored = await find(api, place)
    if (stored.kind === 'deleted' || (stored.kind === 'stored' && stored.isCancelled)) return { kind: 'removed' }
    if (stored.kind !== 'stored') return stored
    etag = stored.etag
  }
  return googleFailure('provider_error')
}

const quietly = 'sendUpdates=none'
const eventsOf = ({ remote }: CopyPlace): string => `/calendars/${encodeURIComponent(remote)}/events`
const eventOf = (place: CopyPlace): string => `${eventsOf(place)}/${place.key}`

/** What stands under the identifier. */
async function find(api: GoogleApi, place: CopyPlace): Promise<Stored | Deleted | Lost | Trouble> {
  const answer = await api.request({ method: 'GET', path: eventOf(place) })
  if (answer.kind === 'answered') {
    const { status } = (answer.body ?? {}) as { status?: unknown }
    return { kind: 'stored', etag: etagOf(answer), isCancelled: status === 'cancelled' }
  }
  if (answer.kind !== 'status') return answer
  if (answer.status === 404 || answer.status === 410) return goneOf(api, place)
  if (answer.status === 403 && !isLimit(answer)) return { kind: 'lost', category: 'forbidden' }
  return googleTrouble(answer)
}

/** Whether the calendar itself is gone, or only the copy. */
async function goneOf(api: GoogleApi, { remote }: CopyPlace): Promise<Deleted | Lost | Trouble> {
  const answer = await api.request({ method: 'GET', path: `/users/me/calendarList/${encodeURIComponent(remote)}` })
  if (answer.kind === 'answered') return { kind: 'deleted' }
  if (answer.kind !== 'status') return answer
  return answer.status === 404 || answer.status === 410
    ? { kind: 'lost', category: 'not_found' }
    : googleTrouble(answer)
}

/** What a refused write means. Google also answers 403 where it does not let a deleted event be changed. */
async function refused(
  api: GoogleApi,
  place: CopyPlace,
  answer: Exclude<GoogleAnswer, { kind: 'answered' }>,
): Promise<Deleted | Rejected | Lost | Trouble> {
  if (answer.kind !== 'status') return answer
  if (answer.status === 400 || answer.status === 413) {
    return { kind: 'rejected', message: 'Google does not accept this event.' }
  }
  if (answer.status === 404 || answer.status === 410) return goneOf(api, place)
  if (answer.status !== 403 || isLimit(answer)) return googleTrouble(answer)
  const stored = await find(api, place)
  if (stored.kind === 'deleted' || (stored.kind === 'stored' && stored.isCancelled)) return { kind: 'deleted' }
  return stored.kind === 'stored' ? { kind: 'lost', category: 'forbidden' } : stored
}

type Answered = Extract<GoogleAnswer, { kind: 'answered' }>

function etagOf({ body, etag }: Answered): string | null {
  const told = (body as { etag?: unknown } | undefined)?.etag
  return typeof told === 'string' ? told : (etag ?? null)
}

const written = (place: CopyPlace, answer: Answered): WrittenCopy => ({
  kind: 'written',
  kept: JSON.stringify({ etag: etagOf(answer) } satisfies Kept),
  object: null,
  uid: `${place.key}@google.com`,
})

function ours({ title, isTentative, times }: EventCopy) {
  const side = (at: Date | string) =>
    typeof at === 'string' ? { date: at } : { dateTime: at.toISOString(), timeZone: 'UTC' }
  return {
    summary: title,
    status: isTentative ? 'tentative' : 'confirmed',
    start: side(times.start),
    end: side(times.end),
  }
}

const insertBody = (copy: EventCopy) => ({
  ...ours(copy),
  ...(copy.description !== null && { description: copy.description }),
  ...(copy.recurrence && { recurrence: linesOf(copy) }),
  reminders: { useDefault: true },
})

/** A patch keeps what it does not name, within a time too: what shall not be there is null. */
function patchBody(copy: EventCopy) {
  const { start, end, ...rest } = ours(copy)
  const none = { date: null, dateTime: null, timeZone: null }
  return {
    ...rest,
    start: { ...none, ...start },
    end: { ...none, ...end },
    description: copy.description,
    recurrence: copy.recurrence && linesOf(copy),
  }
}

function linesOf({ recurrence }: EventCopy): string[] {
  const { rule, excluded } = recurrence!
  const compact = (text: string) => text.replaceAll(/[-:]|\.\d+/g, '')
  const dates = excluded.filter((one) => typeof one === 'string').map(compact)
  const moments = excluded.filter((one) => one instanceof Date).map((one) => compact(one.toISOString()))
  return [
    `RRULE:${rule}`,
    ...(dates.length > 0 ? [`EXDATE;VALUE=DATE:${dates.join()}`] : []),
    ...(moments.length > 0 ? [`EXDATE:${moments.join()}`] : []),
  ]
}
