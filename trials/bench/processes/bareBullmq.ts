// The baseline of the workers: a BullMQ worker whose handler posts the body of the job, or only notes how late the job
// is. `MODE` says which.
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { Agent, request } from 'undici'
import { serveLags } from './lags.ts'

export type PostJob = { url: string; body: string }
export type DueJob = { dueMs: number }

const isPosting = process.env.MODE === 'post'
const agent = new Agent({ connections: 256, pipelining: 1 })
const note = serveLags()

async function post({ url, body }: PostJob) {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
}

new Worker(process.env.QUEUE!, async ({ data }) => (isPosting ? post(data) : note(data.dueMs)), {
  connection: new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null }),
  concurrency: Number(process.env.IN_FLIGHT),
  removeOnComplete: { count: 0 },
})
