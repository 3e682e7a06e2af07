import assert from 'node:assert/strict'
import type { ErrorType } from '../../src/shapes/errorTypes.ts'
import { encodeId, newId, type Prefix } from '../../src/shapes/ids.ts'
import { makeAccount } from '../../src/testing/accounts.ts'
import { ahead } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { agentBody, inputTest, isInvalid } from '../../src/testing/inputs.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { routes } from '../routes.ts'

const test = inputTest()

/** Of each kind of value one that no field of that kind takes. */
type WrongValues = [path: string, method: string, body: () => object, values: Record<string, unknown[]>]
const wrongValues = (agent: { id: string }, eventsPath: string, eventBody: () => object): WrongValues[] => [
  [
    '/v1/agents',
    'POST',
    agentBody,
    { name: [1, true, null, [], {}, ''], type: ['x', 1, null, []], description: [1, []] },
  ],
  [
    '/v1/calendars',
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
  ['/v1/keys', 'POST', () => ({ agent_id: agent.id }), { agent_id: [1, null, []], label: [1, '', []] }],
  [
    '/v1/webhooks',
    'POST',
    () => ({ url: 'https://example.com/hook', events: ['event.created'] }),
    { url: [1, null, [], {}], events: ['event.created', [], null, {}] },
  ],
]

test('a value of the wrong type or out of its bounds is refused with the name of the field', async ({
  service,
  call,
  key,
  agent,
  eventsPath,
  eventBody,
  storesNothing,
}) => {
  await storesNothing(async () => {
    for (const [path, method, body, fields] of wrongValues(agent, eventsPath, eventBody)) {
      for (const [field, values] of Object.entries(fields)) {
        for (const value of values) {
          const sent = {
            ...body(),
            ...(field === 'hold_priority' && { status: 'hold', hold_expires_at: ahead(service, 5) }),
          }
          const answer = await call(method, path, { key, body: { ...sent, [field]: value } })
          isInvalid(answer, field)
        }
      }
    }
  })
})

test('a key that nobody knows is refused by its name, whatever it is called', async ({
  call,
  key,
  agent,
  calendar,
  event,
  eventsPath,
  eventBody,
  storesNothing,
}) => {
  const bodies: [method: string, path: string, body: object][] = [
    ['POST', '/v1/agents', agentBody()],
    ['PATCH', `/v1/agents/${agent.id}`, { name: 'X' }],
    ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }],
    ['PATCH', `/v1/calendars/${calendar.id}`, { name: 'X' }],
    ['POST', eventsPath, eventBody()],
    ['PATCH', `${eventsPath}/${event.id}`, { title: 'X' }],
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

test('a route without fields refuses a body that has some, and one that is no JSON', async ({ service, call, key }) => {
  const { token } = await makeAccount(service)
  const at = (prefix: Prefix) => encodeId(prefix, newId())
  type Asked = [method: string, path: string, key: string, type?: ErrorType, status?: number]
  const routesWithout: Asked[] = [
    ['PUT', `/v1/events/${at('evt')}/confirm`, key],
    ['PUT', `/v1/events/${at('evt')}/release`, key],
    ['PUT', `/v1/hold-groups/${at('hgr')}/release`, key],
    ['POST', `/v1/scheduling/proposals/${at('spr')}/resolve`, key, 'validation'],
    ['POST', `/v1/scheduling/proposals/${at('spr')}/cancel`, key, 'validation'],
    ['POST', `/v1/ical-subscriptions/${at('ics')}/sync`, key, 'validation_error', 422],
    ['POST', '/v1/auth/email/link', token],
    ['POST', '/v1/auth/factors/totp', token],
    ['POST', '/v1/auth/factors/recovery-codes', token],
    ['POST', `/v1/auth/invitations/${at('inv')}/resend`, token],
    ['POST', '/v1/auth/signout', token],
    ['POST', `/v1/admin/orgs/${at('org')}/activate`, adminToken],
    ...['refresh', 'pause', 'resume'].map(
      (verb): Asked => ['POST', `/v1/calendar-connections/${at('con')}/${verb}`, token],
    ),
    ['POST', `/v1/webhooks/${at('whk')}/deliveries/${at('whd')}/resend`, key],
    ['POST', `/v1/calendars/${at('cal')}/feed-address`, key],
    ['POST', `/v1/calendars/${at('cal')}/busy-feed`, key],
  ]
  // The forms of pages are tested where the pages are.
  const isForm = (path: string) => /^[/](connect|invitations|approve)[/]/.test(path)
  const fieldless = routes.filter(
    ({ method, body, path, ignoresBody, takesAnyBody }) =>
      !body && !ignoresBody && !takesAnyBody && method !== 'get' && method !== 'delete' && !isForm(path),
  )
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

test('keys that mean something to JavaScript are only keys in metadata, and come back as they were sent', async ({
  call,
  key,
  postAgent,
}) => {
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

test('text that no store can hold is refused where it stands', async ({ call, key, postAgent, storesNothing }) => {
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

test('pairs of surrogates, control characters and text of every direction are kept', async ({
  call,
  key,
  postAgent,
}) => {
  for (const name of ['😀', '\u0001\u001f\u007f', '\ufffe\uffff', 'a\u202eb', 'e\u0301', '\n', ' ', '👨‍👩‍👧‍👦']) {
    const { status, body } = await postAgent({ body: agentBody({ name, metadata: { [name]: name } }) })
    assert.equal(status, 201)
    const read = await call('GET', `/v1/agents/${body.id}`, { key })
    assert.deepEqual([read.body.name, read.body.metadata], [name, { [name]: name }])
  }
})

test('metadata takes 16 KB of UTF-8 exactly, and not a byte more', async ({
  call,
  key,
  agent,
  calendar,
  event,
  eventsPath,
  eventBody,
  postAgent,
  postEvent,
}) => {
  const max = 16 * 1024
  const frame = '{"k":""}'.length
  const euros = Math.floor((max - frame) / 3)
  const rest = max - frame - 3 * euros
  const exact = [
    { k: 'x'.repeat(max - frame) },
    { k: '€'.repeat(euros) + 'x'.repeat(rest) },
    // An escape takes the bytes of its escape.
    { k: '\n'.repeat((max - frame) / 2) },
  ]
  for (const metadata of exact) {
    assert.equal(Buffer.byteLength(JSON.stringify(metadata)), max)
    const created = await postAgent({ body: agentBody({ metadata }) })
    assert.equal(created.status, 201)
    assert.deepEqual((await call('GET', `/v1/agents/${created.body.id}`, { key })).body.metadata, metadata)
    assert.equal((await postEvent(eventBody({ metadata }))).status, 201)
    for (const [method, path, body] of [
      ['POST', '/v1/agents', agentBody()],
      ['PATCH', `/v1/agents/${agent.id}`, {}],
      ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }],
      ['PATCH', `/v1/calendars/${calendar.id}`, {}],
      ['POST', eventsPath, eventBody()],
      ['PATCH', `${eventsPath}/${event.id}`, {}],
    ] as const) {
      isInvalid(await call(method, path, { key, body: { ...body, metadata: { k: `${metadata.k}x` } } }), 'metadata')
    }
  }
  // White space around it costs nothing: what counts is what is kept.
  const spaced = `{"name":"A","type":"ai","metadata":{${' '.repeat(max)}"k":1}}`
  assert.equal((await postAgent({ raw: spaced })).status, 201)
})

test('numbers in metadata are kept as doubles are; what a double cannot hold is refused', async ({
  call,
  key,
  postAgent,
  postEvent,
  eventBody,
}) => {
  const metadata = { big: 9007199254740991, small: 5e-324, large: 1.7976931348623157e308, negative: -0.1 }
  const { body } = await postAgent({ body: agentBody({ metadata }) })
  assert.deepEqual((await call('GET', `/v1/agents/${body.id}`, { key })).body.metadata, metadata)
  const overflow = await postAgent({ raw: '{"name":"A","type":"ai","metadata":{"a":[1,1e400]}}' })
  isInvalid(overflow, 'metadata.a.1')
  isInvalid(await postEvent({ ...eventBody(), hold_priority: 1e21 }), 'hold_priority')
})
