// Taken time that still holds. It is as old as the revisions it was made from: they count every change of a calendar, its
// events and its rules, so taken time of the same revisions is what would be found anew, until a hold in it lapses.
import type { App } from '../app.ts'
import type { Taken } from './busy.ts'
import type { AvailabilityAnswer } from './present.ts'
import type { Scope } from './queries.ts'

export type Remembered = {
  scope: Scope
  taken: Taken
  revisions: string
  /** When the first of the holds lapses. */
  until: Date | null
  /** The answer in the way it was asked for last. */
  shown?: { way: string; answer: AvailabilityAnswer }
}

type Memory = {
  recall(question: string): Remembered | undefined
  keep(question: string, remembered: Remembered): void
}

const maxEntries = 10_000
const maxBytes = 64 * 1024 * 1024

/** The least recently used go first; what would push out an eighth of all is not kept. */
export function openMemory(limits = { entries: maxEntries, bytes: maxBytes }): Memory {
  const entries = new Map<string, Remembered & { bytes: number }>()
  let bytes = 0

  function drop(question: string) {
    bytes -= entries.get(question)?.bytes ?? 0
    entries.delete(question)
  }

  return {
    recall(question) {
      const found = entries.get(question)
      if (!found) return undefined
      entries.delete(question)
      entries.set(question, found)
      return found
    },
    keep(question, remembered) {
      drop(question)
      const size = 500 + question.length + remembered.revisions.length + sizeOf(remembered)
      if (size > limits.bytes / 8) return
      entries.set(question, { ...remembered, bytes: size })
      bytes += size
      while (entries.size > limits.entries || bytes > limits.bytes) drop(entries.keys().next().value!)
    },
  }
}

/** A stretch that is shown: two datetimes and their object. */
const shownBytes = 120

function sizeOf({ taken, shown }: Remembered): number {
  const lists = [taken.all, ...(taken.busyOfAgents ?? [])]
  const numbers = lists.reduce((sum, list) => sum + list.length, 0)
  const shownStretches = shown ? shown.answer.slots.length + numbers / 2 : 0
  return (taken.agents.length + lists.length) * 100 + numbers * 8 + shownStretches * shownBytes
}

const openMemoryOfApp = () => openMemory()
export const memoryOf = (app: App) => app.memory(openMemoryOfApp)
