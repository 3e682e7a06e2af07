// P2, deliveries as a good team would write them: a BullMQ job for each delivery, whose processor reads it, posts it
// with a signature and records the outcome.
import { createHmac } from 'node:crypto'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { Agent, request } from 'undici'
import { endWithParent } from '../child.ts'

export type DeliveryJob = { id: string }
type DeliveryRow = { eventType: string; payload: object; url: string; secret: string }

const sql = postgres(process.env.DATABASE_URL!, {
  max: 10,
  fetch_types: false,
  onnotice: () => {},
  transform: postgres.camel,
})
const agent = new Agent({ connections: 256, pipelining: 1 })

async function deliver({ id }: DeliveryJob) {
  const [row] = await sql<DeliveryRow[]>`
    select d.event_type, d.payload, w.url, w.secret
    from peer_deliveries d
    join peer_webhooks w on w.id = d.webhook_id and w.active
    where d.id = ${id} and d.status = 'pending'`
  if (!row) return
  const status = await post(id, row)
  await sql`
    update peer_deliveries
    set status = 'delivered', attempts = attempts + 1, last_status = ${status}, last_attempt_at = now()
    where id = ${id}`
}

/** Throws unless the receiver takes it: BullMQ tries the job again. */
async function post(id: string, { eventType, payload, url, secret }: DeliveryRow): Promise<number> {
  const body = JSON.stringify(payload)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = {
    'content-type': 'application/json',
    'x-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    'x-timestamp': timestamp,
    'x-delivery-id': id,
    'x-event-type': eventType,
  }
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
  if (answer.statusCode >= 300) throw new Error(`the receiver answered ${answer.statusCode}`)
  return answer.statusCode
}

new Worker(process.env.QUEUE!, ({ data }) => deliver(data), {
  connection: new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null }),
  concurrency: Number(process.env.IN_FLIGHT),
  removeOnComplete: { count: 0 },
})
endWithParent()
process.send!({ ready: true })
