// Writing one copy into a calendar of Google. The identifier of the copy is ours, so a lost answer is found again; it is never
// free again either, so one that the human deleted stays deleted.
import { describedBy } from './describe.ts'
import { type GoogleAnswer, type GoogleApi, googleFailure, googleTrouble, isAbsent, isForbidden } from './googleApi.ts'
import type {
  Closed,
  CopyTarget,
  Deleted,
  EventCopy,
  Failed,
  Lost,
  Refused,
  Rejected,
  WrittenCopy,
} from './provider.ts'

/** The version that our last write made, and the fields that only some events have and it set. */
type Kept = { etag: string | null; set?: readonly Further[] }
type Trouble = Failed | Refused | Closed
type Stored = { kind: 'stored'; etag: string | null; isCancelled: boolean }
type Absent = { kind: 'absent' }

const maxTries = 3
const forbidden: Lost = { kind: 'lost', category: 'forbidden' }
const notFound: Lost = { kind: 'lost', category: 'not_found' }

export async function putGoogle(
  api: GoogleApi,
  target: CopyTarget,
  copy: EventCopy,
): Promise<WrittenCopy | Deleted | Rejected | Lost | Trouble> {
  let { etag } = keptOf(target)
  // Only a copy that was seen can have been deleted by its human.
  let wasSeen = etag !== undefined
  if (etag === undefined) {
    const body = { id: target.key, ...insertBody(copy) }
    const answer = await api.request({ method: 'POST', path: `${eventsOf(target)}?${quietly}`, body })
    if (answer.kind === 'answered') return written(target, answer, copy)
    if (answer.kind !== 'status' || answer.status !== 409) return refused(api, target, answer, wasSeen)
  }
  for (let tries = 0; tries < maxTries; tries++) {
    if (etag === undefined) {
      const stored = await find(api, target)
      if (stored.kind === 'absent') return wasSeen ? goneOf(api, target) : googleFailure('provider_error')
      if (stored.kind !== 'stored') return stored
      if (stored.isCancelled) return { kind: 'deleted' }
      etag = stored.etag
      wasSeen = true
    }
    const answer = await api.request({
      method: 'PATCH',
      path: `${eventOf(target)}?${quietly}`,
      body: patchBody(copy, keptOf(target).set ?? []),
      ...(etag !== null && { ifMatch: etag }),
    })
    if (answer.kind === 'answered') return written(target, answer, copy)
    if (answer.kind !== 'status' || answer.status !== 412) return refused(api, target, answer, wasSeen)
    etag = undefined
  }
  return googleFailure('provider_error')
}

export async function removeGoogle(api: GoogleApi, target: CopyTarget): Promise<{ kind: 'removed' } | Lost | Trouble> {
  let etag = keptOf(target).etag ?? null
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await api.request({
      method: 'DELETE',
      path: `${eventOf(target)}?${quietly}`,
      ...(etag !== null && { ifMatch: etag }),
    })
    if (answer.kind === 'answered') return { kind: 'removed' }
    if (answer.kind !== 'status') return answer
    if (answer.status === 410) return { kind: 'removed' }
    if (isAbsent(answer)) return absentOf(api, target)
    if (isForbidden(answer)) return forbidden
    if (answer.status !== 412) return googleTrouble(answer)
    const stored = await find(api, target)
    if (stored.kind === 'absent') return absentOf(api, target)
    if (stored.kind === 'stored' && stored.isCancelled) return { kind: 'removed' }
    if (stored.kind !== 'stored') return stored
    etag = stored.etag
  }
  return googleFailure('provider_error')
}

/** A copy that shall go is not found: it is gone, if it would be found. */
async function absentOf(api: GoogleApi, target: CopyTarget): Promise<{ kind: 'removed' } | Lost | Trouble> {
  const gone = await goneOf(api, target)
  return gone.kind === 'deleted' ? { kind: 'removed' } : gone
}

const quietly = 'sendUpdates=none'
const eventsOf = ({ remote }: CopyTarget): string => `/calendars/${encodeURIComponent(remote)}/events`
const keptOf = ({ kept }: CopyTarget): Partial<Kept> => (kept === null ? {} : (JSON.parse(kept) as Kept))
const eventOf = (target: CopyTarget): string => `${eventsOf(target)}/${target.key}`

/** The event under the identifier. */
async function find(api: GoogleApi, target: CopyTarget): Promise<Stored | Absent | Lost | Trouble> {
  const answer = await api.request({ method: 'GET', path: eventOf(target) })
  if (answer.kind === 'answered') {
    const { status } = (answer.body ?? {}) as { status?: unknown }
    return { kind: 'stored', etag: etagOf(answer), isCancelled: status === 'cancelled' }
  }
  if (answer.kind !== 'status') return answer
  if (isAbsent(answer)) return { kind: 'absent' }
  return isForbidden(answer) ? forbidden : googleTrouble(answer)
}

