import assert from 'node:assert/strict'
import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, test } from 'vitest'
import type { ErrorType } from '../../src/shapes/errorTypes.ts'
import { encodeId, newId, type Prefix } from '../../src/shapes/ids.ts'
import { makeAccount } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
  type TestOrganization,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService } from '../../src/testing/harness.ts'
import type { CallOptions } from '../../src/testing/http.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { routes } from '../routes.ts'
import type { Method, Route } from './route.ts'

let service: TestService
let call: TestService['call']
let organization: TestOrganization
let key: string
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let agent: any, calendar: any, event: any

beforeAll(async () => {
  service = await openTestService()
  call = service.call
  organization = await makeOrganization(service)
  key = organization.key
  agent = await makeAgent(service, key)
  calendar = await makeCalendar(service, key, agent.id)
  event = await makeEvent(service, key, calendar.id)
})
afterAll(() => service.close())

const agentBody = (more: object = {}) => ({ name: 'Agent', type: 'ai', ...more })
const eventBody = (more: object = {}) => ({
  title: 'T',
  start_time: ahead(service, 60),
  end_time: ahead(service, 90),
  ...more,
})
const eventsPath = () => `/v1/calendars/${calendar.id}/events`
const postAgent = (options: CallOptions) => call('POST', '/v1/agents', { key, ...options })
const postEvent = (body: object) => call('POST', eventsPath(), { key, body })
const isInvalid = (answer: Answer, param: string | null = null, code?: string) =>
  assertRefused(answer, 400, 'validation_error', code ? { param, code } : { param })

/** Refused attempts leave as many of everything as there were. */
async function storesNothing(work: () => Promise<void>) {
  const count = async () => {
    const paths = ['/v1/agents', '/v1/calendars?include=all', eventsPath(), '/v1/webhooks']
    const lists = await Promise.all(paths.map((path) => call('GET', path, { key })))
    return lists.map(({ body }) => body.total)
  }
  const before = await count()
  await work()
  assert.deepEqual(await count(), before)
}

// --- Datetimes ---

const impossibleTimes = [
  '2026-02-30T09:00:00Z',
  '2026-02-29T09:00:00Z',
  '2026-04-31T09:00:00Z',
  '2026-13-01T09:00:00Z',
  '2026-00-01T09:00:00Z',
  '2026-01-00T09:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T25:00:00Z',
  '2026-03-02T09:60:00Z',
  '2026-03-02T09:00:60Z',
  '2026-03-02T09:00:00+24:00',
  '2026-03-02T09:00:00+02:60',
  // No offset: nobody knows which moment is meant.
  '2026-03-02T09:00:00',
  '2026-03-02T09:00:00.000',
  '2026-03-02',
  '2026-03-02 09:00:00Z',
  '2026-03-02T09Z',
  '20260302T090000Z',
  '2026-3-2T09:00:00Z',
  '2026-W10-1T09:00:00Z',
  '2026-061T09:00:00Z',
  '01/02/2026',
  'Mon, 02 Mar 2026 09:00:00 GMT',
  'tomorrow',
  'now',
  '1767340800000',
  '',
  ' 2026-03-02T09:00:00Z',
  '2026-03-02T09:00:00Z ',
  '2026-03-02T09:00:00Z\n',
  '2026-03-02T09:00:00.Z',
  '2026-03-02T09:00,5Z',
  '2026-03-02T09:00:00+2',
  '2026-03-02T09:00:00+24',
  '２０２６-03-02T09:00:00Z',
  // Outside what the years 1 to 9999 hold.
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
]

test('a time that does not exist or is not told with its offset is refused with the code invalid_time_format', async () => {
  await storesNothing(async () => {
    for (const text of impossibleTimes) {
      for (const field of ['start_time', 'end_time']) {
        isInvalid(await postEvent(eventBody({ [field]: text })), field, 'invalid_time_format')
        const changed = await call('PATCH', `${eventsPath()}/${event.id}`, { key, body: { [field]: text } })
        isInvalid(changed, field, 'invalid_time_format')
      }
      const hold = await postEvent(eventBody({ status: 'hold', hold_expires_at: text }))
      isInvalid(hold, 'hold_expires_at', 'invalid_time_format')
      for (const field of ['start_after', 'start_before']) {
        const listed = await call('GET', `${eventsPath()}?${field}=${encodeURIComponent(text)}`, { key })
        isInvalid(listed, field, 'invalid_time_format')
      }
      const cancelled = `${eventsPath()}/${event.id}?occurrence_start=${encodeURIComponent(text)}`
      isInvalid(await call('DELETE', cancelled, { key }), 'occurrence_start', 'invalid_time_format')
    }
  })
})

