import assert from 'node:assert/strict'
import { secondsToWait } from '../../src/quotas/throttle.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { connectionTest } from '../../src/testing/connections.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = connectionTest().extend('links', async ({ service, desk }) => {
  const create = (body: object = {}, key = desk.key, calendarId = desk.calendar.id) =>
    service.call('POST', `/v1/calendars/${calendarId}/connection-links`, { key, body })
  const get = (id: string, key = desk.key) => service.call('GET', `/v1/connection-links/${id}`, { key })
  const cancel = (id: string, key = desk.key) => service.call('DELETE', `/v1/connection-links/${id}`, { key })
  async function created(body: object = {}) {
    const answer = await create(body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  return { create, created, get, cancel }
})

const inHours = (now: Date, hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

test('a link is created with exactly its fields, and is good for 24 hours', async ({ service, desk, links }) => {
  const link = await links.created()
  assert.match(link.id, /^csl_[0-9a-z]{26}$/)
  assert.match(link.setup_url, new RegExp(`^${service.baseUrl}/connect/[\\w-]{43}$`))
  const expiresAt = inHours(service.clock.now(), 24)
  assert.deepEqual(Object.entries(link), [
    ['id', link.id],
    ['calendar_id', desk.calendar.id],
    ['status', 'awaiting_human'],
    ['expires_at', expiresAt],
    ['setup_url', link.setup_url],
    ['reused', false],
  ])
  const read = await links.get(link.id)
  assert.deepEqual(
    [read.status, Object.entries(read.body)],
    [
      200,
      [
        ['id', link.id],
        ['calendar_id', desk.calendar.id],
        ['status', 'awaiting_human'],
        ['expires_at', expiresAt],
        ['connection_id', null],
      ],
    ],
  )
})

test('while it is pending the same wish gets it again, without its address', async ({ links }) => {
  const first = await links.created()
  const second = await links.created({ capabilities: ['availability'], publication_policy: 'none' })
  assert.deepEqual(second, { ...first, setup_url: null, reused: true })
})

test('of twenty requests at once exactly one gets the address', async ({ links }) => {
  const all = await Promise.all(Array.from({ length: 20 }, () => links.created()))
  assert.equal(all.filter(({ setup_url }) => setup_url !== null).length, 1)
  assert.equal(new Set(all.map(({ id }) => id)).size, 1)
})

test('another wish cancels the pending link', async ({ links }) => {
  const first = await links.created()
  const second = await links.created({ capabilities: ['publishing', 'availability'], publication_policy: 'confirmed' })
  assert.equal(second.reused, false)
  assert.equal((await links.get(first.id)).body.status, 'cancelled')
  assert.equal((await links.get(second.id)).body.status, 'awaiting_human')
})

const badLinks: [string, object, string][] = [
  ['publishing without a policy', { capabilities: ['publishing'] }, 'publication_policy'],
  ['a policy without publishing', { publication_policy: 'confirmed' }, 'publication_policy'],
  ['no capability', { capabilities: [] }, 'capabilities'],
  ['an unknown capability', { capabilities: ['titles'] }, 'capabilities.0'],
  ['an unknown policy', { capabilities: ['publishing'], publication_policy: 'all' }, 'publication_policy'],
  ['an unknown field', { calendar_id: 'cal_1' }, 'calendar_id'],
]
for (const [what, body, param] of badLinks) {
  test(`${what} is 400`, async ({ links }) => {
    assertRefused(await links.create(body), 400, 'validation_error', { param })
  })
}

test('a calendar without an agent has nobody to grant to', async ({ service, desk, links }) => {
  const shared = await makeCalendar(service, desk.key)
  assertRefused(await links.create({}, desk.key, shared.id), 400, 'validation_error', { param: 'capabilities' })
  const body = { capabilities: ['publishing'], publication_policy: 'confirmed_tentative' }
  assert.equal((await links.create(body, desk.key, shared.id)).status, 201)
})

test("another agent's key and another organization's get nothing", async ({ service, desk, links }) => {
  const link = await links.created()
  const other = await makeAgent(service, desk.key)
  const otherKey = await makeAgentKey(service, desk.key, other.id)
  const own = await makeAgentKey(service, desk.key, desk.agent.id)
  assertRefused(await links.create({}, otherKey), 403, 'forbidden')
  assertRefused(await links.get(link.id, otherKey), 403, 'forbidden')
  assertRefused(await links.cancel(link.id, otherKey), 403, 'forbidden')
  assert.equal((await links.get(link.id, own)).status, 200)
  const stranger = await makeOrganization(service)
  assertRefused(await links.create({}, stranger.key), 404, 'not_found', { code: 'calendar_not_found' })
  assertRefused(await links.get(link.id, stranger.key), 404, 'not_found')
  assertRefused(await links.cancel(link.id, stranger.key), 404, 'not_found')
  assertRefused(await links.get('csl_nothing'), 404, 'not_found')
})

test('a paused agent asks for nothing, and a decommissioned one has no calendars to connect', async ({
  service,
  desk,
  links,
}) => {
  const own = await makeAgentKey(service, desk.key, desk.agent.id)
  await service.call('PATCH', `/v1/agents/${desk.agent.id}`, { key: desk.key, body: { status: 'paused' } })
  assertRefused(await links.create({}, own), 403, 'forbidden')
  await service.call('DELETE', `/v1/agents/${desk.agent.id}`, { key: desk.key })
  assertRefused(await links.create(), 409, 'conflict', { code: 'agent_decommissioned' })
})

test('a link can be cancelled, twice', async ({ links }) => {
  const link = await links.created()
  assert.equal((await links.cancel(link.id)).status, 204)
  assert.equal((await links.cancel(link.id)).status, 204)
  assert.equal((await links.get(link.id)).body.status, 'cancelled')
  assert.equal((await links.created()).reused, false)
})

test('the clock ends a link, and 30 days later it is gone', async ({ service, links }) => {
  const link = await links.created()
  await service.clock.advance(24 * 3_600_000)
  assert.equal((await links.get(link.id)).body.status, 'expired')
  assertRefused(await links.cancel(link.id), 409, 'conflict')
  assert.equal((await links.created()).reused, false)
  await service.clock.advance(30 * 24 * 3_600_000)
  assert.equal((await links.get(link.id)).status, 200)
  await service.clock.advance(1)
  assertRefused(await links.get(link.id), 404, 'not_found')
})

test('beyond the cap a link is refused when it is asked for', async ({ service, caldav, desk, links }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { calendar_connections: 0 } })
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  assertRefused(await links.create({}, key, calendar.id), 429, 'quota_exceeded')
  assert.ok(caldav.origin && desk.key)
})

test('a key makes twenty new links an hour', async ({ service, links }) => {
  for (let nth = 0; nth < 20; nth++) {
    const link = await links.created()
    assert.equal((await links.created()).reused, true)
    await links.cancel(link.id)
  }
  const refused = await links.create()
  assertRefused(refused, 429, 'rate_limit_error')
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000)
  await service.clock.advance(3_600_000)
  assert.equal((await links.create()).status, 201)
})

test('keys that are made anew make no more links than as many agents as the plan allows', async ({
  service,
  links,
}) => {
  const { id, key } = await makeOrganization(service, { plan: 'custom', limits: { agents: 2 } })
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const limit = { name: 'connection_links_all', max: 40, windowMs: 3_600_000 }
  for (let nth = 0; nth < 39; nth++) await secondsToWait(service.app, limit, decodeId('org', id)!)
  const createAnew = async () => {
    const link = await links.create({}, await makeAgentKey(service, key, agent.id), calendar.id)
    if (link.status === 201) await links.cancel(link.body.id, key)
    return link
  }
  assert.equal((await createAnew()).status, 201)
  assertRefused(await createAnew(), 429, 'rate_limit_error')
})
