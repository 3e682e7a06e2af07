// P3, changes as a good team would write them by hand: Express and zod, a look-up of the key, one call of Redis for the
// rate, a transaction for each change with its entries of the outbox and of the audit log, a BullMQ job for a hold's end.
import { createServer } from 'node:http'
import { Queue } from 'bullmq'
import express, { type ErrorRequestHandler, type Request, type Response } from 'express'
import { Redis } from 'ioredis'
import postgres, { type TransactionSql } from 'postgres'
import { v7 } from 'uuid'
import { ZodError } from 'zod'
import { serveHttp } from '../child.ts'
import type { HoldJob } from './jobPerHold.ts'
import { eventEdit, type NewEvent, newAgent, newCalendar, newEvent } from './p3Bodies.ts'
import { type Caller, Refusal, requireCaller } from './p3Caller.ts'

type Stored = { id: string; calendarId: string; status: string; holdExpiresAt: Date | null; holdPriority: number }

const sql = postgres(process.env.DATABASE_URL!, {
  max: 20,
  fetch_types: false,
  onnotice: () => {},
  transform: postgres.camel,
})
const redis = new Redis(process.env.REDIS_URL!)
const holdEnds = new Queue<HoldJob>(process.env.QUEUE!, {
  connection: redis.duplicate({ maxRetriesPerRequest: null }),
  skipVersionCheck: true,
  defaultJobOptions: { removeOnComplete: true },
})

const server = express()
server.disable('x-powered-by')
server.disable('etag')
server.use(requireCaller(sql, redis), express.json())

/** The events of one change, for the webhooks and for the audit log, in the transaction of the change. */
async function record(tx: TransactionSql, caller: Caller, type: string, thing: { id: string; calendarId?: string }) {
  await tx`
    insert into p3_outbox (id, org_id, calendar_id, event_type, payload, created_at)
    values (${v7()}, ${caller.orgId}, ${thing.calendarId ?? null}, ${type}, ${tx.json(thing as never)}, now())`
  await tx`
    insert into p3_audit (id, org_id, key_id, action, resource_id, created_at)
    values (${v7()}, ${caller.orgId}, ${caller.keyId}, ${type}, ${thing.id}, now())`
}

async function requireEvent(tx: TransactionSql, { orgId }: Caller, id: string): Promise<Stored> {
  const [event] = await tx<Stored[]>`
    select * from p3_events where org_id = ${orgId} and id = ${id} and status <> 'deleted' for update`
  return event ?? refuse(404, 'there is no such event')
}

function refuse(status: number, message: string): never {
  throw new Refusal(status, message)
}

const callerOf = (res: Response): Caller => res.locals.caller
const idOf = (req: Request): string => String(req.params.id)

server.post('/v1/calendars/:id/events', async (req, res) => {
  const body = newEvent.parse(req.body)
  const caller = callerOf(res)
  const isHold = body.status === 'hold'
  const event = await sql.begin(async (tx) => {
    const [calendar] = isHold
      ? await tx`select id from p3_calendars where org_id = ${caller.orgId} and id = ${idOf(req)} for update`
      : await tx`select id from p3_calendars where org_id = ${caller.orgId} and id = ${idOf(req)}`
    if (!calendar) refuse(404, 'there is no such calendar')
    if (isHold) await endRivals(tx, caller, idOf(req), body)
    const event = await insertEvent(tx, caller, idOf(req), body)
    await record(tx, caller, isHold ? 'event.hold_created' : 'event.created', event)
    return event
  })
  if (event.holdExpiresAt) {
    const delay = Math.max(0, event.holdExpiresAt.getTime() - Date.now())
    await holdEnds.add('end', { id: event.id }, { jobId: event.id, delay })
  }
  res.status(201).json(event)
})

/** The calendar is locked. */
async function endRivals(tx: TransactionSql, caller: Caller, calendarId: string, hold: NewEvent): Promise<void> {
  const rivals = await tx<Stored[]>`
    select * from p3_events
    where calendar_id = ${calendarId} and status = 'hold' and hold_expires_at > now()
      and start_time < ${hold.end_time} and end_time > ${hold.start_time}
    for update`
  if (rivals.some((rival) => rival.holdPriority >= hold.hold_priority)) refuse(409, 'another hold has this time')
  for (const rival of rivals) {
    await tx`update p3_events set status = 'cancelled', updated_at = now() where id = ${rival.id}`
    await record(tx, caller, 'event.hold_expired', rival)
  }
}

