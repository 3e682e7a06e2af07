import assert from 'node:assert/strict'
import { endWaits } from '../../src/changeFeed/waits.ts'
import { openEventStream } from '../../src/testing/eventStream.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { openProcess } from '../../src/testing/process.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

const test = serviceTest({ plan: 'pro' }).extend(
  'open',
  perFile,
  ({ service, key }) =>
    (query = '', { as = key, lastId }: { as?: string; lastId?: string } = {}) =>
      openEventStream(`${service.baseUrl}/v1/changes/stream${query}`, {
        authorization: `Bearer ${as}`,
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      }),
)

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into field by field
const typesOf = (data: any): string[] => data.map(({ type }: { type: string }) => type)

test('a stream sends one event for each change, with its cursor and its entries', async ({ service, key, open }) => {
  const calendar = await makeCalendar(service, key)
  const { cursor } = (await service.call('GET', '/v1/changes', { key })).body
  const event = await makeEvent(service, key, calendar.id)
  const stream = await open(`?cursor=${cursor}`)
  assert.equal(stream.response.status, 200)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
  assert.equal(stream.response.headers.get('x-accel-buffering'), 'no')
  assert.equal(stream.response.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await stream.next(), { comment: ': ' })
  const first = await stream.next()
  assert.ok(first && 'event' in first)
  const page = (await service.call('GET', `/v1/changes?cursor=${cursor}`, { key })).body
  assert.deepEqual([first.event, first.data], ['change', page.data])
  assert.equal(page.data[0].resource.id, event.id)
  const agent = await makeAgent(service, key)
  const second = await stream.next()
  assert.ok(second && 'event' in second)
  assert.deepEqual([second.event, typesOf(second.data)], ['change', ['agent.created']])
  stream.close()
  // An id continues behind its change, as a cursor and as Last-Event-ID.
  const after = (await service.call('GET', `/v1/changes?cursor=${first.id}`, { key })).body
  assert.deepEqual(
    after.data.map((entry: { resource: { id: string } }) => entry.resource.id),
    [agent.id],
  )
  const again = await open(`?cursor=${cursor}`, { lastId: first.id! })
  await again.next()
  const resumed = await again.next()
  assert.ok(resumed && 'event' in resumed)
  assert.deepEqual([resumed.event, resumed.data], ['change', second.data])
  again.close()
})

test('the ids within a backlog continue it, whole changes each', async ({ service, open }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  for (let n = 0; n < 4; n++) await makeEvent(service, key, calendar.id)
  const stream = await open('?cursor=oldest&types=event.created', { as: key })
  await stream.next()
  const ids: string[] = []
  for (let n = 0; n < 4; n++) {
    const event = await stream.next()
    assert.ok(event && 'event' in event)
    ids.push(event.id!)
  }
  stream.close()
  for (const [nth, id] of ids.entries()) {
    const { body } = await service.call('GET', `/v1/changes?cursor=${id}`, { key })
    assert.equal(body.data.length, 3 - nth)
  }
})

test('a stream takes the filters, and no other parameters', async ({ service, key, open }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const stream = await open(`?payload=none&calendar_ids=${calendar.id}`, { as: agentKey })
  await stream.next()
  await makeAgent(service, key)
  await makeEvent(service, key, calendar.id)
  const event = await stream.next()
  assert.ok(event && 'event' in event)
  assert.deepEqual(typesOf(event.data), ['event.created'])
  assert.equal('payload' in (event.data as object[])[0]!, false)
  stream.close()
  for (const query of ['?wait=1', '?limit=1', '?cursor=', '?cursor=nonsense', '?types=none']) {
    const { response } = await open(query)
    assert.equal(response.status, 400)
  }
  const forged = await service.call('GET', '/v1/changes/stream', { key, headers: { 'last-event-id': 'nonsense' } })
  assert.deepEqual([forged.status, forged.body.error.param], [400, 'Last-Event-ID'])
})

test('a comment shows that the stream is alive, and after ten minutes it says bye', async ({ service, key, open }) => {
  const stream = await open()
  assert.deepEqual(await stream.next(), { comment: ': ' })
  await untilWaiting(service.app, 1)
  await service.clock.advance(15_000)
  assert.deepEqual(await stream.next(), { comment: ': ' })
  await service.clock.advance(10 * 60_000)
  const bye = await stream.next()
  assert.ok(bye && 'event' in bye)
  assert.equal(bye.event, 'bye')
  assert.equal(await stream.next(), undefined)
  await makeAgent(service, key)
  const next = await service.call('GET', `/v1/changes?cursor=${bye.id}`, { key })
  assert.deepEqual(typesOf(next.body.data), ['agent.created'])
})

test('a stream costs one call for each minute in which a change was sent', async ({ service, open }) => {
  const { key } = await makeOrganization(service)
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body.api_calls.used
  const before = await used()
  const stream = await open('', { as: key })
  await stream.next()
  const change = async () => {
    await makeAgent(service, key)
    for (;;) if ('event' in (await stream.next())!) return
  }
  await change()
  await change()
  await service.clock.advance(120_000)
  await change()
  await change()
  stream.close()
  await untilWaiting(service.app, 0)
  // Four agents, two minutes, and this.
  assert.equal(await used(), before + 4 + 2 + 1)
  const silent = await open('', { as: key })
  await silent.next()
  silent.close()
  await untilWaiting(service.app, 0)
  assert.equal(await used(), before + 4 + 2 + 2)
})

test('a stream ends when its key is revoked or its process ends', async ({ service, key, open }) => {
  const agentKey = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  const { keys } = (await service.call('GET', '/v1/keys', { key })).body
  const stream = await open('', { as: agentKey })
  await stream.next()
  await service.call('DELETE', `/v1/keys/${keys[0].id}`, { key })
  const bye = await stream.next()
  assert.ok(bye && 'event' in bye && bye.event === 'bye')
  assert.equal(await stream.next(), undefined)

  const ending = await openProcess(service)
  const last = await openEventStream(`${ending.baseUrl}/v1/changes/stream`, { authorization: `Bearer ${key}` })
  await last.next()
  endWaits(ending.app)
  const end = await last.next()
  assert.ok(end && 'event' in end && end.event === 'bye')
  await ending.close()
})