test('a time that is no text is refused', async () => {
  for (const value of [null, 1767340800000, true, [], {}, ['2026-03-02T09:00:00Z']]) {
    isInvalid(await postEvent(eventBody({ start_time: value })), 'start_time')
  }
})

test('every spelling of a moment is returned as UTC with milliseconds', async () => {
  const spellings: [sent: string, kept: string][] = [
    ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00.000Z'],
    ['2026-05-01T09:00Z', '2026-05-01T09:00:00.000Z'],
    ['2026-05-01T09:00:00.1Z', '2026-05-01T09:00:00.100Z'],
    ['2026-05-01T09:00:00.123456789Z', '2026-05-01T09:00:00.123Z'],
    ['2026-05-01T09:00:00+02:00', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01T09:00:00-0530', '2026-05-01T14:30:00.000Z'],
    ['2026-05-01T09:00:00+02', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01T09:00:00,5Z', '2026-05-01T09:00:00.500Z'],
    ['2026-05-01T00:00:00+14:00', '2026-04-30T10:00:00.000Z'],
    ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
  ]
  for (const [sent, kept] of spellings) {
    const created = await postEvent(eventBody({ start_time: sent, end_time: '2030-01-01T00:00:00Z' }))
    assert.deepEqual([created.status, created.body.startTime], [201, kept], sent)
    assert.equal((await call('GET', `${eventsPath()}/${created.body.id}`, { key })).body.startTime, kept)
  }
})

test('the first and the last years are kept as they are', async () => {
  const own = await makeCalendar(service, key)
  const path = `/v1/calendars/${own.id}/events`
  for (const [start_time, end_time] of [
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.001Z'],
    ['0049-12-31T12:00:00.000Z', '0099-01-01T00:00:00.000Z'],
    ['1890-06-01T00:00:00.000Z', '1890-06-01T01:00:00.000Z'],
    ['9999-12-31T23:59:59.998Z', '9999-12-31T23:59:59.999Z'],
  ]) {
    const { status, body } = await call('POST', path, { key, body: { title: 'T', start_time, end_time } })
    assert.deepEqual([status, body.startTime, body.endTime], [201, start_time, end_time])
    assert.deepEqual((await call('GET', `${path}/${body.id}`, { key })).body, body)
    const { data } = (await call('GET', `${path}?start_after=${start_time}&start_before=${end_time}`, { key })).body
    assert.deepEqual(data, [body])
  }
})

test('an end that is not after the start is refused with the code end_before_start', async () => {
  const [early, late] = [ahead(service, 60), ahead(service, 90)]
  for (const [start_time, end_time] of [
    [late, early],
    [early, early],
    ['2026-05-01T09:00:00+02:00', '2026-05-01T08:00:00+01:00'],
  ]) {
    isInvalid(await postEvent({ title: 'T', start_time, end_time }), 'end_time', 'end_before_start')
  }
  const path = `${eventsPath()}/${event.id}`
  const changes: [body: object, param: string][] = [
    [{ start_time: late, end_time: early }, 'end_time'],
    [{ end_time: event.startTime }, 'end_time'],
    [{ start_time: event.endTime }, 'start_time'],
    [{ start_time: '9999-01-01T00:00:00Z' }, 'start_time'],
  ]
  for (const [body, param] of changes) isInvalid(await call('PATCH', path, { key, body }), param, 'end_before_start')
  assert.deepEqual((await call('GET', path, { key })).body, event)
})

// --- Fields ---

/** Of each kind of value one that no field of that kind takes. */
const wrongValues: [path: () => string, method: string, body: () => object, values: Record<string, unknown[]>][] = [
  [
    () => '/v1/agents',
    'POST',
    agentBody,
    { name: [1, true, null, [], {}, ''], type: ['x', 1, null, []], description: [1, []] },
  ],
  [
    () => '/v1/calendars',
    'POST',
    () => ({ name: 'C', timezone: 'UTC' }),
    { name: [1, null, {}], timezone: [1, null, 'x', []], default_reminders: ['10', 10, {}, true] },
  ],
  [
    eventsPath,
    'POST',
    eventBody,
    {
      title: [1, null, [], '', 't'.repeat(501)],
      description: [1, [], {}],
      all_day: ['true', 1, 0, null, []],
      status: ['x', 1, null, 'CONFIRMED'],
      metadata: [1, 'x', [], null, true],
      reminders: ['10', 10, {}],
      recurrence_rule: [1, [], {}],
      hold_expires_at: [1, []],
      hold_priority: ['1', null, 1.5, -1, 101, 1e300],
    },
  ],
  [() => '/v1/keys', 'POST', () => ({ agent_id: agent.id }), { agent_id: [1, null, []], label: [1, '', []] }],
  [
    () => '/v1/webhooks',
    'POST',
    () => ({ url: 'https://example.com/hook', events: ['event.created'] }),
    { url: [1, null, [], {}], events: ['event.created', [], null, {}] },
  ],
]

test('a value of the wrong type or out of its bounds is refused with the name of the field', async () => {
  await storesNothing(async () => {
    for (const [path, method, body, fields] of wrongValues) {
      for (const [field, values] of Object.entries(fields)) {
        for (const value of values) {
          const sent = {
            ...body(),
            ...(field === 'hold_priority' && { status: 'hold', hold_expires_at: ahead(service, 5) }),
          }
          const answer = await call(method, path(), { key, body: { ...sent, [field]: value } })
          isInvalid(answer, field)
        }
      }
    }
  })
})

test('a key that nobody knows is refused by its name, whatever it is called', async () => {
  const bodies: [method: string, path: string, body: object][] = [
    ['POST', '/v1/agents', agentBody()],
    ['PATCH', `/v1/agents/${agent.id}`, { name: 'X' }],
    ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }],
    ['PATCH', `/v1/calendars/${calendar.id}`, { name: 'X' }],
    ['POST', eventsPath(), eventBody()],
    ['PATCH', `${eventsPath()}/${event.id}`, { title: 'X' }],
    ['POST', '/v1/keys', { agent_id: agent.id }],
    ['POST', '/v1/webhooks', { url: 'https://example.com/hook', events: ['event.created'] }],
  ]
  await storesNothing(async () => {
    for (const [method, path, body] of bodies) {
      const known = JSON.stringify(body).slice(0, -1)
      for (const name of [
        'bogus',
        'startTime',
        '',
        ' ',
        'constructor',
        'toString',
        '__proto__',
        'hasOwnProperty',
        '0',
        'ключ',
      ]) {
        isInvalid(await call(method, path, { key, raw: `${known},${JSON.stringify(name)}:1}` }), name)
      }
    }
  })
  const limits = '{"name":"A","email":"a@example.com","plan":"custom","limits":{"__proto__":{"agents":1}}}'
  isInvalid(await call('POST', '/v1/admin/orgs', { key: adminToken, raw: limits }), 'limits.__proto__')
})

