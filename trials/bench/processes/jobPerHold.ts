// P3's worker: a delayed BullMQ job for each hold, whose processor cancels the hold if it is still one.
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { v7 } from 'uuid'
import { endWithParent } from '../child.ts'

export type HoldJob = { id: string }
type Ended = { id: string; orgId: string; calendarId: string }

const sql = postgres(process.env.DATABASE_URL!, {
  max: 10,
  fetch_types: false,
  onnotice: () => {},
  transform: postgres.camel,
})

const endHold = ({ id }: HoldJob) =>
  sql.begin(async (tx) => {
    const [ended] = await tx<Ended[]>`
      update p3_events set status = 'cancelled', updated_at = now()
      where id = ${id} and status = 'hold' and hold_expires_at <= now()
      returning *`
    if (!ended) return
    await tx`
      insert into p3_outbox (id, org_id, calendar_id, event_type, payload, created_at)
      values (${v7()}, ${ended.orgId}, ${ended.calendarId}, 'event.hold_expired', ${tx.json(ended as never)}, now())`
    await tx`
      insert into p3_audit (id, org_id, key_id, action, resource_id, created_at)
      values (${v7()}, ${ended.orgId}, null, 'event.hold_expired', ${ended.id}, now())`
  })

new Worker<HoldJob>(process.env.QUEUE!, ({ data }) => endHold(data), {
  connection: new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null }),
  concurrency: 10,
  removeOnComplete: { count: 0 },
})
endWithParent()
process.send!({ ready: true })
