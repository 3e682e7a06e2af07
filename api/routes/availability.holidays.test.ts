// Feeds of holidays in availability rules.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { vcalendar, vevent } from '../../src/testing/feedServer.ts'
import { at, importTest } from '../../src/testing/imports.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = importTest()

const wholeDays = (from: string, to: string) => ({
  'DTSTART;VALUE=DATE': from,
  'DTEND;VALUE=DATE': to,
  SUMMARY: 'Holiday',
})
const window = 'start=2026-03-04T00:00:00Z&end=2026-03-11T00:00:00Z'

test('whole days of a feed are closed as dates, until the feed changes or is removed', async ({
  service,
  desk,
  feeds,
}) => {
  const { key } = desk
  const monday = vevent('monday', wholeDays('20260309', '20260310'))
  feeds.body = vcalendar(
    vevent('two', { ...wholeDays('20260305', '20260307'), TRANSP: 'TRANSPARENT' }),
    vevent('meeting', at(9, 'No holiday')),
    monday,
  )
  const id = await desk.subscribed()
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const rulesPath = `/v1/calendars/${calendar.id}/availability-rules`
  const set = await service.call('PUT', rulesPath, {
    key: await makeAgentKey(service, key, agent.id),
    body: {
      timezone: 'America/New_York',
      holiday_subscription_ids: [id, id],
      dates: [{ from: '2026-03-09', hours: [{ start: '00:00', end: '24:00' }] }],
    },
  })
  assert.deepEqual([set.status, set.body.holiday_subscription_ids], [200, [id]], JSON.stringify(set.body))
  const ask = async (query = '', path = `/v1/calendars/${calendar.id}/availability`) => {
    const { body } = await service.call('GET', `${path}?${window}&duration=2h&include_busy=true${query}`, { key })
    return body
  }
  const cause = (date: string) => ({ kind: 'holiday', calendar_id: calendar.id, date })
  const [start, end] = ['2026-03-05T05:00:00.000Z', '2026-03-07T05:00:00.000Z']
  assert.deepEqual((await ask()).busy, [{ start, end }])
  assert.deepEqual((await ask('&explain=true')).blocked, [
    { start, end: '2026-03-06T05:00:00.000Z', by: [cause('2026-03-05')] },
    { start: '2026-03-06T05:00:00.000Z', end, by: [cause('2026-03-06')] },
  ])
  const event = { title: 'E', start_time: '2026-03-05T04:30:00Z', end_time: '2026-03-05T05:30:00Z', require_free: true }
  const refused = await service.call('POST', `/v1/calendars/${calendar.id}/events?explain=true`, { key, body: event })
  assert.deepEqual([refused.status, refused.body.error.conflict.kind], [409, 'holiday'])

  feeds.body = vcalendar(vevent('two', wholeDays('20260305', '20260306')), monday)
  await desk.syncedAgain(id)
  assert.deepEqual((await ask()).busy, [{ start, end: '2026-03-06T05:00:00.000Z' }])
  const ofAgent = (await ask('', `/v1/agents/${agent.id}/availability`)).per_agent_busy
  assert.deepEqual(ofAgent, { [agent.id]: [{ start, end: '2026-03-06T05:00:00.000Z' }] })

  await service.call('DELETE', `/v1/ical-subscriptions/${id}`, { key })
  assert.deepEqual((await ask()).busy, [])
  const { body } = await service.call('GET', rulesPath, { key })
  assert.deepEqual([body.holiday_subscription_ids, body.dates.length], [undefined, 1])
})

test('a feed of another organization is unknown', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', wholeDays('20260305', '20260306')))
  const id = await desk.subscribed()
  const other = await makeOrganization(service)
  const calendar = await makeCalendar(service, other.key)
  const answer = await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, {
    key: other.key,
    body: { holiday_subscription_ids: [id] },
  })
  assertRefused(answer, 404, 'not_found', { param: 'holiday_subscription_ids.0' })
})
