// Metrics of one process, in Prometheus' conventions. Labels are bounded: never an organization, never an id.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'calendar_' })
  return {
    registry,
    requests: new Histogram({
      name: 'calendar_http_request_duration_seconds',
      help: 'Time from the request line to the last byte of the answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: latencyBuckets,
      registers,
    }),
    gateRefusals: new Counter({
      name: 'calendar_gate_refusals_total',
      help: 'Requests that the gate refused, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    gateWithoutRedis: new Counter({
      name: 'calendar_gate_without_redis_total',
      help: 'Requests decided from Postgres and local buckets because Redis did not answer.',
      registers,
    }),
    timersFired: new Counter({
      name: 'calendar_timers_fired_total',
      help: 'Moments that fired, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    timerLag: new Histogram({
      name: 'calendar_timer_lag_seconds',
      help: 'From the moment a timer was due to the commit that fired it, by kind.',
      labelNames: ['kind'],
      buckets: lagBuckets,
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'calendar_delivery_attempts_total',
      help: 'Webhook attempts, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveryDuration: new Histogram({
      name: 'calendar_delivery_attempt_duration_seconds',
      help: 'Time of one webhook attempt, DNS to the last byte.',
      buckets: latencyBuckets,
      registers,
    }),
    deliveryAge: new Histogram({
      name: 'calendar_delivery_first_attempt_age_seconds',
      help: 'From the change to the first attempt of its delivery.',
      buckets: lagBuckets,
      registers,
    }),
    subscriptionsDeactivated: new Counter({
      name: 'calendar_webhooks_deactivated_total',
      help: 'Webhook subscriptions switched off after too many failures.',
      registers,
    }),
    sweeperRescues: new Counter({
      name: 'calendar_sweeper_rescues_total',
      help: 'Due rows that nobody had been woken for, by source: above zero, Redis lost something or a worker died.',
      labelNames: ['source'],
      registers,
    }),
    readiness: new Gauge({
      name: 'calendar_ready',
      help: '1 while Postgres answers, else 0.',
      registers,
    }),
  }
}