test('a route without fields refuses a body that has some, and one that is no JSON', async () => {
  const { token } = await makeAccount(service)
  const at = (prefix: Prefix) => encodeId(prefix, newId())
  const routesWithout: [method: string, path: string, key: string, type?: ErrorType, status?: number][] = [
    ['PUT', `/v1/events/${at('evt')}/confirm`, key],
    ['PUT', `/v1/events/${at('evt')}/release`, key],
    ['POST', `/v1/scheduling/proposals/${at('spr')}/resolve`, key, 'validation'],
    ['POST', `/v1/scheduling/proposals/${at('spr')}/cancel`, key, 'validation'],
    ['POST', `/v1/ical-subscriptions/${at('ics')}/sync`, key, 'validation_error', 422],
    ['POST', '/v1/auth/keys', token],
    ['POST', '/v1/auth/keys/regenerate', token],
    ['POST', '/v1/auth/email/link', token],
    ['POST', '/v1/auth/signout', token],
    ['POST', `/v1/admin/orgs/${at('org')}/activate`, adminToken],
  ]
  const fieldless = routes.filter(({ method, body }) => !body && method !== 'get' && method !== 'delete')
  assert.equal(routesWithout.length, fieldless.length)
  for (const [method, path, bearer, type = 'validation_error', status = 400] of routesWithout) {
    assertRefused(await call(method, path, { key: bearer, body: { bogus: 1 } }), status, type, { param: 'bogus' })
    for (const raw of ['{', 'null', '[]']) {
      assertRefused(await call(method, path, { key: bearer, raw }), status, type)
    }
  }
  assert.equal((await call('POST', '/v1/auth/keys', { key: token, body: {} })).status, 201)
  assert.equal((await call('POST', '/v1/auth/keys/regenerate', { key: token })).status, 201)
})

