import assert from 'node:assert/strict'
import { makeProposal } from '../../src/testing/factories.ts'
import { localTest } from '../../src/testing/localView.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = localTest()

const refused: [text: string, code: string, suggestions: string[]][] = [
  [
    '2026-12-01T10:00:00+02:00[Europe/Berlin]',
    'offset_mismatch',
    ['2026-12-01T10:00:00+01:00[Europe/Berlin]', '2026-12-01T09:00:00+01:00[Europe/Berlin]'],
  ],
  [
    '2027-03-28T02:30[Europe/Berlin]',
    'nonexistent_local_time',
    ['2027-03-28T03:30:00+02:00[Europe/Berlin]', '2027-03-28T01:30:00+01:00[Europe/Berlin]'],
  ],
  [
    '2027-03-28T02:30:00+01:00[Europe/Berlin]',
    'offset_mismatch',
    ['2027-03-28T03:30:00+02:00[Europe/Berlin]', '2027-03-28T01:30:00+01:00[Europe/Berlin]'],
  ],
  [
    '2026-10-25T02:30:00[Europe/Berlin]',
    'ambiguous_local_time',
    ['2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25T02:30:00+01:00[Europe/Berlin]'],
  ],
]
const malformed = [
  '[',
  '[]',
  '[!Europe/Berlin]',
  '2026-12-01T10:00[]',
  '2026-12-01T10:00[CEST]',
  '2026-12-01T10:00[+01:00]',
]

const sent = encodeURIComponent

test('an event is placed at a local time, with and without its offset', async ({ desk, call, key }) => {
  for (const start of [
    '2026-12-01T10:00:00+01:00[Europe/Berlin]',
    '2026-12-01T10:00[Europe/Berlin]',
    '2026-12-01T10:00:00[!Europe/Berlin]',
    '2026-12-01T09:00:00Z[Europe/Berlin]',
    '2026-12-01T10:00:00[europe/berlin][u-ca=hebrew]',
    '2026-12-01T04:00[America/New_York]',
  ]) {
    const body = desk.body({ start_time: start, end_time: '2026-12-01T10:30[Europe/Berlin]' })
    const { status, body: event } = await call('POST', desk.pathOf(), { key, body })
    assert.equal(status, 201, JSON.stringify(event))
    assert.deepEqual([event.startTime, event.endTime], ['2026-12-01T09:00:00.000Z', '2026-12-01T09:30:00.000Z'])
  }
})