async function insertEvent(tx: TransactionSql, { orgId }: Caller, calendarId: string, event: NewEvent) {
  const [row] = await tx<Stored[]>`
    insert into p3_events (id, org_id, calendar_id, title, description, start_time, end_time, all_day, status, metadata,
      reminders, hold_expires_at, hold_priority, created_at, updated_at)
    values (${v7()}, ${orgId}, ${calendarId}, ${event.title}, ${event.description}, ${event.start_time},
      ${event.end_time}, ${event.all_day}, ${event.status}, ${tx.json(event.metadata as never)},
      ${event.reminders && tx.json(event.reminders)}, ${event.hold_expires_at}, ${event.hold_priority}, now(), now())
    returning *`
  return row!
}

const eventPath = '/v1/calendars/:calendarId/events/:id'

server.patch(eventPath, async (req, res) => {
  const body = eventEdit.parse(req.body)
  const caller = callerOf(res)
  const edited = await sql.begin(async (tx) => {
    const { status } = await requireEvent(tx, caller, idOf(req))
    if (status === 'hold') refuse(409, 'a hold cannot be edited')
    const { metadata, reminders, ...fields } = body
    const columns = {
      ...fields,
      ...(metadata && { metadata: tx.json(metadata as never) }),
      ...(reminders !== undefined && { reminders: reminders && tx.json(reminders) }),
      updated_at: new Date(),
    }
    const [event] = await tx<Stored[]>`update p3_events set ${tx(columns as never)} where id = ${idOf(req)} returning *`
    await record(tx, caller, 'event.updated', event!)
    return event
  })
  res.json(edited)
})

server.delete(eventPath, async (req, res) => {
  const caller = callerOf(res)
  const { id, status } = await sql.begin(async (tx) => {
    const event = await requireEvent(tx, caller, idOf(req))
    await tx`update p3_events set status = 'deleted', updated_at = now() where id = ${event.id}`
    await record(tx, caller, 'event.deleted', event)
    return event
  })
  if (status === 'hold') await holdEnds.remove(id)
  res.status(204).end()
})

const ends = [
  { verb: 'confirm', status: 'confirmed', type: 'event.hold_confirmed' },
  { verb: 'release', status: 'cancelled', type: 'event.hold_released' },
]
for (const { verb, status, type } of ends) {
  server.put(`/v1/events/:id/${verb}`, async (req, res) => {
    const caller = callerOf(res)
    const ended = await sql.begin(async (tx) => {
      const hold = await requireEvent(tx, caller, idOf(req))
      if (hold.status !== 'hold' || hold.holdExpiresAt! <= new Date()) refuse(409, 'this is not a hold any longer')
      const [event] = await tx<Stored[]>`
        update p3_events set status = ${status}, hold_expires_at = null, updated_at = now()
        where id = ${hold.id} returning *`
      await record(tx, caller, type, event!)
      return event!
    })
    await holdEnds.remove(ended.id)
    res.json(ended)
  })
}

/** Counts it within the cap of the organization. */
async function countOne(tx: TransactionSql, { orgId }: Caller, noun: 'agents' | 'calendars'): Promise<void> {
  const [counted] = await tx`
    update p3_organizations set ${tx(noun)} = ${tx(noun)} + 1
    where id = ${orgId} and ${tx(noun)} < ${tx(`max_${noun}`)}
    returning id`
  if (!counted) refuse(403, `the organization has all the ${noun} of its plan`)
}

server.post('/v1/agents', async (req, res) => {
  const body = newAgent.parse(req.body)
  const caller = callerOf(res)
  const agent = await sql.begin(async (tx) => {
    await countOne(tx, caller, 'agents')
    const [row] = await tx<{ id: string }[]>`
      insert into p3_agents (id, org_id, name, type, description, status, metadata, created_at, updated_at)
      values (${v7()}, ${caller.orgId}, ${body.name}, ${body.type}, ${body.description}, 'active',
        ${tx.json(body.metadata as never)}, now(), now())
      returning *`
    await record(tx, caller, 'agent.created', row!)
    return row
  })
  res.status(201).json(agent)
})

server.post('/v1/calendars', async (req, res) => {
  const body = newCalendar.parse(req.body)
  const caller = callerOf(res)
  const calendar = await sql.begin(async (tx) => {
    await countOne(tx, caller, 'calendars')
    const [row] = await tx<{ id: string }[]>`
      insert into p3_calendars (id, org_id, name, timezone, default_reminders, metadata, created_at, updated_at)
      values (${v7()}, ${caller.orgId}, ${body.name}, ${body.timezone}, ${tx.json(body.default_reminders)},
        ${tx.json(body.metadata as never)}, now(), now())
      returning *`
    await record(tx, caller, 'calendar.created', row!)
    return row
  })
  res.status(201).json(calendar)
})

const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
  const status = error instanceof Refusal ? error.status : error instanceof ZodError ? 400 : 500
  if (status === 500) console.error(error)
  res.status(status).json({ error: { message: status === 500 ? 'internal error' : error.message } })
}
server.use(answerError)

await serveHttp(createServer(server))
