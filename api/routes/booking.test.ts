// Booking pages as their owner manages them.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const path = '/v1/booking-pages'

const test = serviceTest().extend('pages', perFile, ({ service }) => {
  const send = (method: string, where: string, key: string, body?: unknown) =>
    service.call(method, where, { key, body })
  const create = (key: string, body: object) => send('POST', path, key, { title: 'Chat', ...body })
  async function withCalendar(options: Parameters<typeof makeOrganization>[1] = {}) {
    const { id, key } = await makeOrganization(service, options)
    const agent = await makeAgent(service, key)
    return { orgId: id, key, agent, calendar: await makeCalendar(service, key, agent.id) }
  }
  return { send, create, withCalendar }
})

test('a page is created with every field, and read back the same', async ({
  service,
  pages: { send, create, withCalendar },
}) => {
  const { orgId, key, agent, calendar } = await withCalendar()
  const sent = {
    calendar_id: calendar.id,
    title: 'Intro',
    description: 'Half an hour',
    duration_minutes: 45,
    buffer_minutes: 10,
    window_days: 30,
    min_notice_minutes: 120,
    timezone: 'Europe/Berlin',
    availability_constraints: { fri: { start: '08:30', end: '12:00' }, mon: { start: '09:00', end: '17:00' } },
    active: false,
  }
  const { status, body } = await create(key, sent)
  assert.equal(status, 201)
  assert.match(body.id, /^bkp_[0-9a-z]{26}$/)
  assert.match(body.slug, /^[A-Za-z0-9_-]{22}$/)
  const now = service.clock.now().toISOString()
  assert.deepEqual(body, {
    id: body.id,
    org_id: orgId,
    agent_id: agent.id,
    slug: body.slug,
    ...sent,
    bookings_count: 0,
    booking_url: `${service.baseUrl}/book/${body.slug}`,
    created_at: now,
    updated_at: now,
  })
  assert.deepEqual(Object.keys(body), [
    ...['id', 'org_id', 'calendar_id', 'agent_id', 'slug', 'title', 'description', 'duration_minutes'],
    ...['buffer_minutes', 'window_days', 'min_notice_minutes', 'timezone', 'availability_constraints', 'active'],
    ...['bookings_count', 'booking_url', 'created_at', 'updated_at'],
  ])
  assert.deepEqual(Object.keys(body.availability_constraints), ['mon', 'fri'])
  assert.deepEqual((await send('GET', `${path}/${body.id}`, key)).body, body)
})

test('what is left out gets its default; a calendar of the organization has no agent', async ({
  service,
  pages: { create },
}) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const { body } = await create(key, { calendar_id: calendar.id })
  const { description, duration_minutes, buffer_minutes, window_days, min_notice_minutes } = body
  assert.deepEqual(
    [description, duration_minutes, buffer_minutes, window_days, min_notice_minutes],
    [null, 30, 0, 14, 0],
  )
  const { timezone, availability_constraints, active, agent_id } = body
  assert.deepEqual([timezone, availability_constraints, active, agent_id], ['UTC', null, true, null])
})

