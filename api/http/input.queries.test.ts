import assert from 'node:assert/strict'
import { ahead } from '../../src/testing/factories.ts'
import { inputTest, isInvalid } from '../../src/testing/inputs.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = inputTest()

test('an identifier in a body that is none is not found, however long it is', async ({
  service,
  call,
  key,
  agent,
  calendar,
}) => {
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

/** Every list of the service, with the most it shows at once. */
const lists = (agent: { id: string }, eventsPath: string) =>
  [
    ['/v1/agents', 200, 50],
    ['/v1/calendars', 200, 50],
    [`/v1/agents/${agent.id}/calendars`, 200, 50],
    [eventsPath, 200, 50],
    [`/v1/agents/${agent.id}/events`, 200, 50],
    ['/v1/webhooks', 100, 20],
  ] as const

test('limit and offset are whole numbers within their bounds, on every list', async ({
  call,
  key,
  agent,
  eventsPath,
}) => {
  for (const [path, max, usual] of lists(agent, eventsPath)) {
    const page = async (query: string) => {
      const { status, body } = await call('GET', `${path}?${query}`, { key })
      return [status, body.limit, body.offset]
    }
    assert.deepEqual(await page(''), [200, usual, 0])
    assert.deepEqual(await page('limit=1&offset=3'), [200, 1, 3])
    assert.deepEqual(await page(`limit=${max}&offset=999999999999999`), [200, max, 999999999999999])
    for (const limit of [
      '0',
      `${max + 1}`,
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

test('a parameter that is given twice is refused', async ({ service, call, key, agent, eventsPath }) => {
  for (const [path] of lists(agent, eventsPath)) {
    for (const name of ['limit', 'offset']) {
      isInvalid(await call('GET', `${path}?${name}=1&${name}=1`, { key }), name)
    }
  }
  isInvalid(await call('GET', '/v1/agents?status=active&status=paused', { key }), 'status')
  isInvalid(await call('GET', `${eventsPath}?status=confirmed&status=hold`, { key }), 'status')
  const twice = `start_after=${ahead(service, 1)}&start_after=${ahead(service, 2)}`
  isInvalid(await call('GET', `${eventsPath}?${twice}`, { key }), 'start_after')
})

test('a boolean of a query is true or false and nothing else', async ({ service, call, key, eventsPath }) => {
  const bounds = `start_after=${ahead(service, 0)}&start_before=${ahead(service, 600)}`
  for (const value of ['true', 'false']) {
    assert.equal((await call('GET', `${eventsPath}?expand=${value}&${bounds}`, { key })).status, 200)
  }
  for (const value of ['1', '0', 'yes', 'TRUE', 'True', '', 'null', 'on']) {
    isInvalid(await call('GET', `${eventsPath}?expand=${value}&${bounds}`, { key }), 'expand')
  }
})

test('parameters that nobody reads, odd names and broken escapes in a query are refused by their name', async ({
  call,
  key,
}) => {
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
