import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { openFeedServer, vcalendar, vevent } from '../../src/testing/feedServer.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

let nth = 0

/** A new organization per test, with an agent, its calendar, and a feed that no other test reads. */
const test = serviceTest()
  // It needs nothing, but a fixture must name what it takes.
  .extend('feeds', perFile, async ({ service: _ }, { onCleanup }) => {
    const feeds = await openFeedServer()
    onCleanup(feeds.close)
    return feeds
  })
  .extend('desk', async ({ service, feeds }) => {
    feeds.body = vcalendar()
    const url = feeds.url(`feed${nth++}`)
    const { key } = await makeOrganization(service)
    const agent = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, agent.id)
    const listPath = (agentId = agent.id) => `/v1/agents/${agentId}/ical-subscriptions`
    const create = (body: object, using = key, agentId = agent.id) =>
      service.call('POST', listPath(agentId), { key: using, body: { calendar_id: calendar.id, url, ...body } })
    async function created(body: object = {}) {
      const answer = await create(body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body
    }
    const timesAsked = () => feeds.asked.filter((request) => url.endsWith(request.url!)).length
    const get = (id: string, using = key) => service.call('GET', pathOf(id), { key: using })
    const patch = (id: string, body: object, using = key) => service.call('PATCH', pathOf(id), { key: using, body })
    const sync = (id: string, using = key) => service.call('POST', pathOf(id, '/sync'), { key: using })
    const remove = (id: string, using = key) => service.call('DELETE', pathOf(id), { key: using })
    return { url, key, agent, calendar, listPath, create, created, timesAsked, get, patch, sync, remove }
  })

const pathOf = (id: string, action = '') => `/v1/ical-subscriptions/${id}${action}`

test('a subscription is created with exactly the fields of its record, and can be read', async ({ desk }) => {
  const answer = await desk.create({ label: 'Holidays' })
  assert.equal(answer.status, 201)
  assert.match(answer.body.id, /^ics_[0-9a-z]{26}$/)
  assert.deepEqual(Object.entries(answer.body), [
    ['id', answer.body.id],
    ['agent_id', desk.agent.id],
    ['calendar_id', desk.calendar.id],
    ['url', desk.url],
    ['label', 'Holidays'],
    ['status', 'active'],
    ['last_synced_at', null],
    ['last_error', null],
    ['created_at', testStart.toISOString()],
  ])
  const shown = await desk.get(answer.body.id)
  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body, answer.body)
})

test('a missing label is null', async ({ desk }) => {
  assert.equal((await desk.created()).label, null)
})

test('the organization key can subscribe a calendar of the organization itself', async ({ service, desk }) => {
  const shared = await makeCalendar(service, desk.key)
  assert.equal((await desk.create({ calendar_id: shared.id })).status, 201)
})

const badCreates: [string, Record<string, unknown>, string][] = [
  ['no address', { url: undefined }, 'url'],
  ['an address that is no text', { url: 5 }, 'url'],
  ['an address that is none', { url: 'not an address' }, 'url'],
  ['an address without TLS', { url: 'http://example.com/feed.ics' }, 'url'],
  ['another scheme', { url: 'webcal://example.com/feed.ics' }, 'url'],
  ['a file', { url: 'file:///etc/passwd' }, 'url'],
  ['an inward address', { url: 'https://10.0.0.1/feed.ics' }, 'url'],
  ['an inward name', { url: 'https://localhost/feed.ics' }, 'url'],
  ['the metadata service', { url: 'https://169.254.169.254/feed.ics' }, 'url'],
  ['an address of more than 2048 characters', { url: `https://example.com/${'x'.repeat(2048)}` }, 'url'],
  ['an address with a hidden character', { url: 'https://example.com/\u202efeed.ics' }, 'url'],
  ['no calendar', { calendar_id: undefined }, 'calendar_id'],
  ['a calendar that is no text', { calendar_id: 7 }, 'calendar_id'],
  ['an empty label', { label: '' }, 'label'],
  ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label'],
  ['a label that is null', { label: null }, 'label'],
  ['an unknown key', { colour: 'red' }, 'colour'],
]
for (const [name, body, param] of badCreates) {
  test(`creating with ${name} is 422 and stores nothing`, async ({ service, desk }) => {
    assertRefused(await desk.create(body), 422, 'validation_error', { param })
    const { body: list } = await service.call('GET', desk.listPath(), { key: desk.key })
    assert.equal(list.total, 0)
  })
}

