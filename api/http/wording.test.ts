// How a refusal says what to send instead.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { guestEnv, makePage, newAddress } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv }).extend('calendarId', perFile, async ({ service, key }) => {
  const { id } = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, id)
  return calendar.id as string
})

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
    'metadata: must be at most 16,384 bytes of JSON',
    'metadata',
  ],
  ['/v1/agents', { ...agent, colour: 'red' }, 'Unknown field `colour`.', 'colour'],
  ['/v1/agents', { ...agent, metaData: {} }, 'Unknown field `metaData`. Did you mean `metadata`?', 'metaData'],
  ['/v1/agents', { ...agent, desciption: '' }, 'Unknown field `desciption`. Did you mean `description`?', 'desciption'],
  [
    '/v1/webhooks',
    { url: 'https://example.com/a', events: ['event.create'] },
    'events.0: `event.create` is not known here. Did you mean `event.created`? The 28 values are at /docs/reference.',
    'events.0',
  ],
  [
    '/v1/webhooks',
    { url: 'https://example.com/a', events: ['*'] },
    'events.0: `*` is not known here. The 28 values are at /docs/reference.',
    'events.0',
  ],
  ['/v1/agents', [], 'The body must be a JSON object.', null],
  ['/v1/agents', null, 'The body must be a JSON object.', null],
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
  ['/v1/calendars/:id/events', { ...event, allDay: true }, 'Unknown field `allDay`. Did you mean `all_day`?', 'allDay'],
  [
    '/v1/calendars/:id/events',
    { ...event, start_time: 1_772_532_000_000 },
    'start_time: must be a string, ISO 8601 with an offset, for example 2026-03-01T09:00:00Z',
    'start_time',
  ],
  [
    '/v1/calendars/:id/events',
    { ...event, all_day: true, start_time: '2026-03-03' },
    'start_time: expected ISO 8601 with an offset, for example 2026-03-01T09:00:00Z. A date needs a time, also for a whole day: 2026-03-03T00:00:00Z',
    'start_time',
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
  test(`POST ${path} says "${message}" to ${JSON.stringify(body).slice(0, 80)}`, async ({ key, call, calendarId }) => {
    const sent = path === '/v1/booking-pages' ? { calendar_id: calendarId, ...(body as object) } : body
    const refusal = await call('POST', path.replace(':id', calendarId), { key, body: sent })
    assert.deepEqual(
      [refusal.status, refusal.body.error.type, refusal.body.error.param],
      [400, 'validation_error', param],
    )
    assert.equal(refusal.body.error.message, message)
  })
}

test('a query is refused in the same words', async ({ key, call }) => {
  for (const [query, message] of [
    ['type=robot', 'type: must be ai, human or resource'],
    ['limit=201', 'limit: must be at most 200'],
    ['limit=x', 'limit: expected a whole number'],
    ['type=ai&type=human', 'type: is given more than once'],
    ['limit=5&limit=6', 'limit: is given more than once'],
    ['page=2', 'Unknown query parameter `page`.'],
    ['state=active', 'Unknown query parameter `state`. Did you mean `status`?'],
    ['Limit=5', 'Unknown query parameter `Limit`. Did you mean `limit`?'],
  ]) {
    const refusal = await call('GET', `/v1/agents?${query}`, { key })
    assert.equal(refusal.status, 400)
    assert.equal(refusal.body.error.message, message, query)
  }
})

test('a + of an offset that is not written as %2B is explained: it arrives as a space', async ({
  key,
  call,
  calendarId,
}) => {
  const range = (zone: string) => `start_after=2026-03-01T09:00:00${zone}&start_before=2026-03-02T09:00:00Z`
  const list = (zone: string) => call('GET', `/v1/calendars/${calendarId}/events?expand=true&${range(zone)}`, { key })
  assert.equal((await list('%2B01:00')).status, 200)
  const refusal = await list('+01:00')
  assertRefused(refusal, 400, 'validation_error', { param: 'start_after', code: 'invalid_time_format' })
  assert.match(refusal.body.error.message, /In a query a \+ means a space: write %2B for it$/)
})

test('invalid JSON is refused with the place where it breaks, and nothing of it is repeated', async ({ key, call }) => {
  for (const [raw, message] of [
    ['{"name": "A",\n "type": "ai",}', 'The body is not valid JSON: see line 2, column 15.'],
    ['{"name": "A"', 'The body is not valid JSON: see line 1, column 13.'],
    ['{', 'The body is not valid JSON: see line 1, column 2.'],
    ['<secret/>', 'The body is not valid JSON.'],
  ] as const) {
    const refusal = await call('POST', '/v1/agents', { key, raw })
    assertRefused(refusal, 400, 'validation_error')
    assert.equal(refusal.body.error.message, message, raw)
  }
})

