// A queue per key inside this process: work that would contend for one row takes turns. It only keeps contention low;
// correctness comes from the row's revision.
import { overloaded } from '../errors.ts'

/** The deadline of a statement: if the first waiter times out, the others would time out too. */
const usualPatienceMs = 5_000

export function openTurns(patienceMs = usualPatienceMs) {
  const last = new Map<string, Promise<unknown>>()
  /** Rejects with 503 if the turn does not come in time; `work` has not begun then. */
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>()
    const refusal = setTimeout(() => {
      begun.reject(overloaded('Too many concurrent requests for this resource. Nothing was changed; try again.'))
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