test('keys that mean something to JavaScript are only keys in metadata, and come back as they were sent', async () => {
  const raw = `{"name":"A","type":"ai","metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toJSON":"text","then":"text","length":-1,"":0}}`
  const created = await postAgent({ raw })
  assert.equal(created.status, 201)
  const read = await call('GET', `/v1/agents/${created.body.id}`, { key })
  for (const { body } of [created, read]) {
    const metadata = Object.entries(body.metadata).sort(([a], [b]) => a.localeCompare(b))
    assert.deepEqual(metadata, [
      ['', 0],
      ['__proto__', { polluted: true }],
      ['constructor', { prototype: { polluted: true } }],
      ['length', -1],
      ['then', 'text'],
      ['toJSON', 'text'],
    ])
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('text that no store can hold is refused where it stands', async () => {
  const cases: [raw: string, param: string | null][] = [
    ['{"name":"a\\u0000b","type":"ai"}', 'name'],
    ['{"name":"\\ud800","type":"ai"}', 'name'],
    ['{"name":"a\\udc00","type":"ai"}', 'name'],
    ['{"name":"\\udc00\\ud800","type":"ai"}', 'name'],
    ['{"name":"A","type":"ai","description":"\\u0000"}', 'description'],
    ['{"name":"A","type":"ai","metadata":{"a":{"b":["ok","\\u0000"]}}}', 'metadata.a.b.1'],
    ['{"name":"A","type":"ai","metadata":{"a":"\\ud83d"}}', 'metadata.a'],
    ['{"name":"A","type":"ai","metadata":{"\\u0000":1}}', 'metadata'],
    ['{"name":"A","type":"ai","metadata":{"x\\ud800":1}}', 'metadata'],
    ['{"name":"A","type":"ai","\\u0000":1}', null],
    ['{"name":"A","type":"ai","\\udfff":1}', null],
  ]
  await storesNothing(async () => {
    for (const [raw, param] of cases) isInvalid(await postAgent({ raw }), param)
    isInvalid(await call('GET', '/v1/admin/orgs?email=%00', { key: adminToken }), 'email')
    isInvalid(await call('GET', '/v1/agents?type=%00', { key }), 'type')
  })
})

test('pairs of surrogates, control characters and text of every direction are kept', async () => {
  for (const name of ['😀', '\u0001\u001f\u007f', '\ufffe\uffff', 'a\u202eb', 'e\u0301', '\n', ' ', '👨‍👩‍👧‍👦']) {
    const { status, body } = await postAgent({ body: agentBody({ name, metadata: { [name]: name } }) })
    assert.equal(status, 201)
    const read = await call('GET', `/v1/agents/${body.id}`, { key })
    assert.deepEqual([read.body.name, read.body.metadata], [name, { [name]: name }])
  }
})

test('metadata takes 16 KB of UTF-8 exactly, and not a byte more', async () => {
  const most = 16 * 1024
  const frame = '{"k":""}'.length
  const euros = Math.floor((most - frame) / 3)
  const rest = most - frame - 3 * euros
  const exact = [
    { k: 'x'.repeat(most - frame) },
    { k: '€'.repeat(euros) + 'x'.repeat(rest) },
    // An escape takes the bytes of its escape.
    { k: '\n'.repeat((most - frame) / 2) },
  ]
  for (const metadata of exact) {
    assert.equal(Buffer.byteLength(JSON.stringify(metadata)), most)
    const created = await postAgent({ body: agentBody({ metadata }) })
    assert.equal(created.status, 201)
    assert.deepEqual((await call('GET', `/v1/agents/${created.body.id}`, { key })).body.metadata, metadata)
    assert.equal((await postEvent(eventBody({ metadata }))).status, 201)
    for (const [method, path, body] of [
      ['POST', '/v1/agents', agentBody()],
      ['PATCH', `/v1/agents/${agent.id}`, {}],
      ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }],
      ['PATCH', `/v1/calendars/${calendar.id}`, {}],
      ['POST', eventsPath(), eventBody()],
      ['PATCH', `${eventsPath()}/${event.id}`, {}],
    ] as const) {
      isInvalid(await call(method, path, { key, body: { ...body, metadata: { k: `${metadata.k}x` } } }), 'metadata')
    }
  }
  // White space around it costs nothing: what counts is what is kept.
  const spaced = `{"name":"A","type":"ai","metadata":{${' '.repeat(most)}"k":1}}`
  assert.equal((await postAgent({ raw: spaced })).status, 201)
})

test('numbers in metadata are kept as doubles are; what a double cannot hold is refused', async () => {
  const metadata = { big: 9007199254740991, small: 5e-324, large: 1.7976931348623157e308, negative: -0.1 }
  const { body } = await postAgent({ body: agentBody({ metadata }) })
  assert.deepEqual((await call('GET', `/v1/agents/${body.id}`, { key })).body.metadata, metadata)
  const overflow = await postAgent({ raw: '{"name":"A","type":"ai","metadata":{"a":[1,1e400]}}' })
  isInvalid(overflow, 'metadata.a.1')
  isInvalid(await postEvent({ ...eventBody(), hold_priority: 1e21 }), 'hold_priority')
})

// --- Bodies ---

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('JSON may be nested 64 levels deep; ten thousand and a hundred thousand are refused alike', async () => {
  const inMetadata = (levels: number) => `{"name":"A","type":"ai","metadata":{"deep":${nested(levels)}}}`
  assert.equal((await postAgent({ raw: inMetadata(61) })).status, 201)
  for (const levels of [63, 10_000, 100_000]) isInvalid(await postAgent({ raw: inMetadata(levels) }), 'metadata')
  for (const levels of [70, 10_000, 100_000]) isInvalid(await postAgent({ raw: nested(levels) }), '0')
  const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  isInvalid(await postAgent({ raw: objects }), 'a')
})

test('a body over 256 KB is 413 in the shape of every error, plain or packed', async () => {
  const filler = (bytes: number) => {
    const frame = JSON.stringify(agentBody({ description: '' })).length
    return JSON.stringify(agentBody({ description: 'x'.repeat(bytes - frame) }))
  }
  const exact = filler(256 * 1024)
  assert.equal(exact.length, 256 * 1024)
  // Just fits; that the description is too long is seen only then.
  isInvalid(await postAgent({ raw: exact }), 'description')
  await storesNothing(async () => {
    for (const bytes of [256 * 1024 + 1, 300_000, 5_000_000]) {
      assertRefused(await postAgent({ raw: filler(bytes) }), 413, 'validation_error')
    }
    const packed = new Uint8Array(gzipSync(filler(20_000_000)))
    assert.ok(packed.length < 100_000)
    const bomb = await postAgent({ raw: packed, headers: { 'content-encoding': 'gzip' } })
    assertRefused(bomb, 413, 'validation_error')
  })
})

test('a body that is no JSON, or JSON that is no object, is refused', async () => {
  const texts = [
    '{',
    '}',
    '{"name"}',
    "{'name':'A'}",
    '{"name":"A",}',
    'name=A&type=ai',
    '<xml/>',
    'NaN',
    '{"a":01}',
    '\u0000',
    '{}{}',
    'undefined',
  ]
  const values = ['[]', '[{"name":"A","type":"ai"}]', '"text"', '1', 'true', 'null', '-0', '1e400']
  await storesNothing(async () => {
    for (const raw of texts) isInvalid(await postAgent({ raw }))
    for (const raw of values) {
      const answer = await postAgent({ raw })
      isInvalid(answer)
      assertRefused(await call('PATCH', `/v1/agents/${agent.id}`, { key, raw }), 400, 'validation_error')
    }
    for (const raw of ['', ' ', '\n']) {
      const answer = await postAgent({ raw })
      assertRefused(answer, 400, 'validation_error', { param: answer.body.error.param })
    }
    isInvalid(await postAgent({}), 'name')
  })
})

test('null is a body, and changes nothing where every field may be left out', async () => {
  const path = `/v1/calendars/${calendar.id}/availability-rules`
  const put = await call('PUT', path, { key, body: { buffer_before_minutes: 15 } })
  assert.equal(put.status, 200)
  isInvalid(await call('PUT', path, { key, raw: 'null' }))
  assert.deepEqual((await call('GET', path, { key })).body, put.body)
  assert.equal((await call('PUT', path, { key })).status, 200)
})

test('of a key that is repeated the last counts, as JSON.parse has it', async () => {
  const { body } = await postAgent({ raw: '{"name":"first","type":"ai","name":"last"}' })
  assert.equal(body.name, 'last')
})

test('JSON is read as UTF-8 whatever the content type says', async () => {
  const raw = JSON.stringify(agentBody({ name: 'Zoë' }))
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=nonsense',
    'text/plain',
    'application/x-www-form-urlencoded',
    'nonsense',
    ';;;',
  ]) {
    const { status, body } = await postAgent({ raw, headers: { 'content-type': type } })
    assert.deepEqual([status, body.name], [201, 'Zoë'], type)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  isInvalid(await postAgent({ raw: 'name=A&type=ai', headers: form }))
})