test('an id of another kind is refused with its own kind and the one that is needed', async ({
  service,
  key,
  call,
  calendarId,
}) => {
  const { id: agentId } = await makeAgent(service, key)
  const message = 'agt_… is the id of an agent; this needs the id of a calendar (cal_…).'
  const lost = { code: 'calendar_not_found' }
  for (const [method, path, body] of [
    ['GET', `/v1/calendars/${agentId}`],
    ['POST', `/v1/calendars/${agentId}/events`, event],
    ['GET', `/v1/calendars/${agentId}/events`],
    ['GET', `/v1/calendars/${agentId}/events/evt_none`],
  ] as const) {
    const refusal = await call(method, path, { key, body })
    assertRefused(refusal, 404, 'not_found', lost)
    assert.equal(refusal.body.error.message, message, path)
  }
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: agentId, title: 'P' } })
  assertRefused(page, 404, 'not_found', { ...lost, param: 'calendar_id' })
  assert.equal(page.body.error.message, message)
  const swapped = await call('GET', `/v1/agents/${calendarId}`, { key })
  assert.equal(swapped.body.error.message, 'cal_… is the id of a calendar; this needs the id of an agent (agt_…).')
  for (const id of ['cal_none', 'none', 'agent_1', calendarId.replace(/.$/, '!')]) {
    const refusal = await call('GET', `/v1/calendars/${id}`, { key })
    assert.equal(refusal.body.error.message, 'No such calendar. Check the identifier.', id)
  }
})

test('a limit of records says that removing one helps, not waiting', async ({ service, call }) => {
  const cap = { agents: 1, calendars: 1, webhooks: 1, booking_pages: 1, ical_subscriptions: 1, scoped_keys: 1 }
  const { key: full } = await makeOrganization(service, { plan: 'custom', limits: { ...cap, recurring_events: 1 } })
  const { id: agentId } = await makeAgent(service, full)
  const { id: ownCalendar } = await makeCalendar(service, full, agentId)
  const creates: [noun: string, path: string, body: object, status?: number][] = [
    ['webhook endpoints', '/v1/webhooks', { url: 'https://example.com/a', events: ['agent.created'] }],
    ['booking pages', '/v1/booking-pages', { calendar_id: ownCalendar, title: 'P' }],
    ['agent keys', '/v1/keys', { agent_id: agentId }],
    [
      'active recurring series',
      `/v1/calendars/${ownCalendar}/events`,
      { ...event, recurrence_rule: 'FREQ=DAILY;COUNT=2' },
    ],
    [
      'iCal subscriptions',
      `/v1/agents/${agentId}/ical-subscriptions`,
      { calendar_id: ownCalendar, url: 'https://example.com/a.ics' },
      402,
    ],
  ]
  for (const [, path, body] of creates) {
    assert.equal((await call('POST', path, { key: full, body })).status, 201, path)
  }
  for (const [noun, path, body, status = 429] of [
    ...creates,
    ['agents', '/v1/agents', agent],
    ['calendars', '/v1/calendars', calendar],
  ] as typeof creates) {
    const again = path === '/v1/webhooks' ? { ...body, url: 'https://example.com/b' } : body
    const refusal = await call('POST', path, { key: full, body: again })
    assertRefused(refusal, status, 'quota_exceeded')
    assert.match(refusal.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(
      refusal.body.error.message,
      `The plan's limit of 1 ${noun} is reached. Waiting does not help: remove one that you no longer need.`,
    )
  }
  assert.equal((await call('DELETE', `/v1/agents/${agentId}`, { key: full })).status, 204)
  assert.equal((await call('POST', '/v1/agents', { key: full, body: agent })).status, 201)
})

test('a feature beyond the plan is named, and where the plans are', async ({ service, call }) => {
  const { key: free } = await makeOrganization(service, { plan: 'free' })
  const refusal = await call('GET', '/v1/keys', { key: free })
  assertRefused(refusal, 403, 'plan_required', { feature: 'scoped_keys' })
  assert.equal(
    refusal.body.error.message,
    'This needs a paid plan: scoped keys. GET /v1/plans shows what each plan has.',
  )
})

test('JSON that is sent as a form, as curl does, is refused with the content type to send', async ({
  service,
  call,
}) => {
  const { page: made } = await makePage(service)
  const send = (raw: string) =>
    call('POST', `/book/${made.slug}`, {
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
  assert.equal(error.message, 'name: is required; you sent `{name`')
})

test('GET / leads to the documentation', async ({ service }) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(service.baseUrl, { method, redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/docs'])
  }
  assert.equal((await fetch(service.baseUrl)).status, 200)
})

test('an unknown route says where all routes are', async ({ key, call }) => {
  const refusal = await call('POST', '/v1/webhook', { key, body: {} })
  assertRefused(refusal, 404, 'not_found')
  assert.equal(
    refusal.body.error.message,
    'No such route POST /v1/webhook. Did you mean /v1/webhooks? All routes are at /docs.',
  )
  for (const [path, hint] of [
    ['/agents', ' Did you mean /v1/agents?'],
    ['/v1/calendar/x', ' Did you mean /v1/calendars?'],
    ['/v1/agents/x/y', ''],
    ['/v1/agent/signup', ''],
    ['/v2', ''],
    ['/nothing', ''],
  ]) {
    const { body } = await call('GET', path!, { key })
    assert.equal(body.error.message, `No such route GET ${path}.${hint} All routes are at /docs.`)
  }
  assertRefused(await call('GET', `/${'x'.repeat(300)}`, { key }), 404, 'not_found')
})

test('a parameter that is given twice is refused for that, whatever its values', async ({ key, call, calendarId }) => {
  const path = `/v1/calendars/${calendarId}/availability?start=2026-03-03T09:00:00Z&end=2026-03-03T10:00:00Z`
  for (const [name, query] of [
    ['include_busy', 'include_busy=true&include_busy=false'],
    ['start', 'start=2026-03-03T09:00:00Z'],
    ['duration', 'duration=1h&duration=1h'],
  ]) {
    const { status, body } = await call('GET', `${path}&${query}`, { key })
    assert.deepEqual([status, body.error.param], [400, name])
    assert.equal(body.error.message, `${name}: is given more than once`)
  }
})
