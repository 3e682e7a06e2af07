// How a refusal tells a person what to send instead.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAgent, makeCalendar, makeOrganization } from '../src/testing/factories.ts'
import { guestEnv, makePage, newAddress } from '../src/testing/guests.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { assertRefused } from '../src/testing/refused.ts'

let service: TestService
let key: string
let calendarId: string

before(async () => {
  service = await openTestService({ env: guestEnv })
  ;({ key } = await makeOrganization(service))
  const agent = await makeAgent(service, key)
  calendarId = (await makeCalendar(service, key, agent.id)).id
})
after(() => service.close())

const agent = { name: 'A', type: 'ai' }
const calendar = { name: 'C', timezone: 'UTC' }
const event = { title: 'E', start_time: '2026-03-03T10:00:00Z', end_time: '2026-03-03T11:00:00Z' }
const page = { title: 'P' }

const bodies: [path: string, body: unknown, message: string, param: string | null][] = [
  ['/v1/agents', { name: 'A' }, 'type: is required', 'type'],
  ['/v1/agents', { ...agent, type: 'robot' }, 'type: must be ai, human or resource', 'type'],
  ['/v1/agents', { ...agent, type: 7 }, 'type: must be ai, human or resource', 'type'],
  ['/v1/agents', { ...agent, name: 7 }, 'name: must be a string', 'name'],
  ['/v1/agents', { ...agent, name: null }, 'name: must be a string', 'name'],
  ['/v1/agents', { ...agent, name: '' }, 'name: must not be empty', 'name'],
  ['/v1/agents', { ...agent, name: 'x'.repeat(256) }, 'name: must have at most 255 characters', 'name'],
  ['/v1/agents', { ...agent, metadata: [] }, 'metadata: expected an object', 'metadata'],
  [
    '/v1/agents',
    { ...agent, metadata: { a: 'x'.repeat(17_000) } },
    'metadata: may take 16384 bytes of JSON at most',
    'metadata',
  ],
  ['/v1/agents', { ...agent, colour: 'red' }, 'colour: is not a known field here', 'colour'],
  ['/v1/agents', [], 'The body: must be an object', null],
  ['/v1/calendars', { ...calendar, default_reminders: 5 }, 'default_reminders: must be a list', 'default_reminders'],
  [
    '/v1/calendars',
    { ...calendar, default_reminders: [1, 2, 3, 4, 5, 6] },
    'default_reminders: must have at most 5 items',
    'default_reminders',
  ],
  [
    '/v1/calendars',
    { ...calendar, default_reminders: [1.5] },
    'default_reminders.0: must be a whole number',
    'default_reminders.0',
  ],
  [
    '/v1/calendars',
    { ...calendar, default_reminders: [0] },
    'default_reminders.0: must be at least 1',
    'default_reminders.0',
  ],
  [
    '/v1/calendars',
    { ...calendar, default_reminders: [50_000] },
    'default_reminders.0: must be at most 40320',
    'default_reminders.0',
  ],
  ['/v1/calendars/:id/events', { ...event, all_day: 'no' }, 'all_day: must be true or false', 'all_day'],
  [
    '/v1/calendars/:id/events',
    { ...event, end_time: event.start_time },
    'end_time: must be after start_time',
    'end_time',
  ],
  [
    '/v1/booking-pages',
    { ...page, duration_minutes: 'long' },
    'duration_minutes: must be a number',
    'duration_minutes',
  ],
]
for (const [path, body, message, param] of bodies) {
  test(`POST ${path} says "${message}" to ${JSON.stringify(body).slice(0, 80)}`, async () => {
    const sent = path === '/v1/booking-pages' ? { calendar_id: calendarId, ...(body as object) } : body
    const refusal = await service.call('POST', path.replace(':id', calendarId), { key, body: sent })
    assert.deepEqual(
      [refusal.status, refusal.body.error.type, refusal.body.error.param],
      [400, 'validation_error', param],
    )
    assert.equal(refusal.body.error.message, message)
  })
}

test('a query is told the same way', async () => {
  for (const [query, message] of [
    ['type=robot', 'type: must be ai, human or resource'],
    ['limit=201', 'limit: must be at most 200'],
    ['limit=x', 'limit: expected a whole number'],
    ['type=ai&type=human', 'type: is given more than once'],
    ['limit=5&limit=6', 'limit: is given more than once'],
  ]) {
    const refusal = await service.call('GET', `/v1/agents?${query}`, { key })
    assert.equal(refusal.status, 400)
    assert.equal(refusal.body.error.message, message, query)
  }
})

test('who sends JSON as a form, as curl does by itself, is told which content type to name', async () => {
  const { page: made } = await makePage(service)
  const send = (raw: string) =>
    service.call('POST', `/book/${made.slug}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': newAddress() },
      raw,
    })
  for (const body of ['{"name":"Ada","email":"ada@example.com"}', ' \n{}']) {
    const answer = await send(body)
    const { error } = answer.body
    assert.deepEqual([answer.status, error.type, error.param], [400, 'validation_error', null])
    assert.match(error.message, /Send Content-Type: application\/json\./)
  }
  // A form whose first name is in braces is one all the same.
  const { error } = (await send('%7Bname=Ada')).body
  assert.equal(error.message, 'name: is required')
})

test('GET / leads to the documentation', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(service.baseUrl, { method, redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/docs'])
  }
  assert.equal((await fetch(service.baseUrl)).status, 200)
})

test('a route that does not exist says where all of them are', async () => {
  const refusal = await service.call('POST', '/v1/webhook', { key, body: {} })
  assertRefused(refusal, 404, 'not_found')
  assert.equal(refusal.body.error.message, 'No such route POST /v1/webhook. All routes are at /docs.')
  assertRefused(await service.call('GET', `/${'x'.repeat(300)}`, { key }), 404, 'not_found')
})

test('a parameter that is given twice is named as such, whatever it holds', async () => {
  const path = `/v1/calendars/${calendarId}/availability?start=2026-03-03T09:00:00Z&end=2026-03-03T10:00:00Z`
  for (const [name, query] of [
    ['include_busy', 'include_busy=true&include_busy=false'],
    ['start', 'start=2026-03-03T09:00:00Z'],
    ['duration', 'duration=1h&duration=1h'],
  ]) {
    const { status, body } = await service.call('GET', `${path}&${query}`, { key })
    assert.deepEqual([status, body.error.param], [400, name])
    assert.equal(body.error.message, `${name}: is given more than once`)
  }
})
