// The promise of an Idempotency-Key: a request that is repeated with the same key gets the same answer and is done once.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { hourMs } from '../src/shapes/durations.ts'
import { purgeResponses } from '../src/storedResponses/retention.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../src/testing/factories.ts'
import type { TestService } from '../src/testing/harness.ts'
import { openProcess } from '../src/testing/process.ts'
import { assertRefused } from '../src/testing/refused.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { openWay } from '../src/testing/wayToPostgres.ts'

const test = serviceTest({ receives: ['event.created', 'event.hold_confirmed', 'event.deleted'] })
  .extend('calendar', perFile, ({ service, key }) => makeCalendar(service, key))
  .extend('create', perFile, ({ service, key, calendar }) => {
    const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
    return (idempotencyKey: string, title = 'Event', { call }: Pick<TestService, 'call'> = service) =>
      call('POST', `/v1/calendars/${calendar.id}/events`, {
        key,
        body: { title, ...times },
        headers: { 'idempotency-key': idempotencyKey },
      })
  })

let last = 0
const fresh = () => `key-${++last}`

test('many at once, over two processes: one event, one answer, one delivery, one entry', async ({
  service,
  second,
  key,
  calendar,
  create,
  receiver,
}) => {
  const name = fresh()
  const usedBefore = (await service.call('GET', '/v1/usage', { key })).body
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => create(name, 'Once', n % 2 === 0 ? service : second)),
  )
  const [first] = answers
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [201, first?.body])
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 59)
  const { body } = await service.call('GET', `/v1/calendars/${calendar.id}/events?limit=100`, { key })
  assert.equal(body.data.filter(({ title }: { title: string }) => title === 'Once').length, 1)
  await service.drain()
  assert.equal(receiver.received.filter(({ payload }) => payload.event?.title === 'Once').length, 1)
  const log = (await service.call('GET', `/v1/audit-log?limit=200`, { key })).body
  assert.equal(log.data.filter(({ resource }: { resource: string }) => resource === first?.body.id).length, 1)
  const used = (await service.call('GET', '/v1/usage', { key })).body
  assert.equal(used.events.used, usedBefore.events.used + 1)
})

test('a key that came with another request is refused, and nothing happens', async ({
  service,
  key,
  calendar,
  create,
}) => {
  const name = fresh()
  const first = await create(name)
  const original_request_id = first.headers.get('x-request-id') as string
  const other = await create(name, 'Another title')
  assertRefused(other, 422, 'idempotency_key_reused', { param: 'Idempotency-Key', original_request_id } as object)
  const elsewhere = await service.call('PATCH', `/v1/calendars/${calendar.id}`, {
    key,
    body: { name: 'Renamed' },
    headers: { 'idempotency-key': name },
  })
  assertRefused(elsewhere, 422, 'idempotency_key_reused', { param: 'Idempotency-Key', original_request_id } as object)
  assert.equal((await create(name)).headers.get('idempotent-replayed'), 'true')
})

test('quotes around a key do not count', async ({ create }) => {
  const name = fresh()
  const first = await create(name)
  const again = await create(`"${name}"`)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.body.id, first.body.id)
})

test('what is no key is refused before anything is done', async ({ service, key, calendar, create }) => {
  for (const wrong of ['""', 'a b', 'x'.repeat(256), 'é']) {
    assertRefused(await create(wrong), 400, 'validation_error', { param: 'Idempotency-Key' })
  }
  const twice = await new Promise<number | undefined>((resolve, reject) => {
    const url = new URL(`/v1/calendars/${calendar.id}`, service.baseUrl)
    const headers = { authorization: `Bearer ${key}`, 'Idempotency-Key': ['one', 'one'] }
    const sent = request(url, { method: 'DELETE', headers }, (res) => {
      res.resume()
      resolve(res.statusCode)
    })
    sent.on('error', reject).end()
  })
  assert.equal(twice, 400)
  assert.equal((await service.call('GET', `/v1/calendars/${calendar.id}`, { key })).status, 200)
})

test('a read and a public route ignore it', async ({ call, key }) => {
  const headers = { 'idempotency-key': 'not a key' }
  assert.equal((await call('GET', '/v1/agents', { key, headers })).status, 200)
  assert.equal((await call('GET', '/v1/plans', { headers })).status, 200)
})

test('a refusal is not stored: the key may be used again, with another body too', async ({
  service,
  key,
  calendar,
  create,
}) => {
  const name = fresh()
  const path = `/v1/calendars/${calendar.id}/events`
  const headers = { 'idempotency-key': name }
  assertRefused(
    await service.call('POST', path, { key, body: { title: 'No times' }, headers }),
    400,
    'validation_error',
    {
      param: 'start_time',
    },
  )
  assertRefused(await service.call('POST', path, { key, raw: '{', headers }), 400, 'validation_error')
  const answer = await create(name)
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
  assertRefused(await service.call('POST', path, { key, raw: '{', headers }), 400, 'validation_error')
})

test('a retry gets what its twin was answered, although the state now says no', async ({
  service,
  second,
  key,
  calendar,
}) => {
  const hold = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 300),
    end_time: ahead(service, 330),
  })
  const event = await makeEvent(service, key, calendar.id)
  for (const [method, path, status] of [
    ['PUT', `/v1/events/${hold.id}/confirm`, 200],
    ['DELETE', `/v1/events/${event.id}`, 204],
  ] as const) {
    const headers = { 'idempotency-key': fresh() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? service : second).call(method, path, { key, headers })),
    )
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([status]))
    assert.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1)
    assert.notEqual((await service.call(method, path, { key })).status, status, 'without the key it is refused')
  }
})

