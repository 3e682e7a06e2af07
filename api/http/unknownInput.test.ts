// Input that no schema knows is refused by its name, and all faults are named at once.
import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeAgentKey, makeCalendar } from '../../src/testing/factories.ts'
import { guestEnv, makePage, newAddress } from '../../src/testing/guests.ts'
import { adminToken } from '../../src/testing/harness.ts'
import type { Caller } from '../../src/testing/http.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'

const test = serviceTest({ env: guestEnv })
  .extend('agentId', perFile, async ({ service, key }) => {
    const { id } = await makeAgent(service, key)
    return id as string
  })
  .extend('agentKey', perFile, ({ service, key, agentId }) => makeAgentKey(service, key, agentId))
  .extend('calendarId', perFile, async ({ service, key, agentId }) => {
    const { id } = await makeCalendar(service, key, agentId)
    return id as string
  })
  .extend('token', perFile, async ({ service, call }) => {
    const { orgId, token } = await makeAccount(service)
    await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
    return token
  })

const window = 'start=2026-12-01T00:00:00Z&end=2026-12-02T00:00:00Z'

/** The parameters that a route requires. */
const required: Record<string, string> = {
  '/v1/time': 'tz=UTC&',
  '/v1/events': `calendar_ids=cal_none&${window}&`,
  '/v1/availability': `agents=agt_none&${window}&`,
  '/v1/agents/:id/availability': `${window}&`,
  '/v1/calendars/:id/availability': `${window}&`,
  '/v1/agents/:id/availability/check': `${window}&`,
  '/v1/calendars/:id/availability/check': `${window}&`,
}

/** Pages that people open through links, to which mail programs and sites add parameters; and where providers send messages. */
const isOpen = (method: string, path: string) =>
  /^\/(book|booking|ical)\/|\/callback$|\/push\//.test(path) ||
  (method === 'get' && /^\/(connect|invitations|approve)(\/|$)/.test(path))
type Secrets = { key: string; token: string }
/** The secret of a caller that may use the route. */
const secretFor = {
  public: () => undefined,
  key: ({ key }: Secrets) => key,
  organization: ({ key }: Secrets) => key,
  session: ({ token }: Secrets) => token,
  admin: () => adminToken,
}

for (const { method, path, access } of routes) {
  const filled = path.replace(/:\w+/g, 'none')
  const known = required[path] ?? ''
  const ask = (call: Caller, by: string | undefined) =>
    call(method.toUpperCase(), `${filled}?${known}utm_source=mail`, {
      key: by,
      headers: { 'x-forwarded-for': newAddress() },
      ...(method !== 'get' && { body: {} }),
    })

  if (isOpen(method, path)) {
    test(`${method} ${path} ignores an unknown parameter`, async ({ key, call, token }) => {
      const { status, body } = await ask(call, secretFor[access]({ key, token }))
      assert.notEqual(body?.error?.param, 'utm_source')
      assert.notEqual(status, 500)
    })
    continue
  }
  test(`${method} ${path} refuses an unknown parameter, after it has checked who calls`, async ({
    key,
    call,
    agentKey,
    token,
  }) => {
    assertRefused(await ask(call, secretFor[access]({ key, token })), 400, 'validation_error', { param: 'utm_source' })
    if (access !== 'public') assertRefused(await ask(call, undefined), 401, 'authentication_error')
    if (access === 'organization') assertRefused(await ask(call, agentKey), 403, 'forbidden')
  })
}

test('booking pages and feeds answer in spite of an unknown parameter', async ({ service, call }) => {
  const { page, calendar } = await makePage(service)
  const { pathname } = new URL(calendar.ical_url)
  for (const path of [`/book/${page.slug}`, `/book/${page.slug}/slots`, pathname]) {
    const answer = await call('GET', `${path}?utm_source=mail&fbclid=x`, {
      headers: { 'x-forwarded-for': newAddress() },
    })
    assert.equal(answer.status, 200, path)
  }
})

