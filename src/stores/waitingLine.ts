// Callers that wait for a connection. First come, first served, but a change may have to let reads pass.

const changes = /\b(?:insert into|update|delete from)\b/i

/** Whether the statement writes; its text is looked through, so this is asked only when it matters. */
export const isChange = (text: string): boolean => changes.test(text)

type Waiting = { text: string }

type WaitingLine<W extends Waiting> = {
  readonly size: number
  add(waiter: W): void
  /** False: it is no longer in the line. */
  delete(waiter: W): boolean
  /** Takes out the first one that may go. `mayChange` is asked only if a change is the first. */
  next(mayChange: () => boolean): W | undefined
  /** Takes out all. */
  empty(): W[]
}

export function openWaitingLine<W extends Waiting>(): WaitingLine<W> {
  /** By their place in the line. */
  const reads = new Map<W, number>()
  const writes = new Map<W, number>()
  let nth = 0

  const firstOf = (waiters: Map<W, number>) => waiters.entries().next().value

  return {
    get size() {
      return reads.size + writes.size
    },
    add(waiter) {
      const waiters = isChange(waiter.text) ? writes : reads
      waiters.set(waiter, nth++)
    },
    delete: (waiter) => reads.delete(waiter) || writes.delete(waiter),
    next(mayChange) {
      const [read, write] = [firstOf(reads), firstOf(writes)]
      const isWriteFirst = write !== undefined && (read === undefined || write[1] < read[1])
      const first = isWriteFirst && mayChange() ? write : read
      if (!first) return undefined
      reads.delete(first[0])
      writes.delete(first[0])
      return first[0]
    },
    empty() {
      const all = [...reads, ...writes].toSorted(([, one], [, other]) => one - other)
      reads.clear()
      writes.clear()
      return all.map(([waiter]) => waiter)
    },
  }
}
