// Strange questions about free time: each is refused by its name, and none is an error of ours.
import assert from 'node:assert/strict'
import { availabilityTest, morning } from '../../src/testing/availability.ts'
import { makeAgent, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { perFile } from '../../src/testing/test.ts'

const test = availabilityTest().extend('paths', perFile, async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id, {
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-09T00:00:00Z',
    recurrence_rule: 'FREQ=DAILY',
  })
  return {
    calendar: `/v1/calendars/${calendar.id}/availability?`,
    agent: `/v1/agents/${agent.id}/availability?`,
    agents: `/v1/availability?agents=${agent.id}&`,
  }
})

const times = `start=${morning.start}&end=${morning.end}`

/** Each with the parameter that it is refused for. */
const refused: [query: string, param: string][] = [
  ['explain=TRUE', 'explain'],
  ['explain=1', 'explain'],
  ['explain=', 'explain'],
  ['explain=true&explain=true', 'explain'],
  ['explain[]=true', 'explain[]'],
  ['Explain=true', 'Explain'],
  ['best=0', 'best'],
  ['best=51', 'best'],
  ['best=-1', 'best'],
  ['best=1.5', 'best'],
  ['best=1e1', 'best'],
  ['best=', 'best'],
  ['best=99999999999999999999', 'best'],
  ['best=3&best=4', 'best'],
  ['best=3&rank=fastest', 'rank'],
  ['best=3&rank=', 'rank'],
  ['best=3&step=7', 'step'],
  ['best=3&step=015', 'step'],
  ['best=3&prefer=25:00-26:00', 'prefer'],
  ['best=3&prefer=22:00-02:00', 'prefer'],
  ['best=3&prefer=09:00-09:00', 'prefer'],
  ['best=3&prefer=9:00-10:00', 'prefer'],
  ['best=3&prefer=09:00', 'prefer'],
  ['best=3&prefer=09:00-24:00', 'prefer'],
  ['best=3&tz=Mars/Olympus', 'tz'],
  ['best=3&tz=', 'tz'],
  ['rank=soonest', 'rank'],
  ['step=15', 'step'],
  ['prefer=09:00-10:00', 'prefer'],
  ['tz=UTC', 'tz'],
  ['seats=2', 'seats'],
]

test('what no question may say is refused by its name', async ({ call, key, paths }) => {
  for (const path of Object.values(paths)) {
    for (const [query, param] of refused) {
      const { status, body } = await call('GET', `${path}${times}&${query}`, { key })
      assert.deepEqual([status, body.error?.type, body.error?.param], [400, 'validation_error', param], query)
    }
  }
})

test('every answer to a long or a short window is an answer', async ({ call, key, paths }) => {
  const windows = [
    'start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z',
    'start=0001-01-01T00:00:00Z&end=0001-12-31T00:00:00Z',
    'start=9999-01-01T00:00:00Z&end=9999-12-31T23:59:59.999Z',
    'start=2026-03-03T09:00:00Z&end=2026-03-03T09:00:00.001Z',
  ]
  for (const path of Object.values(paths).slice(0, 2)) {
    for (const window of windows) {
      for (const query of [
        'explain=true',
        'explain=true&include_busy=true&duration=2h',
        'best=50&step=5&rank=spread&prefer=00:00-23:59&tz=Asia/Kathmandu',
        'best=50&rank=compact&explain=true&tz=America/St_Johns',
      ]) {
        const { status, body } = await call('GET', `${path}${window}&${query}`, { key })
        assert.equal(status, 200, `${window} ${query} ${JSON.stringify(body)}`)
      }
      const { status, body } = await call('GET', `${path.replace('?', '/check?')}${window}`, { key })
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.free, body.blocked_by.length === 0)
    }
    for (const query of [
      '',
      `start=${morning.end}&end=${morning.start}`,
      `start=${morning.start}&end=${morning.start}`,
      `${times}&seats=1`,
    ]) {
      assert.equal((await call('GET', `${path.replace('?', '/check?')}${query}`, { key })).status, 400, query)
    }
    const tooLong = 'start=2026-01-01T00:00:00Z&end=2027-01-03T00:00:00Z'
    assert.equal((await call('GET', `${path.replace('?', '/check?')}${tooLong}`, { key })).status, 400)
  }
})

test('strange events are judged or refused', async ({ service, call, key }) => {
  const { id } = await makeCalendar(service, key)
  const bodies: [object, number][] = [
    [{ start_time: '9999-12-31T23:00:00Z', end_time: '9999-12-31T23:59:59.999Z' }, 201],
    [{ start_time: '0001-01-01T00:00:00Z', end_time: '0001-01-01T00:00:00.001Z' }, 201],
    [{ start_time: '9999-12-31T23:00:00Z', end_time: '9999-12-31T23:59:00Z' }, 409],
    [{ start_time: '0001-01-01T00:00:00Z', end_time: '0001-01-01T00:00:01Z' }, 409],
    [{ start_time: '0001-01-01T00:00:00Z', end_time: '9999-12-31T00:00:00Z' }, 400],
    [{ start_time: '9999-12-01T23:00:00Z', end_time: '9999-12-01T23:30:00Z', recurrence_rule: 'FREQ=DAILY' }, 409],
    [{ start_time: '2026-03-03T00:00:00Z', end_time: '2026-03-10T00:00:00Z', recurrence_rule: 'FREQ=DAILY' }, 201],
    [{ start_time: '2026-05-03T00:00:00.000Z', end_time: '2026-05-03T00:00:00.001Z' }, 409],
  ]
  for (const [body, expected] of bodies) {
    const answer = await call('POST', `/v1/calendars/${id}/events?explain=true`, {
      key,
      body: { title: 'E', ...body, require_free: true },
    })
    assert.equal(answer.status, expected, JSON.stringify([body, answer.body]))
    if (expected === 409) assert.ok(answer.body.error.conflicts >= 1 && answer.body.error.alternatives.length <= 5)
  }
})
