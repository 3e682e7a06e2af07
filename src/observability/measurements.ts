// Gauges whose values must be read from somewhere. A scrape reads them, each source at most once per interval, and does not
// wait long: while a store is away, its gauges keep their last values.

type Measurements = {
  /** `read` sets the gauges of a source; a scrape calls it if the last call was at least `everyMs` ago. */
  add(source: string, everyMs: number, read: () => Promise<void>): void
  /** Reads every source that is due; resolves after 2 seconds at the latest. */
  refresh(): Promise<void>
}

/** Prometheus waits 10 seconds for a scrape by default. */
const maxWaitMs = 2_000

/** Calls `count` with 0 once for every source, and with 1 for each failure. */
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
        timer = setTimeout(resolve, maxWaitMs)
      })
      await Promise.race([Promise.all(sources.map((source) => source.refresh())), late])
      clearTimeout(timer)
    },
  }
}
