// Work that shares what one process may do at once. A job that may not begin leaves its work here and ends; whoever is done takes the
// next work along. So waiting costs no job, and the queue is fair in the order that it is given.

type Rules<Item> = {
  /** Beside what is under way. */
  mayBegin(item: Item, working: readonly Item[]): boolean
  /** Whether it may wait. A refused item comes again by itself. */
  mayWait(item: Item, waiting: readonly Item[]): boolean
  /** Of those that may begin: negative if `a` comes first. Otherwise in the order of their waiting. */
  order?(a: Item, b: Item): number
  /** Those of one turn wait behind the others once one of them has begun. */
  turnOf?(item: Item): string
}

/** False if nothing more may begin. */
type Work = () => Promise<boolean>

export type FairQueue<Item> = {
  /** Resolves when what it began is done; at once if it waits, or with false if it may not wait. */
  enter(item: Item, work: Work): Promise<boolean>
}

export function openFairQueue<Item extends { id: string }>(rules: Rules<Item>): FairQueue<Item> {
  const { mayBegin, mayWait, order = () => 0, turnOf = ({ id }) => id } = rules
  const working: Item[] = []
  const waiting = new Map<string, { item: Item; work: Work }>()

  function takeNext(): { item: Item; work: Work } | undefined {
    const next = [...waiting.values()].sort((a, b) => order(a.item, b.item)).find(({ item }) => mayBegin(item, working))
    if (!next) return undefined
    waiting.delete(next.item.id)
    for (const [id, other] of [...waiting]) {
      if (turnOf(other.item) === turnOf(next.item)) waiting.delete(id) && waiting.set(id, other)
    }
    return next
  }

  return {
    async enter(item, work) {
      if (!mayBegin(item, working)) {
        const others = [...waiting.values()].map((other) => other.item)
        if (!waiting.has(item.id) && !mayWait(item, others)) return false
        waiting.set(item.id, { item, work })
        return true
      }
      let next: { item: Item; work: Work } | undefined = { item, work }
      while (next) {
        const current: Item = next.item
        working.push(current)
        let goesOn = false
        try {
          goesOn = await next.work()
        } finally {
          working.splice(working.indexOf(current), 1)
        }
        next = goesOn ? takeNext() : undefined
      }
      return true
    },
  }
}
