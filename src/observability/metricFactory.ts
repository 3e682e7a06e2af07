// The one door to prom-client. A factory registers its metrics at once, so a process shows all of them from the start.
import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** `calendar_<thing>_<unit>`; the name of a counter ends in `_total`. */
type MetricName = `calendar_${string}`

/** Labels are bounded: never an organization, never an id. */
export type MetricFactory = {
  counter<Label extends string = never>(name: `${MetricName}_total`, help: string, labels?: Label[]): Counter<Label>
  /** For events of every request. */
  tallied<Label extends string>(name: `${MetricName}_total`, help: string, labels: Label[]): TalliedCounter<Label>
  gauge<Label extends string = never>(name: MetricName, help: string, labels?: Label[]): Gauge<Label>
  level(name: MetricName, help: string): Level
  histogram<Label extends string = never>(
    name: `${MetricName}_${'seconds' | 'rows'}`,
    help: string,
    buckets: number[],
    labels?: Label[],
  ): Histogram<Label>
}

/** A plain number that the next scrape adds to its counter: finding a series by its labels takes longer than counting. */
export type Tally = { count: number }
type TalliedCounter<Label extends string> = Counter<Label> & { tallyOf(labels: Record<Label, string>): Tally }

/** A gauge of a plain number: a scrape shows its current value. */
type Level = { now: number }

/** Seconds in which a machine answers. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds for which something due can wait. */
export const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** A registry that already has the metrics of Node and of its process. */
export function openRegistry(): { registry: Registry; factory: MetricFactory } {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'calendar_', eventLoopMonitoringPrecision: longestTimerMs })
  measureEventLoop(registry)
  const factory: MetricFactory = {
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    tallied<Label extends string>(name: string, help: string, labelNames: Label[]) {
      const tallies: { labels: Record<Label, string>; tally: Tally }[] = []
      const counter = new Counter<Label>({
        ...{ name, help, labelNames, registers },
        collect() {
          for (const { labels, tally } of tallies) {
            this.inc(labels, tally.count)
            tally.count = 0
          }
        },
      })
      const tallyOf = (labels: Record<Label, string>) => {
        const tally = { count: 0 }
        tallies.push({ labels, tally })
        return tally
      }
      return Object.assign(counter, { tallyOf })
    },
    level(name, help) {
      const level: Gauge & Level = Object.assign(
        new Gauge({
          ...{ name, help, registers },
          collect() {
            this.set(level.now)
          },
        }),
        { now: 0 },
      )
      return level
    },
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, buckets, labelNames = []) => new Histogram({ name, help, buckets, labelNames, registers }),
  }
  return { registry, factory }
}

const longestTimerMs = 2 ** 31 - 1

/** The event loop metrics of `prom-client`, under its names. In nanoseconds. */
const lagFigures: Record<string, (delay: ELDHistogram) => number> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (delay) => delay.percentile(50),
  p90: (delay) => delay.percentile(90),
  p99: (delay) => delay.percentile(99),
}

/**
 * How long the turns of the event loop took since the last scrape. `prom-client` would see how late a timer is: that wakes an idle
 * process, and counts the time between two timers as a delay. So it gets a timer that never fires, and Node measures each turn.
 */
function measureEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ samplePerIteration: true })
  delay.enable()
  const collect = () => {
    if (delay.count === 0) return
    for (const [gauge, figureOf] of gauges) gauge.set(figureOf(delay) / 1e9)
    delay.reset()
  }
  const gauges = Object.entries(lagFigures).map(([figure, figureOf], nth) => {
    const name = `calendar_nodejs_eventloop_lag_${figure}_seconds`
    registry.removeSingleMetric(name)
    const help = `How long a turn of the event loop took since the last scrape: ${figure}.`
    return [new Gauge({ name, help, registers: [registry], ...(nth === 0 && { collect }) }), figureOf] as const
  })
}
