// P3 does what it is compared for: a baseline that leaves work out would flatter ours.
import assert from 'node:assert/strict'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { until } from '../../src/testing/until.ts'
import { callOf, made } from '../world/client.ts'
import { startChild } from './child.ts'
import { openP3 } from './p3.ts'

const test = serviceTest().extend('p3', perFile, async ({ service: { app } }, { onCleanup }) => {
  const stores = { DATABASE_URL: app.config.databaseUrl, REDIS_URL: app.config.redisUrl }
  const children: { stop(): Promise<void> }[] = []
  onCleanup(async () => void (await Promise.all(children.map((child) => child.stop()))))
  const start = async (file: string, { env }: { env: NodeJS.ProcessEnv }) => {
    const child = await startChild<never, never>(file, { env: { ...process.env, ...stores, ...env } })
    children.push(child)
    return child
  }
  const { api, key, startWorker } = await openP3(app.sql, start, app.config.redisPrefix)
  const call = callOf(`http://127.0.0.1:${api.ready.port}`)
  const ask = (method: string, path: string, body?: object) => call(method, `/v1${path}`, { key, body })
  const calendar = await made(ask('POST', '/calendars', { name: 'Calendar', timezone: 'UTC' }))
  const recorded = async (id: string) => {
    // By one statement: the worker writes both in between.
    const [rows] = await app.sql<{ audited: string[]; sent: string[] }[]>`
      select
        array(select action::text from p3_audit where resource_id = ${id} order by created_at, id) as audited,
        array(select event_type::text from p3_outbox where payload->>'id' = ${id} order by created_at, id) as sent`
    const types = rows!.audited
    assert.deepEqual(rows!.sent, types)
    return types
  }
  return { call, ask, startWorker, recorded, path: `/calendars/${calendar.id}/events` }
})

const hour = (nth: number) => new Date(Date.UTC(2031, 2, 2, nth)).toISOString()
const eventAt = (nth: number) => ({ title: 'Review', start_time: hour(nth), end_time: hour(nth + 1) })
const holdAt = (nth: number, ms = 60_000) => ({
  ...eventAt(nth),
  status: 'hold',
  hold_expires_at: new Date(Date.now() + ms).toISOString(),
})

test('an edit and a DELETE are recorded, and the key is checked', async ({ p3 }) => {
  const { id } = await made(p3.ask('POST', p3.path, eventAt(0)))
  const edit = { title: 'Another', metadata: { a: 1 }, reminders: [5] }
  const edited = await made(p3.ask('PATCH', `${p3.path}/${id}`, edit))
  assert.deepEqual([edited.title, edited.metadata, edited.reminders], ['Another', { a: 1 }, [5]])
  assert.equal((await p3.ask('PATCH', `${p3.path}/${id}`, { title: '' })).status, 400)
  assert.equal((await p3.ask('DELETE', `${p3.path}/${id}`)).status, 204)
  assert.equal((await p3.ask('DELETE', `${p3.path}/${id}`)).status, 404)
  assert.deepEqual(await p3.recorded(id), ['event.created', 'event.updated', 'event.deleted'])
  assert.equal((await p3.call('POST', `/v1${p3.path}`, { key: 'p3_wrong', body: eventAt(0) })).status, 401)
})

test('of two holds at one time the second is refused, until the first one ends', async ({ p3 }) => {
  const first = await made(p3.ask('POST', p3.path, holdAt(2)))
  assert.equal((await p3.ask('POST', p3.path, holdAt(2))).status, 409)
  assert.equal((await made(p3.ask('PUT', `/events/${first.id}/release`))).status, 'cancelled')
  const second = await made(p3.ask('POST', p3.path, holdAt(2)))
  assert.equal((await made(p3.ask('PUT', `/events/${second.id}/confirm`))).status, 'confirmed')
  assert.equal((await p3.ask('PUT', `/events/${second.id}/confirm`)).status, 409)
  assert.deepEqual(await p3.recorded(second.id), ['event.hold_created', 'event.hold_confirmed'])
})

test('a hold of higher priority ends the one that it meets', async ({ p3 }) => {
  const { id } = await made(p3.ask('POST', p3.path, holdAt(4)))
  await made(p3.ask('POST', p3.path, { ...holdAt(4), hold_priority: 1 }))
  assert.deepEqual(await p3.recorded(id), ['event.hold_created', 'event.hold_expired'])
})

test('the worker cancels a hold that has run out', async ({ p3 }) => {
  await p3.startWorker()
  const { id } = await made(p3.ask('POST', p3.path, holdAt(6, 200)))
  await until(async () => (await p3.recorded(id)).length === 2)
  assert.deepEqual(await p3.recorded(id), ['event.hold_created', 'event.hold_expired'])
})

test('agents and calendars count against the caps of the organization', async ({ p3, service }) => {
  await made(p3.ask('POST', '/agents', { name: 'Agent', type: 'ai' }))
  const [counts] = await service.app.sql`update p3_organizations set max_agents = 1 returning agents, calendars`
  assert.deepEqual({ ...counts }, { agents: 1, calendars: 1 })
  assert.equal((await p3.ask('POST', '/agents', { name: 'Agent', type: 'ai' })).status, 403)
})
