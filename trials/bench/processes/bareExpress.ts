// The baseline of the API: Express, zod, one statement, nothing else.
import { createServer } from 'node:http'
import express from 'express'
import postgres from 'postgres'
import { v7 } from 'uuid'
import { z } from 'zod'
import { serveHttp } from '../child.ts'

const sql = postgres(process.env.DATABASE_URL!, { max: 20, fetch_types: false, onnotice: () => {} })

const eventBody = z.strictObject({
  title: z.string().min(1).max(500),
  start_time: z.iso.datetime({ offset: true }),
  end_time: z.iso.datetime({ offset: true }),
  description: z.string().max(50_000).optional(),
  all_day: z.boolean().default(false),
  status: z.enum(['confirmed', 'tentative', 'cancelled', 'hold']).default('confirmed'),
  metadata: z.record(z.string(), z.unknown()).default({}),
  reminders: z.array(z.int().min(1).max(40_320)).max(5).nullable().default(null),
})

const eventEdit = z.strictObject({
  title: z.string().min(1).max(500).optional(),
  description: z.string().max(50_000).optional(),
})

const server = express()
server.disable('x-powered-by')
server.disable('etag')
server.get('/empty', (_req, res) => {
  res.json({ ok: true })
})
server.post('/calendars/:id/events', express.json(), async (req, res) => {
  const event = eventBody.parse(req.body)
  const [row] = await sql`
    insert into bench_events (org_id, id, calendar_id, title, description, start_time, end_time, all_day, status,
      metadata, reminders, created_at, updated_at)
    values (${process.env.ORG_UUID!}, ${v7()}, ${req.params.id}, ${event.title}, ${event.description ?? null},
      ${event.start_time}, ${event.end_time}, ${event.all_day}, ${event.status}, ${sql.json(event.metadata as never)},
      ${event.reminders as never}, now(), now())
    returning *`
  res.status(201).json(row)
})
server.patch('/calendars/:calendarId/events/:id', express.json(), async (req, res) => {
  const edit = eventEdit.parse(req.body)
  const [row] = await sql`
    update bench_events
    set title = coalesce(${edit.title ?? null}, title), description = coalesce(${edit.description ?? null}, description),
      updated_at = now()
    where org_id = ${process.env.ORG_UUID!} and id = ${req.params.id!}
    returning *`
  res.json(row)
})
server.delete('/calendars/:calendarId/events/:id', async (req, res) => {
  await sql`delete from bench_events where org_id = ${process.env.ORG_UUID!} and id = ${req.params.id!}`
  res.status(204).end()
})

await serveHttp(createServer(server))