test('a local time that is not one moment is refused wherever a body takes a datetime', async ({
  service,
  desk,
  agent,
  parties,
  call,
  key,
}) => {
  const { id } = await desk.calendar()
  const event = await desk.make({}, id)
  const path = desk.pathOf(undefined, id)
  const proposal = await makeProposal(service, key, parties.body)
  const page = (await call('POST', '/v1/booking-pages', { key, body: { calendar_id: id, title: 'Page' } })).body
  const slot = { start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' }
  type Place = [method: string, path: string, body: (text: string) => object, param: string, type?: 'validation']
  const places: Place[] = [
    ['POST', path, (text) => desk.body({ start_time: text }), 'start_time'],
    ['POST', path, (text) => desk.body({ end_time: text }), 'end_time'],
    ['POST', path, (text) => desk.body({ status: 'hold', hold_expires_at: text }), 'hold_expires_at'],
    ['PATCH', `${path}/${event.id}`, (text) => ({ start_time: text }), 'start_time'],
    ['PATCH', `/v1/events/${event.id}`, (text) => ({ end_time: text }), 'end_time'],
    [
      'POST',
      '/v1/scheduling/proposals',
      (text) => ({ ...parties.body, slots: [slot, { ...slot, start_time: text }] }),
      'slots.1.start_time',
      'validation',
    ],
    ['POST', '/v1/scheduling/proposals', (text) => ({ ...parties.body, expires_at: text }), 'expires_at', 'validation'],
    [
      'POST',
      `/v1/scheduling/proposals/${proposal.id}/respond`,
      (text) => ({ agent_id: agent.id, response: 'counter', counter_slots: [{ ...slot, end_time: text }] }),
      'counter_slots.0.end_time',
      'validation',
    ],
    ['POST', `/book/${page.slug}`, (text) => ({ name: 'Ada', email: 'ada@example.com', start: text }), 'start'],
  ]
  for (const [method, at, bodyOf, param, type = 'validation_error'] of places) {
    for (const [text, code, suggestions] of refused) {
      const answer = await call(method, at, { key, body: bodyOf(text) })
      assertRefused(answer, 400, type, { param, code, suggestions })
    }
    for (const text of malformed) {
      const answer = await call(method, at, { key, body: bodyOf(text) })
      assertRefused(answer, 400, type, { param, code: 'invalid_time_format' })
    }
  }
  assert.deepEqual((await desk.get(path)).data, [event])
})

test('a query takes a local time, and refuses what is not one moment, wherever it takes a datetime', async ({
  desk,
  agent,
  call,
  key,
}) => {
  const { id } = await desk.calendar()
  const series = await desk.make({ recurrence_rule: 'FREQ=DAILY;COUNT=3' }, id)
  const page = (await call('POST', '/v1/booking-pages', { key, body: { calendar_id: id, title: 'Page' } })).body
  const end = 'end=2026-12-20T00:00:00Z'
  const places: [method: string, path: string, param: string][] = [
    ['GET', desk.pathOf(undefined, id), 'start_after'],
    ['GET', desk.pathOf(undefined, id), 'start_before'],
    ['GET', `/v1/agents/${agent.id}/events`, 'start_after'],
    ['GET', `/v1/events?calendar_ids=${id}&${end}`, 'start'],
    ['GET', `/v1/calendars/${id}/availability?${end}`, 'start'],
    ['GET', `/v1/agents/${agent.id}/availability?start=2026-11-20T00:00:00Z`, 'end'],
    ['GET', `/v1/availability?agents=${agent.id}&${end}`, 'start'],
    ['GET', '/v1/audit-log', 'from'],
    ['GET', '/v1/audit-log', 'to'],
    ['GET', '/v1/time?tz=UTC', 'at'],
    ['GET', `/book/${page.slug}/slots`, 'from'],
    ['GET', `/book/${page.slug}`, 'slot'],
    ['DELETE', desk.pathOf(series.id, id), 'occurrence_start'],
  ]
  for (const [method, path, param] of places) {
    const ask = (text: string) =>
      call(method, `${path}${path.includes('?') ? '&' : '?'}${param}=${sent(text)}`, {
        key,
        headers: { accept: 'application/json' },
      })
    for (const [text, code, suggestions] of refused) {
      assertRefused(await ask(text), 400, 'validation_error', { param, code, suggestions })
    }
    for (const text of malformed) {
      assertRefused(await ask(text), 400, 'validation_error', { param, code: 'invalid_time_format' })
    }
    if (method === 'GET') assert.equal((await ask('2026-12-01T10:00[Europe/Berlin]')).status, 200, path)
  }
  // The second day: the start of the series, a day later.
  const cancelled = await call(
    'DELETE',
    `${desk.pathOf(series.id, id)}?occurrence_start=${sent('2026-12-02T10:00[Europe/Berlin]')}`,
    { key },
  )
  assert.deepEqual(cancelled.body.recurrenceExdates, ['2026-12-02T09:00:00.000Z'])
  const listed = await desk.get(`${desk.pathOf(undefined, id)}?start_after=${sent('2026-12-01T10:00[Europe/Berlin]')}`)
  assert.equal(listed.total, 1)
  const later = await desk.get(`${desk.pathOf(undefined, id)}?start_after=${sent('2026-12-01T10:01[Europe/Berlin]')}`)
  assert.equal(later.total, 0)
})

test('an unescaped + in a query is named as the mistake', async ({ desk, call, key }) => {
  const path = `${desk.pathOf()}?start_after=2026-12-01T10:00:00+01:00[Europe/Berlin]`
  const { status, body } = await call('GET', path, { key })
  assert.equal(status, 400)
  assert.match(body.error.message, /write %2B/)
})

test('of several refused times the first gives the suggestions', async ({ desk, call, key }) => {
  const body = desk.body({ start_time: refused[3]![0], end_time: refused[0]![0] })
  const answer = await call('POST', desk.pathOf(), { key, body })
  assertRefused(answer, 400, 'validation_error', {
    param: 'start_time',
    code: 'ambiguous_local_time',
    suggestions: refused[3]![2],
  })
  assert.equal(answer.body.error.errors.length, 2)
})
