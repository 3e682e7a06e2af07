import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { asRead } from '../../src/testing/eventRecord.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { type TestService, testStart } from '../../src/testing/harness.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

// A Monday, an hour after the set time.
const daily = {
  title: 'Stand-up',
  start_time: '2026-03-02T10:00:00Z',
  end_time: '2026-03-02T10:30:00Z',
  recurrence_rule: 'FREQ=DAILY;COUNT=10',
}

const test = serviceTest().extend(
  'create',
  perFile,
  ({ call }) =>
    (key: string, calendarId: string, body: object = {}) =>
      call('POST', `/v1/calendars/${calendarId}/events`, { key, body: { ...daily, ...body } }),
)

test.beforeEach(({ service }) => service.clock.set(testStart))

const eventsSpent = async ({ app: { sql } }: TestService, organization: { id: string }): Promise<number> => {
  const [row] = await sql<{ spent: number }[]>`
    select count(*)::integer as spent from events where org_id = ${decodeId('org', organization.id)!}`
  return row!.spent
}

test('a series is one record with its rule as it was sent, and event.created is sent once', async ({
  service,
  create,
  receiver,
}) => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['event.created'])
  const calendar = await makeCalendar(service, key)
  const rule = { recurrence_rule: 'COUNT=10;FREQ=DAILY;INTERVAL=1' }
  const { status, body } = asRead(await create(key, calendar.id, rule))
  assert.equal(status, 201)
  assert.equal(body.recurrenceRule, 'COUNT=10;FREQ=DAILY;INTERVAL=1')
  assert.deepEqual(body.recurrenceExdates, [])
  assert.equal(body.startTime, '2026-03-02T10:00:00.000Z')
  assert.equal(body.endTime, '2026-03-02T10:30:00.000Z')
  assert.equal('recurringEventId' in body, false)
  const read = await service.call('GET', `/v1/calendars/${calendar.id}/events/${body.id}`, { key })
  assert.deepEqual(read.body, body)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload),
    [{ calendar_id: calendar.id, event: body }],
  )
})

test('an event that is created without a rule has none, and null is not a rule', async ({ service, create }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const once = await create(key, calendar.id, { recurrence_rule: undefined })
  assert.equal(once.body.recurrenceRule, null)
  assert.deepEqual(once.body.recurrenceExdates, [])
  assertRefused(await create(key, calendar.id, { recurrence_rule: null }), 400, 'validation_error', {
    param: 'recurrence_rule',
  })
})

// Every form of refusal is in src/events/rule.test.ts; these are the ones that the specification names.
const refusedRules = [
  '',
  'X'.repeat(5_000),
  'RRULE:FREQ=DAILY',
  'FREQ=HOURLY',
  'freq=daily',
  'FREQ=DAILY;BYHOUR=10',
  'FREQ=DAILY;COUNT=3;UNTIL=20260401',
  'FREQ=DAILY;COUNT=731',
  'FREQ=DAILY;INTERVAL=100',
  'FREQ=DAILY;UNTIL=20260301',
  'FREQ=WEEKLY;BYDAY=TU,TU',
  'FREQ=WEEKLY;BYDAY=TU',
  'FREQ=MONTHLY;BYMONTHDAY=29',
  'FREQ=MONTHLY;BYMONTHDAY=3',
  'FREQ=MONTHLY;BYDAY=6MO',
  'FREQ=\u0394',
]

test('a rule that is not accepted is a bad request about recurrence_rule, and no event is made or counted', async ({
  service,
  create,
}) => {
  const organization = await makeOrganization(service, { plan: 'free' })
  const { key } = organization
  const calendar = await makeCalendar(service, key)
  for (const recurrence_rule of refusedRules) {
    const answer = await create(key, calendar.id, { recurrence_rule })
    assertRefused(answer, 400, 'bad_request', { param: 'recurrence_rule' })
    assert.ok(answer.body.error.message.length < 300, 'the message does not repeat a long rule')
  }
  assert.equal(await eventsSpent(service, organization), 0)
})

test('a hold cannot recur', async ({ service, create }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  for (const recurrence_rule of [daily.recurrence_rule, 'FREQ=NEVER']) {
    const answer = await create(key, calendar.id, {
      recurrence_rule,
      status: 'hold',
      hold_expires_at: '2026-03-02T09:05:00Z',
    })
    assertRefused(answer, 400, 'validation_error', { param: 'recurrence_rule' })
  }
})

