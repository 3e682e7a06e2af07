import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

test('a calendar gets another feed address, and the old one is gone at once', async ({ service, call, key }) => {
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id, { title: 'In the feed' })
  const feed = (url: string) => call('GET', new URL(url).pathname)
  assert.equal((await feed(calendar.ical_url)).status, 200)
  const path = `/v1/calendars/${calendar.id}/feed-address`
  const before = await call('GET', `/v1/calendars/${calendar.id}`, { key })
  const dry = await call('POST', `${path}?dry_run=true`, { key })
  assert.deepEqual([dry.status, dry.body.body.ical_url], [200, null])
  assert.equal((await feed(calendar.ical_url)).status, 200)

  const { status, body, headers } = await call('POST', path, { key })
  assert.equal(status, 200)
  assert.notEqual(body.ical_url, calendar.ical_url)
  assert.deepEqual({ ...body, ical_url: '', updatedAt: '' }, { ...before.body, ical_url: '', updatedAt: '' })
  assert.deepEqual((await call('GET', `/v1/calendars/${calendar.id}`, { key })).body, body)
  assert.notEqual(headers.get('etag'), before.headers.get('etag'))
  assert.equal((await feed(calendar.ical_url)).status, 404)
  assert.match(String((await feed(body.ical_url)).body), /In the feed/)

  const tag = before.headers.get('etag')!
  const stale = await call('POST', path, { key, headers: { 'if-match': tag } })
  assert.equal(stale.status, 412)
  const { body: log } = await call('GET', `/v1/audit-log?resource=${calendar.id}&limit=1`, { key })
  assert.equal(log.data[0].action, 'calendar.update')
  const { body: changes } = await call('GET', '/v1/changes?cursor=oldest&types=calendar.updated', { key })
  assert.equal(changes.data.at(-1).payload.calendar.ical_url, body.ical_url)
})

test('also of a decommissioned agent; not by an agent key, nor for anybody else', async ({ service, call, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const path = `/v1/calendars/${calendar.id}/feed-address`
  assertRefused(await call('POST', path, { key: await makeAgentKey(service, key, agent.id) }), 403, 'forbidden')
  const stranger = await makeOrganization(service)
  assertRefused(await call('POST', path, { key: stranger.key }), 404, 'not_found', { code: 'calendar_not_found' })
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.equal((await call('POST', path, { key })).status, 200)
})

test('subscriptions of all agents are one list, of which an agent key sees its own', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const ids: string[] = []
  const agents = [await makeAgent(service, key), await makeAgent(service, key)]
  for (const { id } of [...agents, agents[0]]) {
    const calendar = await makeCalendar(service, key, id)
    const body = { calendar_id: calendar.id, url: `https://example.com/${ids.length}.ics` }
    ids.unshift((await call('POST', `/v1/agents/${id}/ical-subscriptions`, { key, body })).body.id)
  }
  const list = (query = '', as = key) => call('GET', `/v1/ical-subscriptions${query}`, { key: as })
  const shown = async (query = '', as = key) => (await list(query, as)).body.data.map(({ id }: { id: string }) => id)
  const { body } = await list()
  assert.deepEqual(Object.keys(body), ['data', 'total', 'limit', 'offset'])
  assert.deepEqual([await shown(), body.total], [ids, 3])
  assert.deepEqual(body.data[1], (await call('GET', `/v1/ical-subscriptions/${ids[1]}`, { key })).body)
  assert.deepEqual(await shown('?limit=1&offset=1'), [ids[1]])
  assert.deepEqual(await shown('?status=error'), [])
  assert.deepEqual(await shown('', await makeAgentKey(service, key, agents[1]!.id)), [ids[1]])
  assert.deepEqual(await shown('', (await makeOrganization(service)).key), [])
  assertRefused(await list('?status=x'), 400, 'validation_error', { param: 'status' })
})
