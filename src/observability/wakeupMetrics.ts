// The wake-ups of workers and their answers: the sweeper, the pools, their jobs and the queues in Redis.
import { latencyBuckets, type MetricFactory } from './metricFactory.ts'

export const wakeupMetrics = ({ counter, gauge, histogram }: MetricFactory) => ({
  sweeperRescues: counter(
    'calendar_sweeper_rescues_total',
    'Due rows for which no worker had been woken, by source. Above zero: Redis lost wake-ups or a worker died.',
    ['source'],
  ),
  sweeperRuns: counter(
    'calendar_sweeper_runs_total',
    'Sweeps, by outcome: done, without_redis (the sweeper did the work itself), or failed.',
    ['outcome'],
  ),
  workerPool: gauge('calendar_worker_pool', '1 for each queue that this process serves.', ['queue']),
  jobDuration: histogram(
    'calendar_job_duration_seconds',
    'Duration of one job, by name. A job that fires timers runs until its second is over.',
    latencyBuckets,
    ['job'],
  ),
  jobTroubles: counter(
    'calendar_job_troubles_total',
    'Jobs that failed or whose worker disappeared (stalled), by queue.',
    ['queue', 'trouble'],
  ),
  queueJobs: gauge(
    'calendar_queue_jobs',
    'Wake-ups in Redis, by queue and state: waiting for a worker, active, or delayed until they are due. The same on every worker.',
    ['queue', 'state'],
  ),
  queueOldestWaiting: gauge(
    'calendar_queue_oldest_waiting_seconds',
    'Time since the oldest waiting wake-up was due; 0 without waiting wake-ups.',
    ['queue'],
  ),
})
