// A snapshot of Postgres, as `pg_current_snapshot()` writes it: `xmin:xmax:xip,xip`. It sees every transaction before xmax that is
// not in its list. Snapshots of one primary follow each other: the later one sees all that the earlier one sees.

export type Snapshot = string & { readonly snapshot: unique symbol }

/** Sees nothing: 3 is the first transaction of a database. */
export const beforeAll = '3:3:' as Snapshot

const partsOf = (snapshot: Snapshot) => {
  const [, xmax, running] = snapshot.split(':')
  return { xmax: Number(xmax), running: running ? running.split(',').length : 0 }
}

/** Whether it names transactions that were running. */
export const namesRunning = (snapshot: Snapshot): boolean => partsOf(snapshot).running > 0

/** Whether `a` sees less than `b`. The list of one xmax only becomes shorter. */
export function isEarlier(a: Snapshot, b: Snapshot): boolean {
  const [first, second] = [partsOf(a), partsOf(b)]
  return first.xmax === second.xmax ? first.running > second.running : first.xmax < second.xmax
}
