// The tags of records: what has one, when it changes, and what depends on it.
import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ plan: 'custom' })
  .extend('calendar', ({ service, key }) => makeCalendar(service, key))
  .extend(
    'ask',
    perFile,
    ({ call, key }) =>
      (method: string, path: string, body?: object, headers: Record<string, string> = {}, by = key) =>
        call(method, path, { key: by, body, headers }),
  )

const tagOf = ({ headers }: Answer): string => {
  const tag = headers.get('etag')
  assert.match(tag ?? '', /^"[\w-]{22}"$/)
  return tag!
}

function assertChanged(answer: Answer, current: string) {
  assert.equal(answer.status, 412, JSON.stringify(answer.body))
  const { message, request_id, ...error } = answer.body.error
  assert.deepEqual(error, { type: 'precondition_failed', param: null, current_etag: current })
  assert.ok(message && request_id)
}

const metadata = { z: 1, a: { y: [{ d: 1, c: 2 }], b: null }, '10': 'ten', '9': 'nine' }
const hours = { tue: { end: '17:00', start: '09:00' }, mon: { start: '09:00', end: '17:00' } }

type Records = [name: string, make: [string, string, object], path: (id: string) => string, edits: [string, object][]]

test('each record has one tag, in every write and every read, until it changes', async ({ service, ask, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const rules = `/v1/calendars/${calendar.id}/availability-rules`
  const page = { calendar_id: calendar.id, title: 'P', duration_minutes: 30, timezone: 'UTC' }
  const records: Records[] = [
    [
      'agent',
      ['POST', '/v1/agents', { name: 'A', type: 'ai', metadata }],
      (id) => `/v1/agents/${id}`,
      [['PATCH', { metadata: { b: 1, a: 2 } }]],
    ],
    [
      'calendar',
      ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC', metadata }],
      (id) => `/v1/calendars/${id}`,
      [['PATCH', { name: 'D' }]],
    ],
    [
      'agent’s calendar',
      ['POST', `/v1/agents/${agent.id}/calendars`, { name: 'C', timezone: 'UTC' }],
      (id) => `/v1/calendars/${id}`,
      [],
    ],
    [
      'event',
      ['POST', `/v1/calendars/${calendar.id}/events`, { title: 'E', ...times, metadata }],
      (id) => `/v1/calendars/${calendar.id}/events/${id}`,
      [
        ['PATCH', { title: 'F' }],
        ['PATCH', { metadata: { b: 1, a: 2 } }],
      ],
    ],
    [
      'series',
      ['POST', `/v1/calendars/${calendar.id}/events`, { title: 'E', ...times, recurrence_rule: 'FREQ=DAILY;COUNT=3' }],
      (id) => `/v1/events/${id}`,
      [['PATCH', { description: 'd' }]],
    ],
    [
      'rules',
      ['PUT', rules, { working_hours: hours, timezone: 'UTC' }],
      () => rules,
      [['PUT', { buffer_before_minutes: 5, timezone: 'UTC' }]],
    ],
    [
      'page',
      ['POST', '/v1/booking-pages', { ...page, availability_constraints: hours }],
      (id) => `/v1/booking-pages/${id}`,
      [['PATCH', { title: 'Q' }]],
    ],
  ]
  for (const [name, [method, at, body], pathOf, edits] of records) {
    const made = await ask(method, at, body)
    assert.ok(made.status < 300, `${name} ${JSON.stringify(made.body)}`)
    const path = pathOf(made.body.id)
    let tag = tagOf(made)
    assert.equal(tagOf(await ask('GET', path)), tag, name)
    for (const [verb, edit] of edits) {
      await service.clock.advance(1_000)
      const edited = await ask(verb, path, edit)
      assert.notEqual(tagOf(edited), tag, name)
      tag = tagOf(edited)
      assert.equal(tagOf(await ask('GET', path)), tag, name)
    }
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const known = await ask('GET', path, undefined, { 'if-none-match': sent })
      assert.deepEqual([known.status, known.body, tagOf(known)], [304, '', tag], sent)
    }
    for (const sent of ['"other"', tag.slice(1, -1), `${tag}x`, `"x"${tag}`]) {
      assert.equal((await ask('GET', path, undefined, { 'if-none-match': sent })).status, 200, sent)
    }
  }
})