const day = { start: '09:00', end: '17:00' }
const wrong: [what: string, body: object, param: string][] = [
  ['without a title', { title: undefined }, 'title'],
  ['with an empty title', { title: '' }, 'title'],
  ['with a title of 201 characters', { title: 'a'.repeat(201) }, 'title'],
  ['with a description of 2,001 characters', { description: 'a'.repeat(2001) }, 'description'],
  ['of 4 minutes', { duration_minutes: 4 }, 'duration_minutes'],
  ['of 481 minutes', { duration_minutes: 481 }, 'duration_minutes'],
  ['of half a minute more', { duration_minutes: 30.5 }, 'duration_minutes'],
  ['with a negative buffer', { buffer_minutes: -1 }, 'buffer_minutes'],
  ['with a buffer of 121 minutes', { buffer_minutes: 121 }, 'buffer_minutes'],
  ['with a window of no day', { window_days: 0 }, 'window_days'],
  ['with a window of 366 days', { window_days: 366 }, 'window_days'],
  ['with a negative notice', { min_notice_minutes: -1 }, 'min_notice_minutes'],
  ['with a notice of more than 28 days', { min_notice_minutes: 40321 }, 'min_notice_minutes'],
  ['in a zone that does not exist', { timezone: 'Europe/Nowhere' }, 'timezone'],
  ['in an offset', { timezone: '+02:00' }, 'timezone'],
  ['with constraints of no day', { availability_constraints: {} }, 'availability_constraints'],
  ['with a text as constraints', { availability_constraints: 'always' }, 'availability_constraints'],
  ['on a day that is none', { availability_constraints: { any: day } }, 'availability_constraints.any'],
  [
    'with hours that end as they start',
    { availability_constraints: { mon: day, tue: { start: '09:00', end: '09:00' } } },
    'availability_constraints.tue.end',
  ],
  [
    'with hours past midnight',
    { availability_constraints: { mon: { start: '22:00', end: '02:00' } } },
    'availability_constraints.mon.end',
  ],
  [
    'with a time that is none',
    { availability_constraints: { mon: { start: '9:00', end: '17:00' } } },
    'availability_constraints.mon.start',
  ],
  ['that is active by a word', { active: 'yes' }, 'active'],
  ['with a field nobody knows', { colour: 'red' }, 'colour'],
  ['with a slug of its own', { slug: 'me' }, 'slug'],
]
for (const [what, body, param] of wrong) {
  test(`a page ${what} is refused, at creation and by an edit`, async ({ pages: { send, create, withCalendar } }) => {
    const { key, calendar } = await withCalendar()
    assertRefused(await create(key, { calendar_id: calendar.id, ...body }), 400, 'validation_error', { param })
    assert.equal((await send('GET', path, key)).body.total, 0)
    if (param === 'title' && !('title' in body && body.title)) return
    const page = (await create(key, { calendar_id: calendar.id })).body
    assertRefused(await send('PATCH', `${path}/${page.id}`, key, body), 400, 'validation_error', { param })
    assert.deepEqual((await send('GET', `${path}/${page.id}`, key)).body, page)
  })
}

test('the bounds themselves are allowed', async ({ pages: { create, withCalendar } }) => {
  const { key, calendar } = await withCalendar()
  for (const body of [
    { title: 'a'.repeat(200), description: 'a'.repeat(2000), duration_minutes: 5, buffer_minutes: 120 },
    { duration_minutes: 480, window_days: 365, min_notice_minutes: 40320 },
    { window_days: 1, availability_constraints: null },
  ]) {
    assert.equal((await create(key, { calendar_id: calendar.id, ...body })).status, 201)
  }
})

test('a calendar that is missing, malformed or of somebody else is not found', async ({
  pages: { create, withCalendar },
}) => {
  const { key } = await withCalendar()
  const foreign = await withCalendar()
  for (const calendar_id of ['cal_01k9xr8m3fe8tbc4x9m2v7h5qd', 'nonsense', foreign.calendar.id]) {
    assertRefused(await create(key, { calendar_id }), 404, 'not_found', {
      param: 'calendar_id',
      code: 'calendar_not_found',
    })
  }
  assertRefused(await create(key, {}), 400, 'validation_error', { param: 'calendar_id' })
})

test('an edit changes what it names and nothing else', async ({ service, pages: { send, create, withCalendar } }) => {
  const { key, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id, description: 'Before' })).body
  await service.clock.advance(1000)
  const changes = {
    title: 'After',
    description: null,
    duration_minutes: 60,
    buffer_minutes: 5,
    window_days: 7,
    min_notice_minutes: 60,
    timezone: 'Asia/Tokyo',
    availability_constraints: { sat: day },
    active: false,
  }
  for (const [name, value] of Object.entries(changes)) {
    const { status, body } = await send('PATCH', `${path}/${page.id}`, key, { [name]: value })
    assert.equal(status, 200, JSON.stringify(body))
    Object.assign(page, { [name]: value, updated_at: service.clock.now().toISOString() })
    assert.deepEqual(body, page)
  }
  const cleared = await send('PATCH', `${path}/${page.id}`, key, { availability_constraints: null })
  assert.equal(cleared.body.availability_constraints, null)
})

test('an edit of nothing, or of the calendar, is refused', async ({ pages: { send, create, withCalendar } }) => {
  const { key, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id })).body
  assertRefused(await send('PATCH', `${path}/${page.id}`, key, {}), 400, 'validation_error')
  const moved = await send('PATCH', `${path}/${page.id}`, key, { calendar_id: calendar.id })
  assertRefused(moved, 400, 'validation_error', { param: 'calendar_id' })
})

test('the list shows pages newest first, page by page', async ({ pages: { send, create, withCalendar } }) => {
  const { key, calendar } = await withCalendar()
  const titles = ['1', '2', '3']
  for (const title of titles) await create(key, { calendar_id: calendar.id, title })
  const { body } = await send('GET', `${path}?limit=2&offset=1`, key)
  assert.deepEqual(
    [body.data.map(({ title }: { title: string }) => title), body.total, body.limit, body.offset],
    [['2', '1'], 3, 2, 1],
  )
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['offset=-1', 'offset'],
  ]) {
    assertRefused(await send('GET', `${path}?${query}`, key), 400, 'validation_error', { param })
  }
})

test('a removed page is gone for its owner and for guests', async ({
  service,
  pages: { send, create, withCalendar },
}) => {
  const { key, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id })).body
  assert.equal((await service.call('GET', `/book/${page.slug}/slots`)).status, 200)
  const { status, body } = await send('DELETE', `${path}/${page.id}`, key)
  assert.deepEqual([status, body], [204, ''])
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assertRefused(
      await send(method, `${path}/${page.id}`, key, method === 'PATCH' ? { title: 'x' } : undefined),
      404,
      'not_found',
    )
  }
  assert.equal((await send('GET', path, key)).body.total, 0)
  for (const where of [`/book/${page.slug}`, `/book/${page.slug}/slots`]) {
    assertRefused(await service.call('GET', where), 404, 'not_found')
  }
})

test('pages of another organization, and ids that are none, are not found', async ({
  pages: { send, create, withCalendar },
}) => {
  const { key } = await withCalendar()
  const foreign = await withCalendar()
  const page = (await create(foreign.key, { calendar_id: foreign.calendar.id })).body
  for (const id of [page.id, 'bkp_01k9xr8m3fe8tbc4x9m2v7h5qd', 'nonsense', foreign.calendar.id]) {
    assertRefused(await send('GET', `${path}/${id}`, key), 404, 'not_found')
    assertRefused(await send('PATCH', `${path}/${id}`, key, { title: 'x' }), 404, 'not_found')
    assertRefused(await send('DELETE', `${path}/${id}`, key), 404, 'not_found')
  }
  assert.deepEqual((await send('GET', `${path}/${page.id}`, foreign.key)).body, page)
})

test("an agent key sees and touches the pages on its agent's calendars only", async ({
  service,
  pages: { send, create, withCalendar },
}) => {
  const { key, agent, calendar } = await withCalendar()
  const agentKey = await makeAgentKey(service, key, agent.id)
  const other = await makeAgent(service, key)
  const others = [await makeCalendar(service, key, other.id), await makeCalendar(service, key)]
  const own = (await create(agentKey, { calendar_id: calendar.id })).body
  assert.equal(own.agent_id, agent.id)
  for (const { id } of others) {
    assertRefused(await create(agentKey, { calendar_id: id }), 403, 'forbidden')
    const page = (await create(key, { calendar_id: id })).body
    assertRefused(await send('GET', `${path}/${page.id}`, agentKey), 403, 'forbidden')
    assertRefused(await send('PATCH', `${path}/${page.id}`, agentKey, { title: 'x' }), 403, 'forbidden')
    assertRefused(await send('DELETE', `${path}/${page.id}`, agentKey), 403, 'forbidden')
    assert.deepEqual((await send('GET', `${path}/${page.id}`, key)).body, page)
  }
  const { body } = await send('GET', path, agentKey)
  assert.deepEqual([body.data, body.total], [[own], 1])
  assert.equal((await send('GET', path, key)).body.total, 3)
  assert.equal((await send('PATCH', `${path}/${own.id}`, agentKey, { title: 'Mine' })).status, 200)
  assert.equal((await send('DELETE', `${path}/${own.id}`, agentKey)).status, 204)
  const foreign = await withCalendar()
  const page = (await create(foreign.key, { calendar_id: foreign.calendar.id })).body
  assertRefused(await send('GET', `${path}/${page.id}`, agentKey), 404, 'not_found')
})

