import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { clientTest } from '../../testing/client.ts'
import {
  AgentCalendar,
  ApiError,
  ConflictError,
  localTime,
  NotFoundError,
  PreconditionFailedError,
  ValidationError,
} from './entry.ts'

const test = clientTest()

const tomorrow = { start_time: '2026-03-03T10:00:00Z', end_time: '2026-03-03T10:30:00Z' }

test('an agent gets a calendar and an event', async ({ calendar }) => {
  const agent = await calendar.agents.create({ name: 'Scheduler', type: 'ai' })
  const made = await calendar.calendars.createForAgent(agent.id, { name: 'Meetings', timezone: 'Europe/Berlin' })
  const event = await calendar.events.create(made.id, { title: 'Planning', ...tomorrow })
  assert.equal(event.startTime, '2026-03-03T10:00:00.000Z')
  const { external_sync: copy, ...record } = event
  assert.deepEqual(copy, { status: 'not_configured' })
  assert.deepEqual(await calendar.events.get(made.id, event.id), record)
  const changed = await calendar.events.update(made.id, event.id, { title: 'Planning, again' })
  assert.equal('title' in changed && changed.title, 'Planning, again')
  assert.equal(await calendar.events.delete(made.id, event.id), undefined)
  await assert.rejects(async () => calendar.events.get(made.id, event.id), NotFoundError)
})

test('times may be a Date, a local time, and are answered on the wall clock', async ({ calendar }) => {
  const { id } = await calendar.calendars.create({ name: 'Local', timezone: 'Europe/Berlin' })
  const event = await calendar.events.create(
    id,
    {
      title: 'Lunch',
      start_time: localTime('2026-03-03T12:00', 'Europe/Berlin'),
      end_time: new Date('2026-03-03T12:00:00Z'),
    },
    { view: 'local' },
  )
  // `local` is there, by type too.
  assert.equal(event.local.text, 'Tuesday 3 March 2026, 12:00–13:00 (Europe/Berlin, UTC+01:00)')
  const bounds = { start_after: new Date('2026-03-03T00:00:00Z'), start_before: new Date('2026-03-04T00:00:00Z') }
  const page = await calendar.events.list(id, { ...bounds, view: 'local' })
  assert.deepEqual(
    page.data.map(({ local }) => local.weekday),
    ['Tuesday'],
  )
})

test('a list is its first page, or in a loop everything', async ({ calendar }) => {
  const { id } = await calendar.calendars.create({ name: 'Many', timezone: 'UTC' })
  for (let n = 0; n < 7; n++) await calendar.events.create(id, { title: `Event ${n}`, ...tomorrow })
  const page = await calendar.events.list(id, { limit: 3 })
  assert.deepEqual([page.data.length, page.total, page.limit, page.offset], [3, 7, 3, 0])
  const titles = new Set<string>()
  for await (const event of calendar.events.list(id, { limit: 3 })) titles.add(event.title)
  assert.equal(titles.size, 7)
  const sizes: number[] = []
  for await (const { data } of calendar.events.list(id, { limit: 3 }).pages()) sizes.push(data.length)
  assert.deepEqual(sizes, [3, 3, 1])
  const actions: string[] = []
  for await (const entry of calendar.auditLog.list({ action: 'event.create', limit: 5 })) actions.push(entry.action)
  assert.ok(actions.length >= 7)
})

test('a retry with the same key answers the same event', async ({ calendar }) => {
  const { id } = await calendar.calendars.create({ name: 'Once', timezone: 'UTC' })
  const body = { title: 'Once', ...tomorrow }
  const first = await calendar.events.create(id, body, { idempotencyKey: 'once' }).full()
  const second = await calendar.events.create(id, body, { idempotencyKey: 'once' }).full()
  assert.deepEqual([first.status, first.isReplayed], [201, false])
  assert.equal(second.isReplayed, true)
  assert.deepEqual(second.data, first.data)
  assert.match(first.requestId!, /^req_/)
})

test('tags: what has not changed is undefined, and what has changed is not overwritten', async ({ calendar }) => {
  const { id } = await calendar.calendars.create({ name: 'Tagged', timezone: 'UTC' })
  const { etag } = await calendar.calendars.get(id).full()
  assert.equal(await calendar.calendars.get(id, { ifNoneMatch: etag! }), undefined)
  await calendar.calendars.update(id, { name: 'Changed' }, { ifMatch: etag! })
  await assert.rejects(
    async () => calendar.calendars.update(id, { name: 'Too late' }, { ifMatch: etag! }),
    (error) => error instanceof PreconditionFailedError && typeof error.details.current_etag === 'string',
  )
})

test('a dry run says what would happen', async ({ calendar }) => {
  const would = await calendar.agents.create({ name: 'Nobody', type: 'ai' }, { dry_run: true })
  assert.deepEqual([would.dry_run, would.status, would.effects[0]?.type], [true, 201, 'agent.created'])
})

test('errors are classes, with what the service says', async ({ calendar }) => {
  const { id } = await calendar.calendars.create({ name: 'Errors', timezone: 'Europe/Berlin' })
  await assert.rejects(
    async () =>
      calendar.events.create(id, {
        title: 'Skipped',
        start_time: localTime('2026-03-29T02:30', 'Europe/Berlin'),
        end_time: localTime('2026-03-29T04:00', 'Europe/Berlin'),
      }),
    (error) => {
      assert.ok(error instanceof ValidationError)
      assert.deepEqual([error.status, error.type, error.code], [400, 'validation_error', 'nonexistent_local_time'])
      assert.equal(error.param, 'start_time')
      assert.match(error.requestId!, /^req_/)
      assert.ok(error.suggestions.length > 0)
      return true
    },
  )
  const free = { require_free: true, title: 'Alone', ...tomorrow }
  await calendar.events.create(id, free)
  await assert.rejects(
    async () => calendar.events.create(id, free, { explain: true }),
    (error) => error instanceof ConflictError && error.code === 'not_free' && error.details.conflict !== undefined,
  )
})

test('a list of ids may be sent as a list', async ({ calendar }) => {
  const agents = await Promise.all(['A', 'B'].map((name) => calendar.agents.create({ name, type: 'ai' })))
  const free = await calendar.availability.get({
    agents: agents.map(({ id }) => id),
    start: '2026-03-03T09:00:00Z',
    end: '2026-03-03T10:00:00Z',
  })
  assert.ok(free.slots.length > 0)
})

test('an option that does not exist is refused, by type and when it runs', async ({ calendar }) => {
  // @ts-expect-error: the name is wrong
  const call = calendar.agents.list({ limti: 3 })
  await assert.rejects(async () => call, /agents\.list has no option limti/)
})

test('the key is in no text of the client and of its errors', async ({ service, key }) => {
  const calendar = new AgentCalendar({ baseUrl: service.baseUrl, apiKey: key })
  assert.ok(!inspect(calendar, { depth: 9, showHidden: true }).includes(key))
  const error = await calendar.agents.get('agt_unknown').catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ApiError)
  assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key))
  assert.throws(
    () => new AgentCalendar({ apiKey: `${key}\n` }),
    (thrown) => thrown instanceof TypeError && !thrown.message.includes(key),
  )
})

test('an identifier cannot lead to another path', async ({ calendar }) => {
  for (const id of ['', '.', '..']) await assert.rejects(async () => calendar.agents.get(id), TypeError)
  await assert.rejects(async () => calendar.agents.get('../calendars?limit=1#'), NotFoundError)
})