test('a body that is not JSON is 422', async ({ service, desk }) => {
  assertRefused(await service.call('POST', desk.listPath(), { key: desk.key, raw: '{' }), 422, 'validation_error')
  const { id } = await desk.created()
  assertRefused(await service.call('PATCH', pathOf(id), { key: desk.key, raw: '{' }), 422, 'validation_error')
})

test('an agent that is unknown or of another organization is 404', async ({ service, desk }) => {
  const other = await makeOrganization(service)
  const theirs = await makeAgent(service, other.key)
  for (const id of [theirs.id, 'agt_00000000000000000000000000', 'nonsense']) {
    assertRefused(await desk.create({}, desk.key, id), 404, 'not_found')
    assertRefused(await service.call('GET', desk.listPath(id), { key: desk.key }), 404, 'not_found')
  }
})

test('a calendar that is unknown, deleted, of another agent or of another organization is 404', async ({
  service,
  desk,
}) => {
  const other = await makeOrganization(service)
  const theirs = await makeCalendar(service, other.key)
  const deleted = await makeCalendar(service, desk.key, desk.agent.id)
  await service.call('DELETE', `/v1/calendars/${deleted.id}`, { key: desk.key })
  const otherAgents = await makeCalendar(service, desk.key, (await makeAgent(service, desk.key)).id)
  for (const id of [theirs.id, deleted.id, otherAgents.id, 'cal_00000000000000000000000000', 'nonsense']) {
    assertRefused(await desk.create({ calendar_id: id }), 404, 'not_found', {
      param: 'calendar_id',
      code: 'calendar_not_found',
    })
  }
})

test('the cap of the plan holds exactly, however many requests come at once; one more is 402', async ({
  service,
  desk,
}) => {
  const free = await makeOrganization(service, { plan: 'free' })
  const owner = await makeAgent(service, free.key)
  const target = await makeCalendar(service, free.key, owner.id)
  const path = desk.listPath(owner.id)
  const body = { calendar_id: target.id, url: desk.url }
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => service.call('POST', path, { key: free.key, body })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 5)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertRefused(answer, 402, 'quota_exceeded')
  const { id } = answers.find(({ status }) => status === 201)!.body
  assert.equal((await desk.remove(id, free.key)).status, 204)
  assert.equal((await service.call('POST', path, { key: free.key, body })).status, 201)
})

test('a list is newest first, has pages and can be filtered by status', async ({ service, desk }) => {
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth++) ids.unshift((await desk.created({ label: `${nth}` })).id)
  const list = (query: string) => service.call('GET', `${desk.listPath()}?${query}`, { key: desk.key })
  const all = await list('')
  assert.deepEqual(
    all.body.data.map(({ id }: { id: string }) => id),
    ids,
  )
  assert.deepEqual([all.body.total, all.body.limit, all.body.offset], [3, 50, 0])
  assert.deepEqual(
    (await list('limit=1&offset=1')).body.data.map(({ id }: { id: string }) => id),
    [ids[1]],
  )
  assert.equal((await list('status=active')).body.total, 3)
  assert.deepEqual((await list('status=error')).body.data, [])
  assertRefused(await list('status=other'), 400, 'validation_error', { param: 'status' })
  assertRefused(await list('limit=201'), 400, 'validation_error', { param: 'limit' })
})

