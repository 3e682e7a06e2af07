// `view=local`: laid over an answer that is ready, so that no record needs to know about it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sliceTimer } from '../shapes/slices.ts'
import { localOf } from './present.ts'

/** How records name a start and an end. */
const spans = [
  ['startTime', 'endTime'],
  ['start_time', 'end_time'],
  ['start', 'end'],
] as const

type Json = Record<string, unknown>

/**
 * A copy of the answer in which every object with a start and an end also has both as `local`, on the wall clock of `zone`. The
 * copy is for `JSON.stringify` alone. The answer itself may be shared with other requests, so it stays unchanged.
 */
export function withLocal(answer: unknown, zone: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  if (Array.isArray(answer)) return answer.map((one) => withLocal(one, zone))
  // `metadata` belongs to callers, whatever it looks like.
  const copied = (key: string, one: unknown) => [key, key === 'metadata' ? one : withLocal(one, zone)]
  return (
    shownLocally(answer as Json, zone) ??
    Object.fromEntries(Object.entries(answer).map(([key, one]) => copied(key, one)))
  )
}

/** The same for a list and the like, in slices of the event loop. */
export async function slicedWithLocal(answer: unknown, zone: string): Promise<unknown> {
  const shown = shownLocally(answer as Json, zone)
  if (shown) return shown
  const isSliceOver = sliceTimer()
  const copied: Json = {}
  for (const [key, one] of Object.entries(answer as Json)) {
    if (key === 'metadata') copied[key] = one
    else copied[key] = Array.isArray(one) ? await copyAll(one) : withLocal(one, zone)
  }
  return copied

  async function copyAll(list: readonly unknown[]): Promise<unknown[]> {
    const all: unknown[] = []
    for (const one of list) {
      all.push(withLocal(one, zone))
      if (isSliceOver()) await nextTurn()
    }
    return all
  }
}

/** Undefined for anything without a start and an end. */
function shownLocally(record: Json | null, zone: string): Json | undefined {
  for (const [from, to] of spans) {
    const [start, end] = [record?.[from], record?.[to]]
    if (typeof start !== 'string' || typeof end !== 'string') continue
    // Lists of events are asked for again and again, each slot mostly once.
    const isEvent = from === 'startTime'
    const local = isEvent ? knownLocal(start, end, record!.allDay === true, zone) : localText(start, end, false, zone)
    return { ...record, local }
  }
  return undefined
}

const known = new Map<string, Json>()
const maxKnown = 5_000

/** The same objects again: they are for `JSON.stringify` alone. */
function knownLocal(start: string, end: string, allDay: boolean, zone: string): Json {
  const key = `${start}${end}${allDay ? '!' : ' '}${zone}`
  const found = known.get(key)
  if (found) return found
  const local = localText(start, end, allDay, zone)
  if (known.size >= maxKnown) known.clear()
  known.set(key, local)
  return local
}

function localText(start: string, end: string, allDay: boolean, zone: string): Json {
  const local: Json = localOf({ start: new Date(start), end: new Date(end), allDay }, zone, escapedDash)
  local.text = rawJSON(`"${local.text}"`)
  return local
}

/**
 * The dash itself would make the whole answer a string of two bytes for each sign, which takes twice as long to write and to
 * send. Nothing else in `text` needs an escape.
 */
const escapedDash = '\\u2013'
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }
