import { openMetrics } from '../../src/observability/metrics.ts'
import { code, page, table } from './markdown.ts'

/** Fields of a metric that prom-client has but does not declare in its types. */
type Metric = { name: string; help: string; labelNames: string[] }

const standard = /^calendar_(process|nodejs)_/

const rowOf = (metric: Metric) => [
  code(metric.name),
  metric.constructor.name.toLowerCase(),
  metric.labelNames.map(code).join(', '),
  metric.help,
]

export const metrics = (): string =>
  page(
    'Metrics',
    '`src/observability/metrics.ts`',
    'Every process serves `GET /metrics` on its own `METRICS_PORT`. How to scrape and aggregate them: [Operating](../operating.md#metrics).',
    table(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      (openMetrics().registry.getMetricsAsArray() as unknown as Metric[])
        .filter(({ name }) => !standard.test(name))
        .map(rowOf),
    ),
    'Besides these there are `calendar_process_…` (CPU, memory, file handles) and `calendar_nodejs_…` (event loop, heap, garbage collection) of `prom-client`.',
  )