const brotli = { 'content-encoding': 'br' }

test('a packing that is not read is 415, and the answer says which are', async () => {
  const raw = JSON.stringify(agentBody())
  for (const encoding of ['compress', 'bzip2', 'x']) {
    const answer = await postAgent({ raw, headers: { 'content-encoding': encoding } })
    assertRefused(answer, 415, 'validation_error')
    assert.match(answer.body.error.message, /Content-Encoding.*gzip, deflate, br or zstd/)
  }
})

test('what cannot be read of a body is refused as the route refuses what does not fit', async () => {
  const at = (prefix: Prefix) => encodeId(prefix, newId())
  const unread: [status: number, options: CallOptions][] = [
    [400, { raw: '{' }],
    [400, { raw: '{}', headers: brotli }],
    [400, { raw: new Uint8Array([0xff]) }],
    [413, { raw: ' '.repeat(256 * 1024 + 1) }],
    [415, { raw: '{}', headers: { 'content-encoding': 'x' } }],
  ]
  for (const [status, options] of unread) {
    assertRefused(await postAgent(options), status, 'validation_error')
    const proposal = await call('POST', '/v1/scheduling/proposals', { key, ...options })
    assertRefused(proposal, status, 'validation')
    const subscription = await call('POST', `/v1/agents/${at('agt')}/ical-subscriptions`, { key, ...options })
    assertRefused(subscription, 422, 'validation_error')
  }
})