test('the plan caps the pages that are not removed, switched off or not, also when many are made at once', async ({
  pages: { send, create, withCalendar },
}) => {
  const { key, calendar } = await withCalendar({ plan: 'free' })
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => create(key, { calendar_id: calendar.id, active: false })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 429, 429, 429, 429])
  const refused = made.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(30 * 86_400))
  const page = made.find(({ status }) => status === 201)!.body
  assert.equal((await send('DELETE', `${path}/${page.id}`, key)).status, 204)
  assert.equal((await create(key, { calendar_id: calendar.id })).status, 201)
})

test('pro allows 25 pages, custom what was agreed', async ({ pages: { create, withCalendar } }) => {
  const pro = await withCalendar()
  for (let nth = 0; nth < 25; nth++) {
    assert.equal((await create(pro.key, { calendar_id: pro.calendar.id })).status, 201)
  }
  assertRefused(await create(pro.key, { calendar_id: pro.calendar.id }), 429, 'quota_exceeded')
  const custom = await withCalendar({ plan: 'custom', limits: { booking_pages: 0 } })
  assertRefused(await create(custom.key, { calendar_id: custom.calendar.id }), 429, 'quota_exceeded')
})

test('a deleted calendar switches its pages off for good', async ({
  service,
  pages: { send, create, withCalendar },
}) => {
  const { key, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id })).body
  assert.equal((await send('DELETE', `/v1/calendars/${calendar.id}`, key)).status, 204)
  const after = (await send('GET', `${path}/${page.id}`, key)).body
  assert.deepEqual(after, { ...page, active: false })
  assertRefused(await service.call('GET', `/book/${page.slug}/slots`), 404, 'not_found')
  assertRefused(await send('PATCH', `${path}/${page.id}`, key, { active: true }), 409, 'conflict')
  assert.equal((await send('PATCH', `${path}/${page.id}`, key, { title: 'Late' })).body.active, false)
  assert.equal((await send('DELETE', `${path}/${page.id}`, key)).status, 204)
})

test('nothing is written under a decommissioned agent, but its pages can be removed', async ({
  service,
  pages: { send, create, withCalendar },
}) => {
  const { key, agent, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id })).body
  await send('DELETE', `/v1/agents/${agent.id}`, key)
  const code = 'agent_decommissioned'
  assertRefused(await create(key, { calendar_id: calendar.id }), 409, 'conflict', { code })
  assertRefused(await send('PATCH', `${path}/${page.id}`, key, { title: 'x' }), 409, 'conflict', { code })
  assert.deepEqual((await send('GET', `${path}/${page.id}`, key)).body, { ...page, active: false })
  assertRefused(await service.call('GET', `/book/${page.slug}/slots`), 404, 'not_found')
  assert.equal((await send('DELETE', `${path}/${page.id}`, key)).status, 204)
})

test('edits of one page at the same time are all kept', async ({ pages: { send, create, withCalendar } }) => {
  const { key, calendar } = await withCalendar()
  const page = (await create(key, { calendar_id: calendar.id })).body
  const changes = [
    { title: 'T' },
    { duration_minutes: 20 },
    { buffer_minutes: 7 },
    { window_days: 3 },
    { active: false },
  ]
  const answers = await Promise.all(changes.map((change) => send('PATCH', `${path}/${page.id}`, key, change)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    changes.map(() => 200),
  )
  assert.deepEqual((await send('GET', `${path}/${page.id}`, key)).body, Object.assign({ ...page }, ...changes))
})