test('the documents and the health checks take any parameter', async ({ call }) => {
  for (const path of ['/docs', '/openapi.json', '/healthz', '/readyz']) {
    assert.equal((await call('GET', `${path}?x=1`)).status, 200)
  }
})

test('a misspelt parameter is refused: no event is deleted, and no list comes unfiltered', async ({
  key,
  call,
  calendarId,
}) => {
  const body = { title: 'Daily', start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T10:00:00Z' }
  const { body: event } = await call('POST', `/v1/calendars/${calendarId}/events`, {
    key,
    body: { ...body, recurrence_rule: 'FREQ=DAILY;COUNT=3' },
  })
  for (const path of [`/v1/calendars/${calendarId}/events/${event.id}`, `/v1/events/${event.id}`]) {
    const refusal = await call('DELETE', `${path}?occurrenceStart=2026-12-02T09:00:00Z`, { key })
    assertRefused(refusal, 400, 'validation_error', { param: 'occurrenceStart' })
    assert.equal(
      refusal.body.error.message,
      'Unknown query parameter `occurrenceStart`. Did you mean `occurrence_start`?',
    )
    assert.equal((await call('GET', path, { key })).status, 200)
  }
  const list = await call('GET', '/v1/scheduling/proposals?organizerAgent=agt_none', { key })
  assert.match(list.body.error.message, /Did you mean `organizer_agent_id`\?$/)
})

test('every documented parameter is accepted', async ({ key, call, agentId, calendarId }) => {
  const range = 'start=2026-12-01T00:00:00Z&end=2026-12-02T00:00:00Z'
  const slots = `${range}&duration=1h&slot_duration=1h&include_busy=true&allow_stale=true`
  const agents = await call('GET', '/v1/agents?type=ai&status=active&query=&limit=1&offset=0', { key })
  assert.equal(agents.body.data[0].id, agentId)
  const events =
    'start_after=2026-12-01T00:00:00Z&start_before=2026-12-09T00:00:00Z&status=confirmed&source=internal&limit=1&offset=0&expand=true'
  const webhook = await call('POST', '/v1/webhooks', {
    key,
    body: { url: 'https://example.com/hook', events: ['agent.created'] },
  })
  for (const path of [
    '/v1/calendars?include=all&query=a&limit=1&offset=0',
    `/v1/agents/${agentId}/calendars?limit=1&offset=0`,
    `/v1/calendars/${calendarId}/events?${events}`,
    `/v1/agents/${agentId}/events?${events}`,
    `/v1/events?calendar_ids=${calendarId}&${range}&limit=2000&cursor=`,
    `/v1/calendars/${calendarId}/availability?${slots}`,
    `/v1/agents/${agentId}/availability?${slots}`,
    `/v1/availability?agents=${agentId}&calendars=${calendarId}&${slots}`,
    `/v1/scheduling/proposals?status=pending&organizer_agent_id=${agentId}&limit=1&offset=0`,
    `/v1/agents/${agentId}/ical-subscriptions?status=active&limit=1&offset=0`,
    '/v1/webhooks?limit=1&offset=0',
    `/v1/webhooks/${webhook.body.id}/deliveries?limit=1&offset=0&status=failed&include_payload=true`,
    `/v1/webhooks/${webhook.body.id}/deliveries?cursor=&event_type=agent.created&from=2026-12-01T00:00:00Z&to=2026-12-02T00:00:00Z`,
    '/v1/booking-pages?limit=1&offset=0',
    '/v1/audit-log?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&action=a&actor_key_prefix=svc_sk_&limit=1',
    `/v1/audit-log?request_id=req_x&agent_id=${agentId}&resource=${calendarId}`,
    '/v1/auth/password/reset?token=x',
  ]) {
    const { status, body } = await call('GET', path, { key })
    assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
  }
  const admin = await call(
    'GET',
    '/v1/admin/orgs?email=nobody@example.com&query=x&plan=pro&is_waitlisted=true&limit=1&offset=0',
    {
      key: adminToken,
    },
  )
  assert.equal(admin.status, 200)
})

test('several wrong fields are all named, the first as message and param', async ({ key, call, calendarId }) => {
  const body = { title: '', startTime: '2026-12-01T09:00:00Z', end_time: 7, slots: [], reminders: [0, 'x'] }
  const { status, body: answer } = await call('POST', `/v1/calendars/${calendarId}/events`, { key, body })
  assert.equal(status, 400)
  const { error } = answer
  assert.deepEqual([error.type, error.param, error.message], ['validation_error', 'title', 'title: must not be empty'])
  assert.deepEqual(error.errors, [
    { param: 'title', message: 'title: must not be empty' },
    { param: 'start_time', message: 'start_time: is required; you sent `startTime`' },
    {
      param: 'end_time',
      message: 'end_time: must be a string, ISO 8601 with an offset, for example 2026-03-01T09:00:00Z',
    },
    { param: 'reminders.0', message: 'reminders.0: must be at least 1' },
    { param: 'reminders.1', message: 'reminders.1: must be a number' },
    { param: 'startTime', message: 'Unknown field `startTime`. Did you mean `start_time`?' },
    { param: 'slots', message: 'Unknown field `slots`.' },
  ])
})

test('several wrong parameters of a query are all named; a single one comes without a list', async ({ key, call }) => {
  const several = await call('GET', '/v1/agents?limit=x&offset=-1&agentType=ai', { key })
  assert.deepEqual(
    several.body.error.errors.map(({ param }: { param: string }) => param),
    ['limit', 'offset', 'agentType'],
  )
  assert.equal(several.body.error.param, 'limit')
  const one = await call('GET', '/v1/agents?limit=x', { key })
  assertRefused(one, 400, 'validation_error', { param: 'limit' })
})

test('the list keeps the type and status of its body, and names fields within lists by their place', async ({
  key,
  call,
  calendarId,
}) => {
  const proposal = await call('POST', '/v1/scheduling/proposals', {
    key,
    body: {
      title: 'P',
      organizer_agent_id: 'agt_x',
      participant_agent_ids: ['agt_x'],
      calendar_id: 'cal_x',
      slots: [{ startTime: 'x', end_time: '2026-12-01T09:00:00Z' }],
    },
  })
  const { type, param, errors, message } = proposal.body.error
  assert.deepEqual([proposal.status, type, param], [400, 'validation', 'slots.0.start_time'])
  assert.equal(message, 'slots.0.start_time: is required; you sent `slots.0.startTime`')
  assert.deepEqual(errors[1], {
    param: 'slots.0.startTime',
    message: 'Unknown field `slots.0.startTime`. Did you mean `start_time`?',
  })
  const subscription = await call('POST', '/v1/agents/agt_x/ical-subscriptions', { key, body: { uri: 1 } })
  assert.deepEqual([subscription.status, subscription.body.error.type], [422, 'validation_error'])
  assert.deepEqual(
    subscription.body.error.errors.map((one: { param: string }) => one.param),
    ['calendar_id', 'url', 'uri'],
  )
  const rules = await call('PUT', `/v1/calendars/${calendarId}/availability-rules`, {
    key,
    body: { working_hours: { Mon: { start: '09:00', end: '17:00' } } },
  })
  assert.equal(rules.body.error.message, 'Unknown field `working_hours.Mon`. Did you mean `mon`?')
})

test('of a body with very many faults a hundred are named', async ({ key, call }) => {
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, nth) => [`k${nth}`, 0]))
  const { status, body: answer } = await call('POST', '/v1/agents', { key, body })
  assert.equal(status, 400)
  assert.equal(answer.error.errors.length, 100)
  assert.equal(answer.error.param, 'name')
})
