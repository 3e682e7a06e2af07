export type Load = {
  /** Begins nothing more; resolves when everything that began has ended. */
  stop(): Promise<void>
}

/** Begins each of `tasks` this often a second, however long they take; none while `maxAtOnce` are under way. */
export function startSteadily(
  perSecond: number,
  tasks: readonly (() => Promise<unknown>)[],
  maxAtOnce = Number.POSITIVE_INFINITY,
): Load {
  const underWay = new Set<Promise<unknown>>()
  const begin = (task: () => Promise<unknown>) => {
    if (underWay.size >= maxAtOnce) return
    const work = task().finally(() => underWay.delete(work))
    underWay.add(work)
  }
  const timer = setInterval(() => tasks.forEach(begin), 1000 / perSecond)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}