/** A copy that was seen is gone: its human deleted it, unless the calendar is gone or was only taken out of our reach. */
async function goneOf(api: GoogleApi, { remote }: CopyTarget): Promise<Deleted | Lost | Trouble> {
  const answer = await api.request({ method: 'GET', path: `/users/me/calendarList/${encodeURIComponent(remote)}` })
  if (answer.kind === 'answered') {
    const { deleted, accessRole } = (answer.body ?? {}) as { deleted?: unknown; accessRole?: unknown }
    if (deleted === true) return notFound
    return accessRole === undefined || accessRole === 'owner' ? { kind: 'deleted' } : forbidden
  }
  if (answer.kind !== 'status') return answer
  if (isAbsent(answer)) return notFound
  return isForbidden(answer) ? forbidden : googleTrouble(answer)
}

/** The meaning of a refused write. Google also answers 403 where a deleted event is to be changed. */
async function refused(
  api: GoogleApi,
  target: CopyTarget,
  answer: Exclude<GoogleAnswer, { kind: 'answered' }>,
  wasSeen: boolean,
): Promise<Deleted | Rejected | Lost | Trouble> {
  if (answer.kind !== 'status') return answer
  if (answer.status === 400 || answer.status === 413) {
    return { kind: 'rejected', message: 'Google does not accept this event.' }
  }
  if (isAbsent(answer)) return wasSeen ? goneOf(api, target) : notFound
  if (!isForbidden(answer)) return googleTrouble(answer)
  const stored = await find(api, target)
  if (stored.kind === 'stored' && stored.isCancelled) return { kind: 'deleted' }
  return stored.kind === 'stored' || stored.kind === 'absent' ? forbidden : stored
}

type Answered = Extract<GoogleAnswer, { kind: 'answered' }>

function etagOf({ body, etag }: Answered): string | null {
  const bodyEtag = (body as { etag?: unknown } | undefined)?.etag
  return typeof bodyEtag === 'string' ? bodyEtag : (etag ?? null)
}

function written(target: CopyTarget, answer: Answered, copy: EventCopy): WrittenCopy {
  const set = Object.keys(furtherOf(copy)) as Further[]
  const kept: Kept = { etag: etagOf(answer), ...(set.length > 0 && { set }) }
  return { kind: 'written', kept: JSON.stringify(kept), object: null, uid: `${target.key}@google.com` }
}

const furtherOf = ({ place, isTransparent, isPrivate }: EventCopy) => ({
  ...(place !== undefined && { location: place }),
  ...(isTransparent && { transparency: 'transparent' }),
  ...(isPrivate && { visibility: 'private' }),
})
type Further = 'location' | 'transparency' | 'visibility'

/** As they are without us. Those that we never set are the human's. */
const usual: Record<Further, string | null> = { location: null, transparency: 'opaque', visibility: 'default' }

const cleared = (set: readonly Further[]) => Object.fromEntries(set.map((name) => [name, usual[name]]))

function ours({ title, isTentative, times, recurrence }: EventCopy) {
  const timeZone = recurrence?.zone ?? 'UTC'
  const side = (at: Date | string) => (typeof at === 'string' ? { date: at } : { dateTime: at.toISOString(), timeZone })
  return {
    summary: title,
    status: isTentative ? 'tentative' : 'confirmed',
    start: side(times.start),
    end: side(times.end),
  }
}

const describedIn = (copy: EventCopy) => {
  const description = describedBy(copy)
  return description !== null && { description }
}

const insertBody = (copy: EventCopy) => ({
  ...ours(copy),
  ...describedIn(copy),
  ...furtherOf(copy),
  ...(copy.recurrence && { recurrence: linesOf(copy) }),
  reminders: { useDefault: true },
})

/** A patch keeps the fields that it does not name, within a time too: a field to remove is null. */
function patchBody(copy: EventCopy, set: readonly Further[]) {
  const { start, end, ...rest } = ours(copy)
  const none = { date: null, dateTime: null, timeZone: null }
  return {
    ...rest,
    start: { ...none, ...start },
    end: { ...none, ...end },
    description: describedBy(copy),
    recurrence: copy.recurrence && linesOf(copy),
    ...cleared(set),
    ...furtherOf(copy),
  }
}

function linesOf({ recurrence }: EventCopy): string[] {
  const { rule, excluded, added = [] } = recurrence!
  return [`RRULE:${rule}`, ...listOf('RDATE', added), ...listOf('EXDATE', excluded)]
}

function listOf(name: string, starts: readonly (Date | string)[]): string[] {
  const compact = (text: string) => text.replaceAll(/[-:]|\.\d+/g, '')
  const dates = starts.filter((one) => typeof one === 'string').map(compact)
  const moments = starts.filter((one) => one instanceof Date).map((one) => compact(one.toISOString()))
  return [
    ...(dates.length > 0 ? [`${name};VALUE=DATE:${dates.join()}`] : []),
    ...(moments.length > 0 ? [`${name}:${moments.join()}`] : []),
  ]
}
