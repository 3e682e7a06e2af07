// Metrics of one process, in Prometheus' conventions; each topic declares its own. A field is the name of its metric
// without `calendar_`, `_total` and the unit. Set every label of a failure to 0 at the start, or
// Prometheus does not see the first failure as an increase. A test compares the reference of metrics with these declarations.
import { changeFeedMetrics } from './changeFeedMetrics.ts'
import { connectionMetrics } from './connectionMetrics.ts'
import { deliveryMetrics } from './deliveryMetrics.ts'
import { feedMetrics } from './feedMetrics.ts'
import { mailMetrics } from './mailMetrics.ts'
import { openMeasurements } from './measurements.ts'
import { memberMetrics } from './memberMetrics.ts'
import { openRegistry } from './metricFactory.ts'
import { organizationMetrics } from './organizationMetrics.ts'
import { publicationMetrics } from './publicationMetrics.ts'
import { requestMetrics } from './requestMetrics.ts'
import { signInMetrics } from './signInMetrics.ts'
import { storeMetrics } from './storeMetrics.ts'
import { timerMetrics } from './timerMetrics.ts'
import { wakeupMetrics } from './wakeupMetrics.ts'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const { registry, factory } = openRegistry()
  const measurementFailures = factory.counter(
    'calendar_measurement_failures_total',
    'Failed reads of gauges, by source. A gauge that cannot be read keeps its last value.',
    ['source'],
  )
  return {
    registry,
    measurements: openMeasurements((source, failures) => measurementFailures.inc({ source }, failures)),
    measurementFailures,
    ...requestMetrics(factory),
    ...signInMetrics(factory),
    ...organizationMetrics(factory),
    ...timerMetrics(factory),
    ...deliveryMetrics(factory),
    ...feedMetrics(factory),
    ...changeFeedMetrics(factory),
    ...publicationMetrics(factory),
    ...connectionMetrics(factory),
    ...mailMetrics(factory),
    ...memberMetrics(factory),
    ...wakeupMetrics(factory),
    ...storeMetrics(factory),
  }
}
