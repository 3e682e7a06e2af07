// Cached busy time of external calendars. A copy changes together with its revision, so busy time that was read at the same
// revision still holds.
import type { Uuid } from '../shapes/ids.ts'
import type { Intervals, Window } from './intervals.ts'

/** `busy` lies in the window, and nothing is missing there. */
export type RememberedCopy = { id: Uuid; revision: number; window: Window; busy: Intervals }

type Copies = {
  /** Of the sources that this question found before: those that know all of the window. */
  behind(question: string, window: Window): RememberedCopy[]
  keep(question: string, copies: readonly RememberedCopy[]): void
}

const maxQuestions = 20_000
/** A number takes eight bytes. */
const maxNumbers = 4 * 1024 * 1024

/** Drops the least recently used first. */
export function openCopies(limits = { questions: maxQuestions, numbers: maxNumbers }): Copies {
  const sourcesOf = new Map<string, readonly Uuid[]>()
  const copies = new Map<Uuid, RememberedCopy>()
  let numbers = 0

  function drop(id: Uuid) {
    numbers -= copies.get(id)?.busy.length ?? 0
    copies.delete(id)
  }

  return {
    behind: (question, { fromMs, toMs }) =>
      (sourcesOf.get(question) ?? []).flatMap((id) => {
        const copy = copies.get(id)
        return copy && copy.window.fromMs <= fromMs && copy.window.toMs >= toMs ? copy : []
      }),
    keep(question, found) {
      sourcesOf.delete(question)
      if (found.length === 0) return
      sourcesOf.set(
        question,
        found.map(({ id }) => id),
      )
      if (sourcesOf.size > limits.questions) sourcesOf.delete(sourcesOf.keys().next().value!)
      for (const copy of found) {
        drop(copy.id)
        copies.set(copy.id, copy)
        numbers += copy.busy.length
      }
      while (numbers > limits.numbers) drop(copies.keys().next().value!)
    },
  }
}
