// The baseline of the workers: a BullMQ worker whose handler posts the body of the job, or only notes how late the job
// is. `MODE` says which.
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { Agent, request } from 'undici'
import { serveOrders } from '../child.ts'

export type PostJob = { url: string; body: string }
export type DueJob = { dueMs: number }
/** Waits until this many jobs ran. */
export type LagOrder = { jobs: number }
export type LagReply = { lagsMs: number[] }

const isPosting = process.env.MODE === 'post'
const agent = new Agent({ connections: 256, pipelining: 1 })
let lagsMs: number[] = []
let enough: (() => void) | undefined
let wanted = Number.POSITIVE_INFINITY

async function post({ url, body }: PostJob) {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
}

async function note({ dueMs }: DueJob) {
  lagsMs.push(Date.now() - dueMs)
  if (lagsMs.length >= wanted) enough?.()
}

new Worker(process.env.QUEUE!, (job) => (isPosting ? post(job.data) : note(job.data)), {
  connection: new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null }),
  concurrency: Number(process.env.IN_FLIGHT),
  removeOnComplete: { count: 0 },
})

serveOrders({}, async ({ jobs }: LagOrder): Promise<LagReply> => {
  wanted = jobs
  if (lagsMs.length < wanted) {
    await new Promise<void>((resolve) => {
      enough = resolve
    })
  }
  const reply = { lagsMs }
  lagsMs = []
  wanted = Number.POSITIVE_INFINITY
  return reply
})