test('what was made may have changed since: the answer says what was answered then', async ({
  service,
  key,
  calendar,
  create,
}) => {
  const name = fresh()
  const first = await create(name, 'Then')
  await service.call('PATCH', `/v1/events/${first.body.id}`, { key, body: { title: 'Now' } })
  assert.deepEqual((await create(name, 'Then')).body, first.body)
  await service.call('DELETE', `/v1/calendars/${calendar.id}/events/${first.body.id}`, { key })
  assert.deepEqual((await create(name, 'Then')).body, first.body)
})

test('secrets are in the stored answer, sealed', async ({ service, call, key }) => {
  const agent = await makeAgent(service, key)
  const ask = () =>
    call('POST', '/v1/keys', { key, body: { agent_id: agent.id }, headers: { 'idempotency-key': 'secret' } })
  const first = await ask()
  assert.equal((await ask()).body.key, first.body.key)
  const rows = await service.app.sql<{ text: string }[]>`select answers::text as text from answers`
  const hex = Buffer.from(first.body.key.slice(8)).toString('hex')
  for (const { text } of rows) assert.ok(!text.includes(first.body.key.slice(8)) && !text.includes(hex))
})

test('a revoked key and a paused agent are refused, replay or not', async ({ service, call, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const ask = () =>
    call('PATCH', `/v1/calendars/${calendar.id}`, {
      key: agentKey,
      body: { name: 'Mine' },
      headers: { 'idempotency-key': 'paused' },
    })
  assert.equal((await ask()).status, 200)
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
  assertRefused(await ask(), 403, 'forbidden')
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'active' } })
  assert.equal((await ask()).headers.get('idempotent-replayed'), 'true')
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  assertRefused(await ask(), 401, 'authentication_error')
})

test('a replay spends no budget, and an exhausted budget does not refuse it', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 1 } })
  const calendar = await makeCalendar(service, key)
  const ask = (name: string) =>
    call('POST', `/v1/calendars/${calendar.id}/events`, {
      key,
      body: { title: 'x', start_time: ahead(service, 60), end_time: ahead(service, 90) },
      headers: { 'idempotency-key': name },
    })
  const first = await ask('a')
  assert.equal(first.status, 201)
  assert.deepEqual((await ask('a')).body, first.body)
  assertRefused(await ask('b'), 429, 'quota_exceeded')
  assert.deepEqual((await ask('a')).body, first.body)
  assert.equal((await call('GET', '/v1/usage', { key })).body.events.used, 1)
})

test('a refused request gives its budget back', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 1 } })
  const path = `/v1/calendars/${(await makeCalendar(service, key)).id}/events`
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const headers = { 'idempotency-key': 'a' }
  assertRefused(await call('POST', path, { key, body: times, headers }), 400, 'validation_error', { param: 'title' })
  assert.equal((await call('POST', path, { key, body: { ...times, title: 'x' }, headers })).status, 201)
})

test('a key is known for a day, and forgotten an hour later, purged or not', async ({ service, create }) => {
  const [purged, left] = [fresh(), fresh()]
  const first = await create(purged)
  await create(left)
  await service.clock.advance(24 * hourMs - 1)
  await purgeResponses(service.app)
  assert.equal((await create(purged)).body.id, first.body.id)
  await service.clock.advance(2)
  await purgeResponses(service.app)
  assert.notEqual((await create(purged)).body.id, first.body.id)
  const kept = fresh()
  const { body } = await create(kept)
  await service.clock.advance(25 * hourMs + 1)
  const anew = await create(kept)
  assert.equal(anew.status, 201)
  assert.notEqual(anew.body.id, body.id)
  assert.equal((await create(kept)).body.id, anew.body.id)
})

test('an answer on the wall clock is stored as it was shown', async ({ service, key, calendar }) => {
  const ask = (name: string, view: string) =>
    service.call('PATCH', `/v1/calendars/${calendar.id}/events/${event.id}?view=local&tz=${view}`, {
      key,
      body: { title: 'Seen' },
      headers: { 'idempotency-key': name },
    })
  const event = await makeEvent(service, key, calendar.id)
  const name = fresh()
  const first = await ask(name, 'Europe/Berlin')
  assert.equal(first.body.local.timezone, 'Europe/Berlin')
  const again = await ask(name, 'Europe/Berlin')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal((await ask(name, 'Asia/Tokyo')).status, 422)
})

test('when the connection to the database breaks, the answer says that the change may have happened, and how to repeat it', async ({
  service,
  key,
  calendar,
  onTestFinished,
}) => {
  const way = await openWay(service.app.config.databaseUrl)
  onTestFinished(async () => void (await way.close()))
  const far = await openProcess(service, { config: { databaseUrl: way.url } })
  onTestFinished(far.close)
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const ask = (method: string, path: string, body?: object) => far.call(method, path, { key, body })
  const add = () => ask('POST', `/v1/calendars/${calendar.id}/events`, { title: 'Unsure', ...times })
  const addWhileItBreaks = async () => {
    assert.equal((await add()).status, 201)
    way.treat('break off')
    const refused = await add()
    way.treat('pass on')
    return refused
  }
  let unsure = await addWhileItBreaks()
  // A statement of the process itself may meet the break first: then it is known that nothing happened.
  while (unsure.body.error.message.endsWith('Try again.')) unsure = await addWhileItBreaks()
  assertRefused(unsure, 503, 'internal_error')
  assert.equal(unsure.headers.get('retry-after'), '1')
  assert.match(unsure.body.error.message, /may or may not have happened.*same Idempotency-Key/)
})