test('label and address can be changed', async ({ desk, feeds }) => {
  const before = await desk.created()
  const labelled = await desk.patch(before.id, { label: 'Team' })
  assert.equal(labelled.status, 200)
  assert.deepEqual(labelled.body, { ...before, label: 'Team' })
  const moved = await desk.patch(before.id, { url: feeds.url('other') })
  assert.deepEqual(moved.body, { ...before, label: 'Team', url: feeds.url('other') })
})

const badPatches: [string, object, string | null][] = [
  ['nothing', {}, null],
  ['an empty label', { label: '' }, 'label'],
  ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label'],
  ['a label that is null', { label: null }, 'label'],
  ['an address without TLS', { url: 'http://example.com/feed.ics' }, 'url'],
  ['an inward address', { url: 'https://192.168.1.1/feed.ics' }, 'url'],
  ['another calendar', { calendar_id: 'cal_00000000000000000000000000' }, 'calendar_id'],
]
for (const [name, body, param] of badPatches) {
  test(`changing with ${name} is 422 and changes nothing`, async ({ desk }) => {
    const before = await desk.created()
    assertRefused(await desk.patch(before.id, body), 422, 'validation_error', { param })
    assert.deepEqual((await desk.get(before.id)).body, before)
  })
}

test('an id that is unknown, malformed or of another organization is 404 for every method', async ({
  service,
  desk,
}) => {
  const { id } = await desk.created()
  const other = await makeOrganization(service)
  for (const [unknown, using] of [
    [id, other.key],
    ['ics_00000000000000000000000000', desk.key],
    ['whk_00000000000000000000000000', desk.key],
    ['nonsense', desk.key],
  ] as const) {
    for (const answer of [
      await desk.get(unknown, using),
      await desk.patch(unknown, { label: 'x' }, using),
      await desk.sync(unknown, using),
      await desk.remove(unknown, using),
    ]) {
      assertRefused(answer, 404, 'not_found')
    }
  }
  assert.equal((await desk.get(id)).status, 200)
})

test("an agent key does everything for its own agent and nothing for another's", async ({ service, desk }) => {
  const own = await makeAgentKey(service, desk.key, desk.agent.id)
  const other = await makeAgent(service, desk.key)
  const foreign = await makeAgentKey(service, desk.key, other.id)
  const answer = await desk.create({}, own)
  assert.equal(answer.status, 201)
  const { id } = answer.body
  assert.equal((await service.call('GET', desk.listPath(), { key: own })).body.total, 1)
  assert.equal((await desk.patch(id, { label: 'x' }, own)).status, 200)
  assert.equal((await desk.sync(id, own)).status, 202)
  for (const refused of [
    await desk.create({}, foreign),
    await service.call('GET', desk.listPath(), { key: foreign }),
    await desk.get(id, foreign),
    await desk.patch(id, { label: 'y' }, foreign),
    await desk.sync(id, foreign),
    await desk.remove(id, foreign),
  ]) {
    assertRefused(refused, 403, 'forbidden')
  }
  const shared = await makeCalendar(service, desk.key)
  assertRefused(await desk.create({ calendar_id: shared.id }, own), 403, 'forbidden')
  assert.equal((await desk.remove(id, own)).status, 204)
})

test('a request for a sync is accepted at once', async ({ desk }) => {
  const { id } = await desk.created()
  const answer = await desk.sync(id)
  assert.equal(answer.status, 202)
  assert.deepEqual(answer.body, { status: 'syncing' })
})

test('a deleted calendar pauses its subscriptions: they are not fetched and do not count towards the cap', async ({
  service,
  desk,
}) => {
  const { id } = await desk.created()
  await service.drain()
  await service.call('DELETE', `/v1/calendars/${desk.calendar.id}`, { key: desk.key })
  assert.equal((await desk.get(id)).body.status, 'paused')
  const list = (status: string) => service.call('GET', `${desk.listPath()}?status=${status}`, { key: desk.key })
  assert.equal((await list('paused')).body.total, 1)
  assert.equal((await list('active')).body.total, 0)
  const asked = desk.timesAsked()
  await service.clock.advance(7 * 3_600_000)
  await service.drain()
  assert.equal(desk.timesAsked(), asked)
  assertRefused(await desk.sync(id), 409, 'conflict')
  assert.equal((await desk.patch(id, { label: 'kept' })).status, 200)
  const usage = await service.call('GET', '/v1/usage', { key: desk.key })
  assert.equal(usage.body.ical_subscriptions.used, 0)
  assert.equal((await desk.remove(id)).status, 204)
})

