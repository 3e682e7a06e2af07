// A queue per key inside this process: work that would contend for one row takes turns. Two works of one key are never under way at
// once: what they write may share a statement, where the row's revision is the same for both.
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
    last.set(key, turn)
    // Also after a refusal: what is under way before this turn is waited for by the next one.
    const forget = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(forget, forget)
    await begun.promise
    return turn
  }
}
