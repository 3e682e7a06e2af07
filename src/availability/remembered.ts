// Answers that still hold. One is as old as the revisions it was made from: they count every change of a calendar, its
// events and its rules, so an answer of the same revisions is the answer, until a hold that it saw lapses.
import type { App } from '../app.ts'
import type { AvailabilityAnswer } from './present.ts'

export type Remembered = {
  answer: AvailabilityAnswer
  revisions: string
  /** When the first hold lapses that the answer treats as busy. */
  until: Date | null
}

export type Memory = {
  recall(question: string): Remembered | undefined
  keep(question: string, remembered: Remembered): void
}

const mostEntries = 5_000
const mostBytes = 64 * 1024 * 1024
/** Two datetimes and their object. */
const stretchBytes = 120

/** Least recently used go first; an answer that would push out an eighth of all is not kept. */
export function openMemory(limits = { entries: mostEntries, bytes: mostBytes }): Memory {
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
      const size = 2 * (question.length + remembered.revisions.length) + sizeOf(remembered.answer)
      if (size > limits.bytes / 8) return
      entries.set(question, { ...remembered, bytes: size })
      bytes += size
      while (entries.size > limits.entries || bytes > limits.bytes) drop(entries.keys().next().value!)
    },
  }
}

function sizeOf({ agents, slots, busy, per_agent_busy }: AvailabilityAnswer): number {
  const busyOfAgents = Object.values(per_agent_busy ?? {}).reduce((sum, stretches) => sum + stretches.length, 0)
  return 1_000 + agents.length * 60 + (slots.length + (busy?.length ?? 0) + busyOfAgents) * stretchBytes
}

const memories = new WeakMap<App, Memory>()

/** One per process, which is one per application. */
export function memoryOf(app: App): Memory {
  const memory = memories.get(app) ?? openMemory()
  memories.set(app, memory)
  return memory
}