test('a packed body is read; one that is not what it says is refused', async () => {
  const text = JSON.stringify(agentBody({ name: 'Packed' }))
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    const headers = { 'content-encoding': encoding }
    const answer = await postAgent({ raw: new Uint8Array(pack(text)), headers })
    assert.deepEqual([answer.status, answer.body.name], [201, 'Packed'])
    isInvalid(await postAgent({ raw: text, headers }))
    isInvalid(await postAgent({ raw: new Uint8Array(pack(text)).slice(0, -9), headers }))
  }
})

test('bytes that are no UTF-8 are refused, and a byte order mark is passed over', async () => {
  const name = (...bytes: number[]) =>
    new Uint8Array([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('","type":"ai"}')])
  // Latin-1, half a letter, an overlong slash, half a pair of surrogates, beyond Unicode.
  const wrong = [[0xfc], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
  await storesNothing(async () => {
    for (const bytes of wrong) isInvalid(await postAgent({ raw: name(...bytes) }))
    isInvalid(await postAgent({ raw: new Uint8Array(Buffer.from(JSON.stringify(agentBody()), 'utf16le')) }))
  })
  const marked = await postAgent({ raw: new Uint8Array([0xef, 0xbb, 0xbf, ...name(0xc3, 0xbc)]) })
  assert.deepEqual([marked.status, marked.body.name], [201, 'ü'])
})

test('a form is read as UTF-8 whatever character set it names, and refused where it is not', async () => {
  const reset = (raw: CallOptions['raw'], charset = '') => {
    const headers = { 'content-type': `application/x-www-form-urlencoded${charset}` }
    return call('POST', '/v1/auth/password/reset', { raw, headers })
  }
  for (const charset of ['', '; charset=utf8', '; charset=iso-8859-1', '; charset=nonsense']) {
    assert.equal((await reset('token=x&password=a+good%20p%C3%A4ssword', charset)).status, 202)
  }
  isInvalid(await reset('token=x&password=short'), 'password')
  isInvalid(await reset('token=x&token=y&password=a+good+password'), 'token')
  isInvalid(await reset(`token=x&password=a+good+password&${'a=&'.repeat(2_000)}b=`), 'a')
  isInvalid(await reset('token=x&password=a+good+password&__proto__=1'), '__proto__')
  isInvalid(await reset('token=x&password=a+good+password%00'), 'password')
  for (const wrong of ['%FC', '%C3', '%', '%zz']) isInvalid(await reset(`token=x&password=a+good+password${wrong}`))
  isInvalid(await reset(new Uint8Array([...Buffer.from('token=x&password=a+good+password'), 0xfc])))
})

// --- Identifiers ---

test('an identifier in a body that is none is not found, however long it is', async () => {
  for (const id of ['', 'x', 'x'.repeat(301), 'x'.repeat(100_000), `${agent.id}0`, calendar.id]) {
    assertRefused(await call('POST', '/v1/keys', { key, body: { agent_id: id } }), 404, 'not_found', {
      param: 'agent_id',
    })
  }
  const long = 'x'.repeat(301)
  const slot = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const proposal = {
    title: 'T',
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
    slots: [slot],
  }
  for (const [field, value] of [
    ['organizer_agent_id', long],
    ['participant_agent_ids', [long]],
    ['calendar_id', long],
    ['slots', [{ ...slot, calendar_id: long }]],
  ] as const) {
    const answer = await call('POST', '/v1/scheduling/proposals', { key, body: { ...proposal, [field]: value } })
    const short = await call('POST', '/v1/scheduling/proposals', {
      key,
      body: { ...proposal, [field]: JSON.parse(JSON.stringify(value).replaceAll(long, 'x')) },
    })
    assert.deepEqual([answer.status, answer.body.error.type], [404, 'not_found'], field)
    const { param, code } = short.body.error
    assertRefused(answer, 404, 'not_found', { param, ...(code && { code }) })
  }
  const listed = await call('GET', `/v1/scheduling/proposals?organizer_agent_id=${long}`, { key })
  assert.deepEqual([listed.status, listed.body.error.type], [404, 'not_found'])
  for (const [path, body] of [
    ['/v1/booking-pages', { calendar_id: long, title: 'T', duration_minutes: 30 }],
    [`/v1/agents/${agent.id}/ical-subscriptions`, { calendar_id: long, url: 'https://example.com/a.ics' }],
  ] as const) {
    const answer = await call('POST', path, { key, body })
    assert.deepEqual([answer.status, answer.body.error.type], [404, 'not_found'], path)
  }
})

// --- Queries ---

/** Every list of the service, with the most it shows at once. */
const lists = () =>
  [
    ['/v1/agents', 200, 50],
    ['/v1/calendars', 200, 50],
    [`/v1/agents/${agent.id}/calendars`, 200, 50],
    [eventsPath(), 200, 50],
    [`/v1/agents/${agent.id}/events`, 200, 50],
    ['/v1/webhooks', 100, 20],
  ] as const

test('limit and offset are whole numbers within their bounds, on every list', async () => {
  for (const [path, most, usual] of lists()) {
    const page = async (query: string) => {
      const { status, body } = await call('GET', `${path}?${query}`, { key })
      return [status, body.limit, body.offset]
    }
    assert.deepEqual(await page(''), [200, usual, 0])
    assert.deepEqual(await page('limit=1&offset=3'), [200, 1, 3])
    assert.deepEqual(await page(`limit=${most}&offset=999999999999999`), [200, most, 999999999999999])
    for (const limit of [
      '0',
      `${most + 1}`,
      '-1',
      'abc',
      '1.5',
      '',
      ' 5',
      '5 ',
      '+5',
      '05',
      '1e1',
      '0x10',
      '٣',
      'null',
      '9'.repeat(400),
    ]) {
      isInvalid(await call('GET', `${path}?limit=${encodeURIComponent(limit)}`, { key }), 'limit')
    }
    for (const offset of ['-1', 'abc', '1.5', '', '-0', '1e3', '9'.repeat(16), 'NaN', 'Infinity']) {
      isInvalid(await call('GET', `${path}?offset=${encodeURIComponent(offset)}`, { key }), 'offset')
    }
  }
})

test('a parameter that is given twice is refused', async () => {
  for (const [path] of lists()) {
    for (const name of ['limit', 'offset']) {
      isInvalid(await call('GET', `${path}?${name}=1&${name}=1`, { key }), name)
    }
  }
  isInvalid(await call('GET', '/v1/agents?status=active&status=paused', { key }), 'status')
  isInvalid(await call('GET', `${eventsPath()}?status=confirmed&status=hold`, { key }), 'status')
  const twice = `start_after=${ahead(service, 1)}&start_after=${ahead(service, 2)}`
  isInvalid(await call('GET', `${eventsPath()}?${twice}`, { key }), 'start_after')
})

test('a boolean of a query is true or false and nothing else', async () => {
  const bounds = `start_after=${ahead(service, 0)}&start_before=${ahead(service, 600)}`
  for (const value of ['true', 'false']) {
    assert.equal((await call('GET', `${eventsPath()}?expand=${value}&${bounds}`, { key })).status, 200)
  }
  for (const value of ['1', '0', 'yes', 'TRUE', 'True', '', 'null', 'on']) {
    isInvalid(await call('GET', `${eventsPath()}?expand=${value}&${bounds}`, { key }), 'expand')
  }
})

test('parameters that nobody reads, odd names and broken escapes in a query are refused by their name', async () => {
  const { total } = (await call('GET', '/v1/agents', { key })).body
  for (const [query, param] of [
    ['__proto__=1', '__proto__'],
    ['__proto__[limit]=1', '__proto__[limit]'],
    ['constructor=x', 'constructor'],
    ['limit[]=1', 'limit[]'],
    ['unknown=1', 'unknown'],
    ['%E0%A4%A=1', '\ufffd%A'],
    ['x=%ZZ', 'x'],
    ['=', ''],
    ['a.b=1', 'a.b'],
  ]) {
    assertRefused(await call('GET', `/v1/agents?${query}`, { key }), 400, 'validation_error', { param })
  }
  assert.equal((await call('GET', '/v1/agents?&&&', { key })).body.total, total)
})

// --- Routes ---

test('an unknown route is 404, whoever asks', async () => {
  for (const path of [
    '/v1',
    '/v1/',
    '/v2/agents',
    '/v1/agentz',
    '/v1/agents/x/y/z',
    '/v1/admin',
    '/v1/admin/orgs/x/y',
    '/favicon.ico',
    '/.env',
    '//v1/agents',
  ]) {
    for (const options of [{}, { key }]) assertRefused(await call('GET', path, options), 404, 'not_found')
    assertRefused(await call('POST', path, { key, body: {} }), 404, 'not_found')
  }
})

const pathOf = (route: Route) => route.path.replace(/:\w+/g, 'x')

test('a method that a path does not have is 405 with those it has', async () => {
  for (const [path, group] of Map.groupBy(routes, pathOf)) {
    const allowed = group.map(({ method }) => method.toUpperCase())
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const answer = await call(method, path)
      assertRefused(answer, 405, 'bad_request')
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted(), `${method} ${path}`)
    }
  }
})

