import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

const moments: [query: string, at: string, expected: object][] = [
  [
    'tz=Europe/Berlin',
    '2026-12-01T09:00:30Z',
    {
      local: {
        timezone: 'Europe/Berlin',
        weekday: 'Tuesday',
        date: '2026-12-01',
        time: '10:00',
        utc_offset: '+01:00',
        text: 'Tuesday 1 December 2026, 10:00 (Europe/Berlin, UTC+01:00)',
      },
      iso_week: '2026-W49',
      next_offset_change: { at: '2027-03-28T01:00:00.000Z', utc_offset: '+02:00' },
    },
  ],
  [
    'tz=Asia/Tokyo&at=2027-01-03T15:00:00Z',
    '2026-12-01T09:00:00Z',
    {
      local: {
        timezone: 'Asia/Tokyo',
        weekday: 'Monday',
        date: '2027-01-04',
        time: '00:00',
        utc_offset: '+09:00',
        text: 'Monday 4 January 2027, 00:00 (Asia/Tokyo, UTC+09:00)',
      },
      iso_week: '2027-W01',
      next_offset_change: null,
    },
  ],
]
for (const [query, at, expected] of moments) {
  test(`the time for ${query}`, async ({ service, call, key }) => {
    await service.clock.set(new Date(at))
    const { status, body } = await call('GET', `/v1/time?${query}`, { key })
    assert.equal(status, 200)
    assert.deepEqual(body, { now: new Date(at).toISOString(), ...expected })
  })
}

test('`at` may be a local time of another zone, and any year', async ({ call, key }) => {
  const localAt = async (at: string, tz = 'UTC') => {
    const { status, body } = await call('GET', `/v1/time?tz=${tz}&at=${encodeURIComponent(at)}`, { key })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  assert.equal((await localAt('2026-07-01T12:00[America/New_York]')).local.time, '16:00')
  assert.equal((await localAt('0001-01-01T00:00:00Z', 'America/New_York')).local.date, '0000-12-31')
  const last = await localAt('9999-12-31T23:59:59Z', 'Asia/Tokyo')
  assert.deepEqual([last.local.date, last.next_offset_change], ['+010000-01-01', null])
})

test('what cannot be answered is refused', async ({ service, call, key }) => {
  for (const [query, param, code] of [
    ['', 'tz'],
    ['tz=', 'tz'],
    ['tz=Mars/One', 'tz'],
    ['tz=UTC&tz=UTC', 'tz'],
    ['tz=UTC&at=', 'at', 'invalid_time_format'],
    ['tz=UTC&at=2026-12-01T10:00:00', 'at', 'invalid_time_format'],
    ['tz=UTC&view=local', 'view'],
  ] as const) {
    const answer = await call('GET', `/v1/time?${query}`, { key })
    assertRefused(answer, 400, 'validation_error', code ? { param, code } : { param })
  }
  assertRefused(await call('GET', '/v1/time?tz=UTC'), 401, 'authentication_error')
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assert.equal((await call('GET', '/v1/time?tz=UTC', { key: agentKey })).status, 200)
})
