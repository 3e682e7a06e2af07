// A queue per key inside this process: those who would contend for one row take turns. It only keeps contention low;
// correctness comes from the row's revision.

export function openTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