test('every route but the public ones asks who one is before anything else', async () => {
  for (const route of routes) {
    if (route.access === 'public') continue
    const raw = route.method === 'get' ? undefined : '{'
    assertRefused(await call(route.method.toUpperCase(), pathOf(route), { raw }), 401, 'authentication_error')
  }
})

test('every route of the organization refuses an agent key, before it looks at anything else', async () => {
  const agentKey = await makeAgentKey(service, key, agent.id)
  const organizational = routes.filter(({ access }) => access === 'organization')
  assert.ok(organizational.length > 5)
  for (const route of organizational) {
    const raw = route.method === 'get' ? undefined : '{'
    const answer = await call(route.method.toUpperCase(), pathOf(route), { key: agentKey, raw })
    assertRefused(answer, 403, 'forbidden')
  }
})

test("the administration refuses every key, and every other route the administrator's token", async () => {
  for (const route of routes) {
    if (route.access === 'public') continue
    const wrong = route.access === 'admin' ? key : adminToken
    const answer = await call(route.method.toUpperCase(), pathOf(route), { key: wrong })
    assertRefused(answer, 401, 'authentication_error')
  }
})

test('escapes that are none, and paths of any other kind, are not found', async () => {
  for (const id of [
    '%',
    '%E0%A4%A',
    '%ZZ',
    '%c0%ae',
    '%ff',
    '%00',
    '%2F',
    '%0a',
    '%F0%9F%98%80',
    "'",
    '"',
    '<',
    '~',
    ':id',
    'agt_%20',
  ]) {
    for (const path of [`/v1/agents/${id}`, `/v1/calendars/${id}/events`, `/v1/webhooks/${id}`, `/v1/keys/${id}`]) {
      const method = path.startsWith('/v1/keys') ? 'DELETE' : 'GET'
      const answer = await call(method, path, { key })
      const code = answer.body.error.code
      assertRefused(answer, 404, 'not_found', code ? { code } : {})
    }
  }
})

