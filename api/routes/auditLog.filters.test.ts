import assert from 'node:assert/strict'
import { closeApp } from '../../src/app.ts'
import { entriesPage } from '../../src/audit/queries.ts'
import { decodeId, encodeId, newId } from '../../src/shapes/ids.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { openSingleConnection, readOf } from '../../src/testing/plans.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Entry = { action: string; resource: string; agent_id: string | null; request_id: string }

const test = serviceTest().extend('entries', perFile, ({ call, key }) => async (query: string, as = key) => {
  const { status, body } = await call('GET', `/v1/audit-log?${query}`, { key: as })
  assert.equal(status, 200, JSON.stringify(body))
  return body.data as Entry[]
})

test('the log of a request, of an agent and of a record', async ({ service, call, key, entries }) => {
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, agent.id)
  const body = { name: 'C', timezone: 'UTC' }
  const made = await call('POST', `/v1/agents/${agent.id}/calendars`, { key: agentKey, body })
  await call('PATCH', `/v1/calendars/${made.body.id}`, { key, body: { name: 'D' } })
  const requestId = made.headers.get('x-request-id')!
  const actions = async (query: string) => (await entries(query)).map(({ action }) => action)
  assert.deepEqual(await actions(`request_id=${requestId}`), ['calendar.create'])
  assert.deepEqual(await actions(`agent_id=${agent.id}`), ['calendar.create'])
  assert.deepEqual(await actions(`agent_id=${other.id}`), [])
  assert.deepEqual(await actions(`resource=${made.body.id}`), ['calendar.update', 'calendar.create'])
  assert.deepEqual(await actions(`resource=${made.body.id}&agent_id=${agent.id}`), ['calendar.create'])
  assert.deepEqual(await actions(`resource=${made.body.id}&action=calendar.update&request_id=${requestId}`), [])
  assert.deepEqual(await actions(`resource=${agent.id}`), ['agent.create'])
})

test('what is unknown, malformed or of another organization has no entries', async ({ service, call, entries }) => {
  const stranger = await makeOrganization(service)
  const made = await call('POST', '/v1/agents', { key: stranger.key, body: { name: 'A', type: 'ai' } })
  const requestId = made.headers.get('x-request-id')!
  assert.equal((await entries(`request_id=${requestId}`, stranger.key)).length, 1)
  for (const query of [
    `request_id=${requestId}`,
    `agent_id=${made.body.id}`,
    `resource=${made.body.id}`,
    `agent_id=${encodeId('agt', newId())}`,
    'agent_id=x',
    'agent_id=',
    'resource=',
    'request_id=%27',
  ]) {
    assert.deepEqual(await entries(query), [], query)
  }
})

test('a filtered page leads to the next one', async ({ service, call, key }) => {
  const { id } = await makeCalendar(service, key)
  for (const name of ['A', 'B', 'C']) await call('PATCH', `/v1/calendars/${id}`, { key, body: { name } })
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/audit-log?resource=${id}&limit=1${cursor}`, { key })
    seen.push(...body.data.map(({ action }: Entry) => action))
    if (!body.pagination.next_cursor) break
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
  assert.deepEqual(seen, ['calendar.update', 'calendar.update', 'calendar.update', 'calendar.create'])
})

test('each filter reads its own entries among many', async ({ service, onTestFinished }) => {
  const { id } = await makeOrganization(service)
  const orgId = decodeId('org', id)!
  const agentId = newId()
  const now = service.clock.now()
  await service.app.sql`
    insert into audit_entries (org_id, id, action, agent_id, resource, request_id, created_at)
    select ${orgId}::uuid, uuidv7(), 'event.create', case when n % 1000 = 0 then ${agentId}::uuid end,
      'evt_' || n % 10000, 'req_' || n / 2, ${now}::timestamptz - n * interval '1 second'
    from generate_series(1, 30000) n`
  await service.app.sql`analyze audit_entries`
  const app = openSingleConnection(service)
  onTestFinished(() => closeApp(app))
  const none = { action: undefined, actorKeyPrefix: undefined, actorMember: undefined, after: undefined }
  const all = { ...none, from: new Date(0), to: now, requestId: undefined, agentId: undefined, resource: undefined }
  for (const mode of ['custom', 'generic'] as const) {
    for (const [filter, count] of [
      [{ requestId: 'req_7' }, 2],
      [{ agentId }, 30],
      [{ resource: 'evt_77' }, 3],
      [{ resource: 'evt_none' }, 0],
    ] as const) {
      const page = () => entriesPage(app.sql, orgId, { ...all, ...filter }, 51)
      assert.equal((await page()).length, count)
      const { pages, plan } = await readOf(app, page(), mode, 'audit_entries')
      // All entries have about 700 pages; each day has an index to be looked into.
      assert.ok(pages <= 150, `${mode} ${JSON.stringify(filter)}: ${pages} pages\n${plan}`)
    }
  }
})
