// Gauges that must be asked for. They are read when somebody scrapes, at most every so often, and a scrape never waits
// long for them: while a store is away it shows what was read last.

type Measurements = {
  /** `read` sets its gauges; it runs at a scrape when the last time was `everyMs` ago or longer. */
  add(source: string, everyMs: number, read: () => Promise<void>): void
  /** Brings everything up to date, as far as that is quick. */
  refresh(): Promise<void>
}

/** Well within the time that Prometheus waits for a scrape. */
const longestWaitMs = 2_000

/** `count` is told of every source once with 0, and then of each failure. */
export function openMeasurements(count: (source: string, failures: 0 | 1) => void): Measurements {
  const sources: { refresh(): Promise<void> | undefined }[] = []
  return {
    add(source, everyMs, read) {
      count(source, 0)
      let startedAt = Number.NEGATIVE_INFINITY
      let reading: Promise<void> | undefined
      const refresh = () => {
        if (reading || performance.now() - startedAt < everyMs) return reading
        startedAt = performance.now()
        reading = read()
          .catch(() => count(source, 1))
          .finally(() => {
            reading = undefined
          })
        return reading
      }
      sources.push({ refresh })
    },
    async refresh() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestWaitMs)
      })
      await Promise.race([Promise.all(sources.map((source) => source.refresh())), late])
      clearTimeout(timer)
    },
  }
}
