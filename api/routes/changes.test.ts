import assert from 'node:assert/strict'
import { changesOf } from '../../src/testing/changes.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeProposal,
} from '../../src/testing/factories.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const readers = serviceTest({ plan: 'pro' }).extend('read', perFile, ({ call, key }) => {
  const get = (query: Record<string, string | number | undefined> = {}, as = key) =>
    call('GET', `/v1/changes?${new URLSearchParams(query as Record<string, string>)}`, { key: as })
  return get
})

const test = readers

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into field by field
const typesOf = (body: any): string[] => body.data.map(({ type }: { type: string }) => type)

test('without a cursor the answer is empty, and its cursor is of now', async ({ service, key, read }) => {
  const calendar = await makeCalendar(service, key)
  const first = await read()
  assert.equal(first.status, 200)
  assert.deepEqual(
    { ...first.body, cursor: typeof first.body.cursor },
    { data: [], cursor: 'string', has_more: false, kept_since: '2026-01-31T09:00:00.000Z' },
  )
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const event = await makeEvent(service, key, calendar.id)
  const { body } = await read({ cursor: first.body.cursor })
  assert.deepEqual(typesOf(body), ['event.created'])
  assert.equal(body.data[0].resource.id, event.id)
})

test('an entry tells what happened, where, by whom, and has the payload of the webhook', async ({
  service,
  key,
  organization,
  read,
}) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const { cursor } = (await read()).body
  const event = await makeEvent(service, agentKey, calendar.id)
  const { body } = await read({ cursor })
  const stored = (await changesOf(service, organization.id)).at(-1)!
  const changeId = body.data[0].change_id
  assert.match(changeId, /^chg_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.deepEqual(body.data, [
    {
      id: `${changeId}.0`,
      change_id: changeId,
      position: 0,
      type: 'event.created',
      at: service.clock.now().toISOString(),
      calendar_id: calendar.id,
      agent_id: agent.id,
      resource: { type: 'event', id: event.id },
      revision: stored.revision,
      cause: 'api',
      actor: { agent_id: agent.id, key_prefix: agentKey.slice(0, 20) },
      payload: { calendar_id: calendar.id, event },
    },
  ])
  const { body: bare } = await read({ cursor, payload: 'none' })
  const { payload: _, ...without } = body.data[0]
  assert.deepEqual(bare.data, [without])
})

test('pages hold as many changes as asked for, and their cursors continue them', async ({ service, key, read }) => {
  const calendar = await makeCalendar(service, key)
  let { cursor } = (await read()).body
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push((await makeEvent(service, key, calendar.id)).id)
  const pages: string[][] = []
  for (let isMore = true; isMore; ) {
    const { body } = await read({ cursor, limit: 2 })
    pages.push(body.data.map((entry: { resource: { id: string } }) => entry.resource.id))
    isMore = body.has_more
    cursor = body.cursor
  }
  assert.deepEqual(pages, [made.slice(0, 2), made.slice(2, 4), made.slice(4)])
  const { body } = await read({ cursor })
  assert.deepEqual([body.data, body.has_more], [[], false])
})

test('a page that ends with the last change has no more', async ({ service, key, read }) => {
  const calendar = await makeCalendar(service, key)
  const { cursor } = (await read()).body
  for (let n = 0; n < 2; n++) await makeEvent(service, key, calendar.id)
  const { body } = await read({ cursor, limit: 2 })
  assert.deepEqual([body.data.length, body.has_more], [2, false])
})

test('a change with several entries is never split', async ({ service, key, read }) => {
  const calendar = await makeCalendar(service, key)
  const low = { status: 'hold', hold_expires_at: new Date(service.clock.now().getTime() + 300_000).toISOString() }
  for (const minutes of [0, 10, 20]) {
    const at = (from: number) => new Date(service.clock.now().getTime() + (60 + from) * 60_000).toISOString()
    await makeEvent(service, key, calendar.id, { ...low, start_time: at(minutes), end_time: at(minutes + 10) })
  }
  const { cursor } = (await read()).body
  await makeEvent(service, key, calendar.id, { ...low, hold_priority: 9 })
  await makeEvent(service, key, calendar.id)
  const { body } = await read({ cursor, limit: 1 })
  assert.deepEqual(typesOf(body), [...Array(3).fill('event.hold_expired'), 'event.hold_created'])
  assert.deepEqual(
    body.data.map(({ position }: { position: number }) => position),
    [0, 1, 2, 3],
  )
  assert.equal(new Set(body.data.map((entry: { change_id: string }) => entry.change_id)).size, 1)
  assert.equal(body.has_more, true)
  const rest = await read({ cursor: body.cursor, limit: 1 })
  assert.deepEqual([typesOf(rest.body), rest.body.has_more], [['event.created'], false])
})

test('each request of one cursor may have other filters, and the cursor moves on where nothing matches', async ({
  service,
  key,
  read,
}) => {
  const agent = await makeAgent(service, key)
  const [own, other] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key)]
  const { cursor } = (await read()).body
  await makeEvent(service, key, own.id)
  await makeEvent(service, key, other.id)
  await makeAgent(service, key)
  const asked = async (query: Record<string, string>) => {
    const { body } = await read({ cursor, ...query })
    assert.notEqual(body.cursor, cursor)
    assert.deepEqual((await read({ cursor: body.cursor })).body.data, [])
    return typesOf(body)
  }
  assert.deepEqual(await asked({}), ['event.created', 'event.created', 'agent.created'])
  assert.deepEqual(await asked({ types: 'agent.created, event.updated' }), ['agent.created'])
  assert.deepEqual(await asked({ types: 'event.deleted' }), [])
  assert.deepEqual(await asked({ calendar_ids: own.id }), ['event.created'])
  assert.deepEqual(await asked({ calendar_ids: `${own.id},${other.id}` }), ['event.created', 'event.created'])
  assert.deepEqual(await asked({ agent_ids: agent.id }), ['event.created'])
  assert.deepEqual(await asked({ agent_ids: agent.id, calendar_ids: other.id }), [])
})

