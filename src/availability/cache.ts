// Cached busy time. A calendar's revision counts every change of the calendar, its events and its rules, so busy time that was
// computed at the same revisions, and of the same feeds of holidays, still holds until a hold in it lapses.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { BusyTime } from './busy.ts'
import type { AvailabilityAnswer } from './present.ts'
import type { Scope } from './queries.ts'

export type Cached = {
  scope: Scope
  busy: BusyTime
  revisions: string
  /** The feeds of holidays that the rules name. Their version is a part of `revisions`. */
  holidayFeeds: readonly Uuid[]
  /** When the first of the holds lapses. */
  until: Date | null
  /** The last answer that was made of it, and the length of its slots. */
  shown?: { slotMinutes: number; answer: AvailabilityAnswer }
}

type Cache = {
  find(question: string): Cached | undefined
  keep(question: string, cached: Cached): void
}

const maxEntries = 10_000
const maxBytes = 64 * 1024 * 1024

/** Drops the least recently used entries first. An entry larger than an eighth of the whole is not kept. */
export function openCache(limits = { entries: maxEntries, bytes: maxBytes }): Cache {
  const entries = new Map<string, Cached & { bytes: number }>()
  let bytes = 0

  function drop(question: string) {
    bytes -= entries.get(question)?.bytes ?? 0
    entries.delete(question)
  }

  return {
    find(question) {
      const found = entries.get(question)
      if (!found) return undefined
      entries.delete(question)
      entries.set(question, found)
      return found
    },
    keep(question, cached) {
      drop(question)
      const size = 500 + question.length + cached.revisions.length + sizeOf(cached)
      if (size > limits.bytes / 8) return
      entries.set(question, { ...cached, bytes: size })
      bytes += size
      while (entries.size > limits.entries || bytes > limits.bytes) drop(entries.keys().next().value!)
    },
  }
}

/** An interval in an answer: two datetimes and their object. */
const shownBytes = 120

function sizeOf({ busy, shown }: Cached): number {
  const lists = [busy.all, ...(busy.ofAgents ?? []), ...(busy.rooms ? [busy.rooms] : [])]
  const numbers = lists.reduce((sum, list) => sum + list.length, 0)
  const shownIntervals = shown ? shown.answer.slots.length + numbers / 2 : 0
  return (busy.agents.length + lists.length) * 100 + numbers * 8 + shownIntervals * shownBytes
}

const openCacheOfApp = () => openCache()
export const cacheOf = (app: App) => app.memory(openCacheOfApp)
