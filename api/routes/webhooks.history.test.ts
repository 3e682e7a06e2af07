import assert from 'node:assert/strict'
import { deliveryTest, type Looked } from '../../src/testing/deliveries.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

/** Ids tell the real time of a change, so the clock is set to it: at ten, two and four minutes later. */
const test = deliveryTest().extend('world', { scope: 'file' }, async ({ service, call, newReceiver }) => {
  await service.clock.advance(Date.now() - service.clock.now().getTime())
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const receiver = await newReceiver(({ type, payload }) =>
    type === 'agent.updated' || payload.agent.name.startsWith('refused') ? 500 : 200,
  )
  const { id } = await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated'])
  const times: string[] = []
  for (const name of ['one', 'refused two', 'three']) {
    times.push(service.clock.now().toISOString())
    const agent = await makeAgent(service, key, { name })
    await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { description: 'changed' } })
    await service.drain()
    await service.clock.advance(1_000)
  }
  const list = (query = '') => call('GET', `/v1/webhooks/${id}/deliveries${query}`, { key })
  return { key, id, times, list }
})

const ids = (data: Looked[]) => data.map(({ id }) => id)

test('by cursor every delivery is on one page, whatever comes meanwhile; without one the answer is as it was', async ({
  service,
  world: { key, list },
}) => {
  const whole = (await list()).body
  assert.deepEqual(Object.keys(whole), ['data', 'total', 'limit', 'offset', 'stats'])
  assert.equal(whole.data.length, 6)
  for (const limit of [1, 2, 4, 6, 100]) {
    const seen: string[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const { status, body }: Looked = await list(`?limit=${limit}&cursor=${cursor}`)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['data', 'total', 'limit', 'offset', 'stats', 'next_cursor'])
      assert.deepEqual([body.total, body.offset, body.stats], [whole.total, 0, whole.stats])
      seen.push(...ids(body.data))
      cursor = body.next_cursor
    }
    assert.deepEqual(seen, ids(whole.data), `${limit}`)
    assert.equal(pages, Math.ceil(6 / limit), `${limit}`)
  }
  const first = (await list('?limit=3&cursor=')).body
  await makeAgent(service, key, { name: 'refused later' })
  const rest = (await list(`?limit=100&cursor=${first.next_cursor}`)).body
  assert.deepEqual([...ids(first.data), ...ids(rest.data)], ids(whole.data))
})

test('a type, a status and a stretch of time narrow the list and its total', async ({ world: { times, list } }) => {
  const whole: Looked[] = (await list('?limit=100')).body.data
  const [first, second, third] = times as [string, string, string]
  const isFrom = (from: string) => (one: Looked) => one.created_at >= from
  const expected: [query: string, matches: (one: Looked) => boolean][] = [
    ['event_type=agent.created', ({ event_type }) => event_type === 'agent.created'],
    ['event_type=event.deleted', () => false],
    [
      'event_type=agent.created&status=delivered',
      (one) => one.event_type === 'agent.created' && one.status === 'delivered',
    ],
    [
      'event_type=agent.updated&status=pending',
      (one) => one.event_type === 'agent.updated' && one.status === 'pending',
    ],
    [`from=${second}`, isFrom(second)],
    [`to=${second}`, (one) => one.created_at <= second],
    [`from=${second}&to=${second}`, (one) => one.created_at === second],
    [`from=${third}&to=${first}`, () => false],
    [
      `from=${second}&event_type=agent.created&status=delivered`,
      (one) => isFrom(second)(one) && one.status === 'delivered',
    ],
  ]
  for (const [query, matches] of expected) {
    const { body } = await list(`?limit=100&${query}`)
    const found = whole.filter(matches)
    assert.deepEqual(ids(body.data), ids(found), query)
    assert.equal(body.total, found.length, query)
    const [one, next] = [(await list(`?limit=1&cursor=&${query}`)).body, found[1]]
    if (!next) continue
    assert.deepEqual(ids((await list(`?limit=1&cursor=${one.next_cursor}&${query}`)).body.data), [next.id], query)
  }
})

test('a cursor of another webhook or text, an offset beside it, and unknown values are refused', async ({
  service,
  newReceiver,
  world: { key, list },
}) => {
  const other = await makeWebhook(service, key, (await newReceiver()).url, ['agent.created'])
  await makeAgent(service, key, { name: 'for both' })
  await makeAgent(service, key, { name: 'for both' })
  const { body } = await service.call('GET', `/v1/webhooks/${other.id}/deliveries?limit=1&cursor=`, { key })
  assert.ok(body.next_cursor)
  for (const [query, param] of [
    [`cursor=${body.next_cursor}`, 'cursor'],
    ['cursor=x', 'cursor'],
    ['cursor=&offset=0', 'offset'],
    ['event_type=agent', 'event_type'],
    ['event_type=', 'event_type'],
  ]) {
    assertRefused(await list(`?${query}`), 400, 'validation_error', { param })
  }
  for (const param of ['from', 'to']) {
    assertRefused(await list(`?${param}=yesterday`), 400, 'validation_error', { param, code: 'invalid_time_format' })
  }
})