test('oldest begins with the oldest change that is kept', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  for (let n = 0; n < 3; n++) await makeEvent(service, key, calendar.id)
  const first = await service.call('GET', '/v1/changes?cursor=oldest&limit=2', { key })
  assert.deepEqual([typesOf(first.body), first.body.has_more], [['calendar.created', 'event.created'], true])
  const rest = await service.call('GET', `/v1/changes?cursor=${first.body.cursor}`, { key })
  assert.deepEqual([typesOf(rest.body), rest.body.has_more], [['event.created', 'event.created'], false])
  const { key: fresh } = await makeOrganization(service)
  const nothing = await service.call('GET', '/v1/changes?cursor=oldest', { key: fresh })
  assert.deepEqual([nothing.body.data, nothing.body.has_more], [[], false])
})

test('an agent key reads the changes of its agent alone, and no proposals', async ({ service, key, read }) => {
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, agent.id)
  const [own, foreign] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, other.id)]
  const { cursor } = (await read({}, agentKey)).body
  await makeEvent(service, key, own.id)
  await makeEvent(service, key, foreign.id)
  await service.call('PATCH', `/v1/agents/${agent.id}`, { key, body: { name: 'Renamed' } })
  await service.call('PATCH', `/v1/agents/${other.id}`, { key, body: { name: 'Renamed' } })
  await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [other.id],
    calendar_id: own.id,
  })
  assert.deepEqual(typesOf((await read({ cursor }, agentKey)).body), ['event.created', 'agent.updated'])
  // A cursor is of its organization: filters and rights are those of the request.
  assert.deepEqual((await read({ cursor })).body.data.length, 5)
  for (const query of [{ calendar_ids: foreign.id }, { agent_ids: other.id }]) {
    const refused = await read({ cursor, ...query }, agentKey)
    assert.deepEqual([refused.status, refused.body.error.type], [403, 'forbidden'])
  }
  assert.deepEqual(typesOf((await read({ cursor, agent_ids: agent.id }, agentKey)).body), [
    'event.created',
    'agent.updated',
  ])
})

test('unknown ids are not found; deleted ones are accepted', async ({ service, key, read }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key)
  const { cursor } = (await read()).body
  const { key: stranger } = await makeOrganization(service)
  const foreign = await makeCalendar(service, stranger)
  for (const [query, param, code] of [
    [{ calendar_ids: foreign.id }, 'calendar_ids', 'calendar_not_found'],
    [{ calendar_ids: `${calendar.id},cal_nonsense` }, 'calendar_ids', 'calendar_not_found'],
    [{ calendar_ids: agent.id }, 'calendar_ids', 'calendar_not_found'],
    [{ agent_ids: calendar.id }, 'agent_ids', undefined],
  ] as const) {
    const { status, body } = await read({ cursor, ...query })
    assert.deepEqual([status, body.error.type, body.error.param, body.error.code], [404, 'not_found', param, code])
  }
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.deepEqual(typesOf((await read({ cursor, calendar_ids: calendar.id })).body), ['calendar.deleted'])
  assert.deepEqual(typesOf((await read({ cursor, agent_ids: agent.id })).body), ['agent.decommissioned'])
})

test('malformed parameters are refused', async ({ service, read, key }) => {
  const { cursor } = (await read()).body
  const { key: stranger } = await makeOrganization(service)
  const foreign = (await read({}, stranger)).body.cursor
  const flipped = `${cursor.slice(0, -8)}${cursor.at(-8) === 'A' ? 'B' : 'A'}${cursor.slice(-7)}`
  for (const [query, param] of [
    [{ cursor: '' }, 'cursor'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ cursor: foreign }, 'cursor'],
    [{ cursor: flipped }, 'cursor'],
    [{ cursor: `${cursor}=` }, 'cursor'],
    [{ wait: 56 }, 'wait'],
    [{ wait: -1 }, 'wait'],
    [{ wait: '1.5' }, 'wait'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ types: '' }, 'types'],
    [{ types: 'event.exploded' }, 'types'],
    [
      {
        types: Array(51)
          .fill('event.created')
          .map((type, n) => `${type}${n}`)
          .join(),
      },
      'types',
    ],
    [{ types: Array(51).fill('event.created').join() }, 'types'],
    [{ calendar_ids: '' }, 'calendar_ids'],
    [{ payload: 'some' }, 'payload'],
    [{ offset: 1 }, 'offset'],
  ] as const) {
    const { status, body } = await read(query as Record<string, string>)
    assert.deepEqual(
      [status, body.error.type, body.error.param],
      [400, 'validation_error', param],
      JSON.stringify(query),
    )
  }
  assert.equal((await service.call('GET', '/v1/changes')).status, 401)
  // Before the ids are looked for.
  assert.equal((await read({ cursor: 'nonsense', calendar_ids: 'cal_x' })).status, 400)
  assert.equal((await read({ cursor }, key)).status, 200)
})