test('the tag is the same in every view', async ({ service, ask, calendar }) => {
  const body = { title: 'E', start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const made = await ask('POST', `/v1/calendars/${calendar.id}/events?view=local`, body)
  const { local, ...record } = made.body
  assert.ok(local)
  const path = `/v1/events/${record.id}`
  const tags = [made, await ask('GET', path), await ask('GET', `${path}?view=local&tz=Asia/Tokyo`)].map(tagOf)
  assert.equal(new Set(tags).size, 1)
  const known = await ask('GET', `${path}?view=local`, undefined, { 'if-none-match': tags[0]! })
  assert.equal(known.status, 304)
})

test('a change with another tag, or a weak one, is not made', async ({ service, ask, calendar, key }) => {
  const agent = await makeAgent(service, key)
  const owned = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const hold = await makeHold(service, key, calendar.id)
  const rules = `/v1/calendars/${owned.id}/availability-rules`
  await ask('PUT', rules, { buffer_before_minutes: 5, timezone: 'UTC' })
  const page = await ask('POST', '/v1/booking-pages', {
    ...{ calendar_id: calendar.id, title: 'P', duration_minutes: 30, timezone: 'UTC' },
  })
  const asked: [method: string, path: string, read: string, body?: object][] = [
    ['PATCH', `/v1/events/${event.id}`, `/v1/events/${event.id}`, { title: 'New' }],
    ['PATCH', `/v1/calendars/${calendar.id}/events/${event.id}`, `/v1/events/${event.id}`, { title: 'Newer' }],
    ['PUT', `/v1/events/${hold.id}/confirm`, `/v1/events/${hold.id}`],
    ['PATCH', `/v1/calendars/${calendar.id}`, `/v1/calendars/${calendar.id}`, { name: 'New' }],
    ['PATCH', `/v1/booking-pages/${page.body.id}`, `/v1/booking-pages/${page.body.id}`, { title: 'New' }],
    ['PUT', rules, rules, { buffer_before_minutes: 10, timezone: 'UTC' }],
    ['DELETE', rules, rules],
    ['PATCH', `/v1/agents/${agent.id}`, `/v1/agents/${agent.id}`, { name: 'New' }],
    ['DELETE', `/v1/booking-pages/${page.body.id}`, `/v1/booking-pages/${page.body.id}`],
    ['DELETE', `/v1/events/${event.id}`, `/v1/events/${event.id}`],
    ['DELETE', `/v1/calendars/${calendar.id}`, `/v1/calendars/${calendar.id}`],
    ['DELETE', `/v1/agents/${agent.id}`, `/v1/agents/${agent.id}`],
  ]
  for (const [method, path, read, body] of asked) {
    const before = await ask('GET', read)
    const tag = tagOf(before)
    for (const sent of ['"other"', `W/${tag}`, tag.slice(1, -1), `"other", W/${tag}`, `${tag}x`, `"x"${tag}`]) {
      assertChanged(await ask(method, path, body, { 'if-match': sent }), tag)
      assertChanged(await ask(method, `${path}?dry_run=true`, body, { 'if-match': sent }), tag)
    }
    assert.deepEqual((await ask('GET', read)).body, before.body, path)
    const dry = await ask(method, `${path}?dry_run=true`, body, { 'if-match': tag })
    assert.equal(dry.status, 200, `${method} ${path} ${JSON.stringify(dry.body)}`)
    const lists = [`"other", ${tag}`, `${tag},"other"`, ` W/"x" , ,${tag},\t"a, b"`, `"a, b","other",${tag}`]
    for (const sent of lists) {
      assert.equal((await ask(method, `${path}?dry_run=true`, body, { 'if-match': sent })).status, 200, sent)
    }
    const made = await ask(method, path, body, { 'if-match': lists[0]! })
    assert.ok(made.status < 300, `${method} ${path} ${JSON.stringify(made.body)}`)
    if (made.status === 200) assert.notEqual(tagOf(made), tag)
  }
})

test('what is not there is not found, whatever the tag; what is not the caller’s is forbidden', async ({
  service,
  ask,
  calendar,
  key,
}) => {
  const event = await makeEvent(service, key, calendar.id)
  const bare = await makeCalendar(service, key)
  const agentKey = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  const stranger = await makeOrganization(service)
  for (const tag of ['*', '"other"']) {
    const headers = { 'if-match': tag }
    const missing = await ask('PATCH', '/v1/events/evt_none', { title: 'X' }, headers)
    assertRefused(missing, 404, 'not_found', { code: 'event_not_found' })
    assert.equal((await ask('DELETE', `/v1/events/${event.id}`, undefined, headers, stranger.key)).status, 404)
    assert.equal((await ask('DELETE', `/v1/events/${event.id}`, undefined, headers, agentKey)).status, 403)
    const rules = `/v1/calendars/${bare.id}/availability-rules`
    assertRefused(await ask('PUT', rules, { timezone: 'UTC' }, headers), 404, 'not_found')
    assertRefused(await ask('DELETE', rules, undefined, headers), 404, 'not_found')
    assertRefused(await ask('PATCH', `/v1/events/${event.id}`, { title: 5 }, headers), 400, 'validation_error', {
      param: 'title',
    })
  }
  assert.equal((await ask('PATCH', `/v1/events/${event.id}`, { title: 'X' }, { 'if-match': '*' })).status, 200)
})

test('an empty If-Match is refused', async ({ service, ask, calendar, key }) => {
  const event = await makeEvent(service, key, calendar.id)
  const keyed: Record<string, string>[] = [{}, { 'idempotency-key': 'k' }]
  for (const more of keyed) {
    const answer = await ask('DELETE', `/v1/events/${event.id}`, undefined, { 'if-match': '', ...more })
    assertRefused(answer, 400, 'validation_error', { param: 'If-Match' })
  }
})

test('rules are made only where there are none', async ({ service, ask, key }) => {
  const calendar = await makeCalendar(service, key)
  const path = `/v1/calendars/${calendar.id}/availability-rules`
  const body = { buffer_before_minutes: 5, timezone: 'UTC' }
  const [one, other] = await Promise.all([1, 2].map(() => ask('PUT', path, body, { 'if-none-match': '*' })))
  const [made, refused] = one!.status < 300 ? [one!, other!] : [other!, one!]
  assert.ok(made.status < 300)
  assertChanged(refused, tagOf(made))
  assertChanged(await ask('PUT', path, body, { 'if-none-match': '*' }), tagOf(made))
  assert.equal((await ask('PUT', path, body, { 'if-none-match': '"other"' })).status, made.status)
})

test('the state is looked at after the tag', async ({ service, ask, calendar, key }) => {
  const event = await makeEvent(service, key, calendar.id)
  const cancelled = await ask('PATCH', `/v1/events/${event.id}`, { status: 'cancelled' })
  const confirm = `/v1/events/${event.id}/confirm`
  assertChanged(await ask('PUT', confirm, undefined, { 'if-match': '"other"' }), tagOf(cancelled))
  const refused = await ask('PUT', confirm, undefined, { 'if-match': tagOf(cancelled) })
  assertRefused(refused, 409, 'conflict', { code: 'not_a_hold' })
  const agent = await makeAgent(service, key)
  const owned = await makeCalendar(service, key, agent.id)
  const path = `/v1/calendars/${owned.id}`
  const tag = tagOf(await ask('GET', path))
  await ask('DELETE', `/v1/agents/${agent.id}`)
  for (const [method, body] of [
    ['PATCH', { name: 'X' }],
    ['DELETE', undefined],
  ] as const) {
    assertChanged(await ask(method, path, body, { 'if-match': '"other"' }), tag)
    assertRefused(await ask(method, path, body, { 'if-match': tag }), 409, 'conflict', { code: 'agent_decommissioned' })
  }
})

test('a hold has another tag from the moment when its time is up', async ({ service, ask, calendar, key }) => {
  for (const method of ['PATCH', 'DELETE'] as const) {
    const hold = await makeHold(service, key, calendar.id)
    const path = `/v1/events/${hold.id}`
    const living = tagOf(await ask('GET', path))
    await service.clock.advance(20 * 60_000)
    const read = await ask('GET', path, undefined, { 'if-none-match': living })
    assert.equal(read.status, 200)
    const lapsed = tagOf(read)
    const body = method === 'PATCH' ? { title: 'New' } : undefined
    assertChanged(await ask(method, path, body, { 'if-match': living }), lapsed)
    assert.ok((await ask(method, path, body, { 'if-match': lapsed })).status < 300)
  }
})

test('of changes with one tag one is made, and the others are told, over two processes', async ({
  ask,
  calendar,
  key,
  service,
  second,
}) => {
  const paths = [`/v1/events/${(await makeEvent(service, key, calendar.id)).id}`, `/v1/calendars/${calendar.id}`]
  const agent = await makeAgent(service, key)
  const page = await ask('POST', '/v1/booking-pages', {
    ...{ calendar_id: calendar.id, title: 'P', duration_minutes: 30, timezone: 'UTC' },
  })
  const rules = `/v1/calendars/${calendar.id}/availability-rules`
  await ask('PUT', rules, { timezone: 'UTC' })
  const changes: [method: string, path: string, body: object][] = [
    ['PATCH', paths[0]!, { title: 'E' }],
    ['PATCH', paths[1]!, { name: 'C' }],
    ['PATCH', `/v1/agents/${agent.id}`, { name: 'A' }],
    ['PATCH', `/v1/booking-pages/${page.body.id}`, { title: 'P' }],
    ['PUT', rules, { timezone: 'UTC' }],
  ]
  for (const [method, path, body] of changes) {
    for (let round = 0; round < 5; round++) {
      const headers = { 'if-match': tagOf(await ask('GET', path)) }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? service : second).call(method, path, { key, body, headers })),
      )
      const made = answers.filter(({ status }) => status === 200)
      assert.equal(made.length, 1, path)
      for (const answer of answers) if (answer !== made[0]) assertChanged(answer, tagOf(made[0]!))
    }
  }
})

test('a retry gets its first answer and its tag, not 412', async ({ service, ask, calendar, key }) => {
  for (const view of ['', '?view=local']) {
    const event = await makeEvent(service, key, calendar.id)
    const path = `/v1/events/${event.id}`
    const headers = { 'if-match': tagOf(await ask('GET', path)), 'idempotency-key': `of-${event.id}` }
    const first = await ask('PATCH', path + view, { title: 'New' }, headers)
    const again = await ask('PATCH', path + view, { title: 'New' }, headers)
    assert.deepEqual([again.status, again.body, tagOf(again)], [200, first.body, tagOf(first)])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await ask('PATCH', path + view, { title: 'New' }, { ...headers, 'if-match': '*' })
    assert.equal(other.status, 422)
  }
})
