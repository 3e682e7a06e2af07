// Busy time as Google's freeBusy tells it: in slices, because it answers at most some three months, and kept by month, so that a
// read changes only the months that have changed.
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { dayMs } from '../shapes/durations.ts'
import { type GoogleApi, googleFailure, googleTrouble, openGoogleApi } from './googleApi.ts'
import type { Account, CalendarRead, Closed, Failed, ReadObject, ReadTask, Refused } from './provider.ts'
import type { Interval } from './rules.ts'

const readMs = 60_000
const sliceMs = 90 * dayMs
const maxTogether = 50

type End = Failed | Refused | Closed

export async function readGoogle(
  door: { http: Http; reader: Reader },
  { credentials, server }: Account,
  tasks: readonly ReadTask[],
  each: (nth: number, result: CalendarRead | Failed) => Promise<void>,
): Promise<{ kind: 'done' } | End> {
  const api = openGoogleApi(door, server, credentials, performance.now() + readMs)
  for (let first = 0; first < tasks.length; first += maxTogether) {
    const some = tasks.slice(first, first + maxTogether)
    const ids = some.map(({ remote }) => remote)
    const slices = await Promise.all(slicesOf(some[0]!.horizon).map((slice) => askSlice(api, ids, slice)))
    // A copy needs all slices: if one fails, the read fails.
    const ended = slices.find((slice) => slice.kind !== 'slice')
    if (ended) return ended
    for (const [nth, task] of some.entries()) {
      const parts = slices.map((slice) => (slice as Slice).calendars.get(task.remote) ?? googleFailure('malformed'))
      const trouble = parts.find((part) => !Array.isArray(part))
      await each(first + nth, (trouble as Failed | undefined) ?? readOf(task, joined((parts as Interval[][]).flat())))
    }
  }
  return { kind: 'done' }
}

type Window = { from: Date; until: Date }

/** From midnight to midnight, so that what crosses an edge is the same all day. */
function slicesOf({ from, until }: Window): Window[] {
  const first = Math.floor(from.getTime() / dayMs) * dayMs
  const last = Math.ceil(until.getTime() / dayMs) * dayMs
  return Array.from({ length: Math.ceil((last - first) / sliceMs) }, (_, nth) => ({
    from: new Date(first + nth * sliceMs),
    until: new Date(Math.min(last, first + (nth + 1) * sliceMs)),
  }))
}

type Slice = { kind: 'slice'; calendars: ReadonlyMap<string, Interval[] | Failed> }
type FreeBusy = { errors?: { reason?: unknown }[]; busy?: { start?: unknown; end?: unknown }[] }

async function askSlice(api: GoogleApi, ids: readonly string[], { from, until }: Window): Promise<Slice | End> {
  const body = {
    timeMin: from.toISOString(),
    timeMax: until.toISOString(),
    calendarExpansionMax: maxTogether,
    items: ids.map((id) => ({ id })),
  }
  const answer = await api.request({ method: 'POST', path: '/freeBusy', body })
  if (answer.kind === 'status')
    return isScopeMissing(answer) ? { kind: 'refused', reason: 'scope_missing' } : googleTrouble(answer)
  if (answer.kind !== 'answered') return answer
  const { calendars } = (answer.body ?? {}) as { calendars?: Record<string, FreeBusy> }
  if (typeof calendars !== 'object' || calendars === null) return googleFailure('malformed')
  return {
    kind: 'slice',
    calendars: new Map(Object.entries(calendars).map(([id, intervals]) => [id, intervalsOf(intervals)])),
  }
}

const isScopeMissing = ({ status, reason }: { status: number; reason: string }): boolean =>
  status === 403 && /^(insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/.test(reason)

/** Of reasons for which freeBusy refuses one calendar; others are our or Google's trouble, such as `internalError`. */
const categories = new Map<string, 'not_found' | 'forbidden' | 'too_large'>([
  ['notFound', 'not_found'],
  ['forbidden', 'forbidden'],
  ['groupTooBig', 'too_large'],
])

function intervalsOf({ errors, busy }: FreeBusy): Interval[] | Failed {
  if (Array.isArray(errors) && errors.length > 0) {
    const reason = String(errors[0]?.reason)
    return { ...googleFailure(categories.get(reason) ?? 'provider_error'), isRefusal: true }
  }
  const intervals = (Array.isArray(busy) ? busy : []).map(({ start, end }) => ({
    startMs: Date.parse(String(start)),
    endMs: Date.parse(String(end)),
  }))
  if (intervals.some(({ startMs, endMs }) => Number.isNaN(startMs) || Number.isNaN(endMs)))
    return googleFailure('malformed')
  return intervals.filter(({ startMs, endMs }) => endMs > startMs)
}

/** In order, and touching ones as one: a slice may cut an interval that the next one continues. */
function joined(intervals: readonly Interval[]): Interval[] {
  const result: Interval[] = []
  for (const { startMs, endMs } of intervals.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else result.push({ startMs, endMs })
  }
  return result
}

/** The months that have changed; all of them if nothing is known. */
function readOf({ known, digest }: ReadTask, busy: readonly Interval[]): CalendarRead {
  const months = Map.groupBy(busy, ({ startMs }) => new Date(startMs).toISOString().slice(0, 7))
  const objects = [...months].map(
    ([month, intervals]): ReadObject => ({
      digest: digest(month),
      version: digest(intervals.map(({ startMs, endMs }) => `${startMs}-${endMs}`).join()),
      busy: intervals,
    }),
  )
  const present = new Set(objects.map((one) => one.digest))
  return {
    kind: 'read',
    isWhole: known === undefined,
    isCompared: true,
    objects: known ? objects.filter((one) => known.versions.get(one.digest) !== one.version) : objects,
    removed: known ? [...known.versions.keys()].filter((one) => !present.has(one)) : [],
    cursor: null,
  }
}
