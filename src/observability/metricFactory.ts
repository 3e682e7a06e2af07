// The one door to prom-client. What a factory makes is registered at once, so a process shows all its metrics from the
// start.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** `calendar_<thing>_<unit>`; the name of a counter ends in `_total`. */
type MetricName = `calendar_${string}`

/** Labels are bounded: never an organization, never an id. */
export type MetricFactory = {
  counter<Label extends string = never>(name: `${MetricName}_total`, help: string, labels?: Label[]): Counter<Label>
  gauge<Label extends string = never>(name: MetricName, help: string, labels?: Label[]): Gauge<Label>
  histogram<Label extends string = never>(
    name: `${MetricName}_${'seconds' | 'rows'}`,
    help: string,
    buckets: number[],
    labels?: Label[],
  ): Histogram<Label>
}

/** Seconds in which a machine answers. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds for which something due can wait. */
export const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/**
 * How often the delay of the event loop is sampled. An idle process would spend most of its time on the usual 10 ms. Node counts
 * this pause as a part of the delay, so no delay is shorter.
 */
const eventLoopEveryMs = 50

/** A registry that already has the metrics of Node and of its process. */
export function openRegistry(): { registry: Registry; factory: MetricFactory } {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'calendar_', eventLoopMonitoringPrecision: eventLoopEveryMs })
  const factory: MetricFactory = {
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, buckets, labelNames = []) => new Histogram({ name, help, buckets, labelNames, registers }),
  }
  return { registry, factory }
}