test('on the Free plan a series ends, and its last start is at most 90 days after its first', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const calendar = await makeCalendar(service, key)
  for (const recurrence_rule of ['FREQ=DAILY', 'FREQ=DAILY;COUNT=92', 'FREQ=DAILY;UNTIL=20260601', 'FREQ=YEARLY']) {
    const answer = await create(key, calendar.id, { recurrence_rule })
    assertRefused(answer, 403, 'plan_required', { feature: 'unbounded_recurrence' })
  }
  for (const recurrence_rule of ['FREQ=DAILY;COUNT=91', 'FREQ=DAILY;UNTIL=20260531', 'FREQ=WEEKLY;UNTIL=20260531']) {
    assert.equal((await create(key, calendar.id, { recurrence_rule })).status, 201, recurrence_rule)
  }
  const paid = await makeOrganization(service, { plan: 'pro' })
  const unbounded = await create(paid.key, (await makeCalendar(service, paid.key)).id, {
    recurrence_rule: 'FREQ=DAILY',
  })
  assert.equal(unbounded.status, 201)
})

test('checks come in this order: the key, the fields, the rule, the plan, the cap, the calendar', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const calendar = await makeCalendar(service, key)
  const nowhere = 'cal_00000000000000000000000000'
  const broken = { recurrence_rule: 'FREQ=NEVER' }
  const unbounded = { recurrence_rule: 'FREQ=DAILY' }
  assertRefused(await create('svc_sk_nobody_knows_this', nowhere, broken), 401, 'authentication_error')
  assertRefused(await create(key, nowhere, { ...broken, title: '' }), 400, 'validation_error', { param: 'title' })
  assertRefused(await create(key, nowhere, broken), 400, 'bad_request', { param: 'recurrence_rule' })
  assertRefused(await create(key, nowhere, unbounded), 403, 'plan_required', { feature: 'unbounded_recurrence' })
  assertRefused(await create(key, nowhere), 404, 'not_found', { code: 'calendar_not_found' })
  for (let made = 0; made < 5; made++) assert.equal((await create(key, calendar.id)).status, 201)
  assertRefused(await create(key, nowhere, unbounded), 403, 'plan_required', { feature: 'unbounded_recurrence' })
  assertRefused(await create(key, nowhere), 429, 'quota_exceeded')
})

test("an agent's key creates series on its agent's calendars only", async ({ service, create }) => {
  const { key } = await makeOrganization(service)
  const [own, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, own.id)
  assert.equal((await create(agentKey, (await makeCalendar(service, key, own.id)).id)).status, 201)
  assertRefused(await create(agentKey, (await makeCalendar(service, key, other.id)).id), 403, 'forbidden')
})

test('the Free plan has five active series, over all calendars; single events are not counted', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const calendars = [await makeCalendar(service, key), await makeCalendar(service, key)]
  for (let made = 0; made < 5; made++) assert.equal((await create(key, calendars[made % 2].id)).status, 201)
  const refused = await create(key, calendars[0].id)
  assertRefused(refused, 429, 'quota_exceeded')
  assert.match(refused.body.error.message, /5 active recurring series/)
  const secondsLeft = Number(refused.headers.get('retry-after'))
  assert.ok(secondsLeft > 0 && secondsLeft <= 30 * 86_400)
  assert.equal((await create(key, calendars[0].id, { recurrence_rule: undefined })).status, 201)
  const stranger = await makeOrganization(service, { plan: 'free' })
  assert.equal((await create(stranger.key, (await makeCalendar(service, stranger.key)).id)).status, 201)
})

test('a custom plan has the cap that was agreed, or none', async ({ service, create }) => {
  const capped = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 2 } })
  const calendar = await makeCalendar(service, capped.key)
  for (let made = 0; made < 2; made++) assert.equal((await create(capped.key, calendar.id)).status, 201)
  assertRefused(await create(capped.key, calendar.id), 429, 'quota_exceeded')
  const none = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 0 } })
  assertRefused(await create(none.key, (await makeCalendar(service, none.key)).id), 429, 'quota_exceeded')
  const open = await makeOrganization(service, { plan: 'custom' })
  const roomy = await makeCalendar(service, open.key)
  for (let made = 0; made < 7; made++) assert.equal((await create(open.key, roomy.id)).status, 201)
})

test('of 20 series that are created at once, only as many as the cap allows are made', async ({ service, create }) => {
  const organization = await makeOrganization(service, { plan: 'free' })
  const calendars = await Promise.all([1, 2, 3].map(() => makeCalendar(service, organization.key)))
  await create(organization.key, calendars[0].id)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => create(organization.key, calendars[nth % 3].id)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(4).fill(201), ...Array(16).fill(429)])
  assert.equal(await eventsSpent(service, organization), 5)
})

