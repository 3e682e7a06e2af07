import type { Leased, Line, Waiter } from './connections.ts'

/** The line before one connection that is kept for longer than one statement. */
export function lineBefore(connection: Leased): Line {
  const line = new Set<Waiter>()
  let isFree = true
  const own: Leased = {
    ...connection,
    giveBack() {
      const [next] = line
      isFree = next === undefined
      if (next && line.delete(next)) next.use(own)
    },
    // Waiting statements fail with the error of the closed connection.
    drop(reason) {
      connection.drop(reason)
      own.giveBack()
    },
  }
  return {
    take(waiter) {
      line.add(waiter)
      if (isFree) own.giveBack()
    },
    leave: (waiter) => line.delete(waiter),
  }
}