test('a decommissioned agent pauses its subscriptions, and every change of them is 409', async ({ service, desk }) => {
  const { id } = await desk.created()
  await service.call('DELETE', `/v1/agents/${desk.agent.id}`, { key: desk.key })
  assert.equal((await desk.get(id)).body.status, 'paused')
  const asked = desk.timesAsked()
  await service.drain()
  assert.equal(desk.timesAsked(), asked)
  const detail = { code: 'agent_decommissioned' }
  assertRefused(await desk.create({}), 409, 'conflict', detail)
  assertRefused(await desk.patch(id, { label: 'x' }), 409, 'conflict', detail)
  assertRefused(await desk.sync(id), 409, 'conflict', detail)
  assertRefused(await desk.remove(id), 409, 'conflict', detail)
  assert.equal((await service.call('GET', desk.listPath(), { key: desk.key })).body.total, 1)
})

test('a feed that sends interim responses first is read', async ({ service, desk, feeds, onTestFinished }) => {
  const { answer } = feeds
  onTestFinished(() => {
    feeds.answer = answer
  })
  feeds.body = vcalendar(vevent('one', { DTSTART: '20260303T090000Z', DTEND: '20260303T100000Z', SUMMARY: 'Early' }))
  feeds.answer = (request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeContinue()
    answer(request, response)
  }
  const { id } = await desk.created()
  await service.drain()
  const { body } = await desk.get(id)
  assert.deepEqual([body.status, body.last_error], ['active', null])
  const events = await service.call('GET', `/v1/calendars/${desk.calendar.id}/events`, { key: desk.key })
  assert.deepEqual(
    events.body.data.map(({ title }: { title: string }) => title),
    ['Early'],
  )
})

test('removing a subscription keeps what it imported', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', { DTSTART: '20260303T090000Z', DTEND: '20260303T100000Z', SUMMARY: 'Kept' }))
  const { id } = await desk.created()
  await service.drain()
  assert.equal((await desk.remove(id)).status, 204)
  assertRefused(await desk.get(id), 404, 'not_found')
  const events = await service.call('GET', `/v1/calendars/${desk.calendar.id}/events`, { key: desk.key })
  assert.deepEqual(
    events.body.data.map(({ title, source }: { title: string; source: string }) => [title, source]),
    [['Kept', 'external_ical']],
  )
})

test('every change leaves an audit entry with the id of the subscription', async ({ service, desk }) => {
  const { id } = await desk.created()
  await desk.patch(id, { label: 'x' })
  await desk.remove(id)
  const rows = await service.app.sql<{ action: string; resource: string }[]>`
    select action, resource from audit_entries where action like 'ical_subscription.%' and resource = ${id} order by id`
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['ical_subscription.create', 'ical_subscription.update', 'ical_subscription.delete'],
  )
})

test('the address is stored encrypted', async ({ service, desk }) => {
  const { id } = await desk.created({ url: 'https://user:pass@example.com/private-token/feed.ics' })
  const [row] = await service.app.sql<{ text: string }[]>`
    select s::text as text from ical_subscriptions s where label is null order by s.id desc limit 1`
  assert.doesNotMatch(row!.text, /example|private/)
  assert.doesNotMatch(row!.text, new RegExp(Buffer.from('private-token').toString('hex')))
  assert.equal((await desk.get(id)).body.url, 'https://user:pass@example.com/private-token/feed.ics')
})
