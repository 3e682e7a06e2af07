// P1, timers as a good team would write them: a delayed BullMQ job for each timer. Its processor writes a delivery for
// each webhook that wants the event, unless the event was cancelled, and adds a job for each delivery.
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { serveLags } from './lags.ts'

export type TimerJob = { eventId: string; dueMs: number }

const sql = postgres(process.env.DATABASE_URL!, { max: 10, fetch_types: false, onnotice: () => {} })
const connection = new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null })
const deliveries = new Queue(process.env.DELIVERIES!, {
  connection: connection.duplicate(),
  skipVersionCheck: true,
  defaultJobOptions: { removeOnComplete: true },
})
const note = serveLags()

async function fire({ eventId, dueMs }: TimerJob) {
  const rows = await sql<{ id: string }[]>`
    insert into peer_deliveries (id, org_id, webhook_id, event_type, payload, status, attempts, created_at)
    select uuidv7(), e.org_id, w.id, 'event.started',
      jsonb_build_object('calendar_id', e.calendar_id, 'event_id', e.id, 'title', e.title, 'started_at', e.start_time),
      'pending', 0, now()
    from peer_events e
    join peer_webhooks w on w.org_id = e.org_id and w.active
    where e.id = ${eventId} and e.status = 'confirmed'
    returning id`
  const jobs = rows.map(({ id }) => ({ name: 'deliver', data: { id } }))
  if (jobs.length === 1) await deliveries.add(jobs[0]!.name, jobs[0]!.data)
  else await deliveries.addBulk(jobs)
  note(dueMs)
}

new Worker(process.env.QUEUE!, ({ data }) => fire(data), {
  connection,
  concurrency: Number(process.env.IN_FLIGHT),
  removeOnComplete: { count: 0 },
})