test('a series that another process creates at the same moment counts towards the cap', async ({ service, create }) => {
  const organization = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 2 } })
  const calendar = await makeCalendar(service, organization.key)
  const first = await create(organization.key, calendar.id)
  const orgId = decodeId('org', organization.id)!
  const answer = await whileOpen(service.app.sql, {
    change: async (sql) => {
      await sql`update organizations set revision = revision + 1 where id = ${orgId}`
      await sql`
        insert into events select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
        from events e where org_id = ${orgId} and id = ${decodeId('evt', first.body.id)!}`
    },
    work: () => create(organization.key, calendar.id),
  })
  assertRefused(answer, 429, 'quota_exceeded')
})

test('a series frees its place when its last occurrence starts, or when it is deleted, cancelled or made a one-off', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 1 } })
  const calendar = await makeCalendar(service, key)
  const path = (event: { body: { id: string } }) => `/v1/calendars/${calendar.id}/events/${event.body.id}`
  const full = async () => assertRefused(await create(key, calendar.id), 429, 'quota_exceeded')

  const short = await create(key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  assert.equal(short.status, 201)
  await full()
  // A cancelled last occurrence does not end it earlier.
  await service.call('DELETE', `${path(short)}?occurrence_start=2026-03-03T10:00:00Z`, { key })
  await service.clock.set('2026-03-03T09:59:59.999Z')
  await full()
  await service.clock.set('2026-03-03T10:00:00.000Z')
  const later = { start_time: '2026-03-04T10:00:00Z', end_time: '2026-03-04T10:30:00Z' }
  const deleted = await create(key, calendar.id, later)
  assert.equal(deleted.status, 201)
  await full()
  assert.equal((await service.call('DELETE', path(deleted), { key })).status, 204)
  const cancelled = await create(key, calendar.id, later)
  assert.equal(cancelled.status, 201)
  await full()
  assert.equal((await service.call('PATCH', path(cancelled), { key, body: { status: 'cancelled' } })).status, 200)
  const single = await create(key, calendar.id, later)
  assert.equal(single.status, 201)
  await full()
  assert.equal((await service.call('PATCH', path(single), { key, body: { recurrence_rule: null } })).status, 200)
  assert.equal((await create(key, calendar.id, later)).status, 201)
  await full()
})

test('deleting a calendar frees the places of its series', async ({ service, create }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 1 } })
  const calendar = await makeCalendar(service, key)
  await create(key, calendar.id)
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assert.equal((await create(key, (await makeCalendar(service, key)).id)).status, 201)
  const left = await service.app.sql`
    select from events where calendar_id = ${decodeId('cal', calendar.id)!} and deleted_at is null`
  assert.equal(left.length, 0, 'no event of a deleted calendar is left for the count of live series to skip')
})

test('a series that is cancelled or over when it is created takes no place; a tentative one does', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 1 } })
  const calendar = await makeCalendar(service, key)
  assert.equal((await create(key, calendar.id, { status: 'tentative' })).status, 201)
  assertRefused(await create(key, calendar.id), 429, 'quota_exceeded')
  assert.equal((await create(key, calendar.id, { status: 'cancelled' })).status, 201)
  const over = { start_time: '2026-02-02T10:00:00Z', end_time: '2026-02-02T10:30:00Z' }
  assert.equal((await create(key, calendar.id, over)).status, 201)
  assertRefused(await create(key, 'cal_00000000000000000000000000', over), 404, 'not_found', {
    code: 'calendar_not_found',
  })
})

test('a series counts as one event of the month, however often it happens; a refused one does not count', async ({
  service,
  create,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 2, recurring_events: 1 } })
  const calendar = await makeCalendar(service, key)
  assert.equal((await create(key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=730' })).status, 201)
  assertRefused(await create(key, calendar.id), 429, 'quota_exceeded')
  assertRefused(await create(key, calendar.id, { recurrence_rule: 'FREQ=NEVER' }), 400, 'bad_request', {
    param: 'recurrence_rule',
  })
  assert.equal((await create(key, calendar.id, { recurrence_rule: undefined })).status, 201)
  const refused = await create(key, calendar.id, { recurrence_rule: undefined })
  assertRefused(refused, 429, 'quota_exceeded')
  assert.match(refused.body.error.message, /events a month/)
})

test('series are created while other events are added to the same calendar', async ({ service, create }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const bodies = Array.from({ length: 60 }, (_, nth) => (nth % 6 === 0 ? {} : { recurrence_rule: undefined }))
  const answers = await Promise.all(bodies.map((body) => create(key, calendar.id, body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
})

test('a series under a decommissioned agent is refused', async ({ service, create }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  const refusal = { code: 'agent_decommissioned' }
  assertRefused(await create(key, calendar.id), 409, 'conflict', refusal)
  assertRefused(await create(key, calendar.id, { status: 'cancelled' }), 409, 'conflict', refusal)
})