test('a slash at the end of a path changes nothing', async () => {
  assert.equal((await call('GET', `/v1/agents/${agent.id}/`, { key })).body.id, agent.id)
  assert.equal((await call('GET', '/v1/agents/', { key })).status, 200)
})

/** As `fetch` would not send it. */
function head(
  path: string,
  authorization: string,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(service.baseUrl + path, { method: 'HEAD', headers: { authorization } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, bytes }))
    })
    sent.on('error', reject).end()
  })
}

test('HEAD answers like GET, without the body', async () => {
  const authorization = `Bearer ${key}`
  for (const [path, status] of [
    ['/v1/agents', 200],
    [`/v1/agents/${agent.id}`, 200],
    ['/v1/agents/x', 404],
    ['/v1/agents?limit=0', 400],
    ['/healthz', 200],
    ['/docs', 200],
    ['/openapi.json', 200],
    ['/nowhere', 404],
    ['/v1/keys/x', 405],
  ] as const) {
    const answer = await head(path, authorization)
    assert.deepEqual([answer.status, answer.bytes], [status, 0], path)
    assert.match(String(answer.headers['x-request-id']), /^req_/)
    assert.ok(Number(answer.headers['content-length']) > 0, path)
  }
  assert.equal((await head('/v1/agents', 'Bearer svc_sk_nobody-has-this')).status, 401)
})

test('no answer tells what the service is made of', async () => {
  const answers = [
    await call('GET', '/v1/agents', { key }),
    await postAgent({ raw: '{' }),
    await call('GET', '/nowhere'),
  ]
  for (const { headers, body } of answers) {
    assert.equal(headers.get('x-powered-by'), null)
    assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts\b|postgres|express|at \w+ \(/i)
  }
})

const verbs: Method[] = ['get', 'post', 'put', 'patch', 'delete']

test('the table names each route once, with a method that HTTP has', () => {
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
  for (const { method } of routes) assert.ok(verbs.includes(method))
})
