// A queue per key inside this process: those who would contend for one row take turns. It only keeps contention low;
// correctness comes from the row's revision.
import { overloaded } from '../errors.ts'

/** As long as one statement may take: when the first of a queue waits that long in vain, the others need not follow. */
const usualPatienceMs = 5_000

export function openTurns(patienceMs = usualPatienceMs) {
  const last = new Map<string, Promise<unknown>>()
  /** Whose turn does not come in time is refused, and nothing of it has happened. */
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>()
    const refusal = setTimeout(() => {
      begun.reject(overloaded('Too many requests wait for the same thing. Nothing was changed, try again.'))
    }, patienceMs)
    const begin = () => {
      clearTimeout(refusal)
      begun.resolve()
      return begun.promise.then(work)
    }
    const turn = (last.get(key) ?? Promise.resolve()).then(begin, begin)
    turn.catch(() => undefined)
    last.set(key, turn)
    try {
      await begun.promise
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
