// Merging the first suggestion is enough, even if a call has other faults.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeEvent } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = serviceTest()
  .extend('agent', perFile, async ({ service, key }): Promise<Any> => {
    await service.clock.set('2026-11-29T13:03:00Z')
    return makeAgent(service, key, { name: 'Ada' })
  })
  .extend('calendar', perFile, ({ service, key, agent }): Promise<Any> => {
    return makeCalendar(service, key, agent.id, { name: 'Days', timezone: 'Europe/Berlin' })
  })
  .extend('use', perFile, ({ service, key, calendar: _ }) => (tool: string, args: object): Promise<Any> => {
    return callMcp(service, tool, { ...args }, { key, query: '?profile=full' })
  })
  .extend(
    'refused',
    perFile,
    ({ use }) =>
      async (tool: string, args: object): Promise<Any> =>
        mcpError(await use(tool, args)),
  )
  .extend('repaired', perFile, ({ use, refused }) => async (tool: string, args: object): Promise<Any> => {
    const error = await refused(tool, args)
    const again = await use(tool, { ...args, ...error.suggestions?.[0].arguments })
    assert.equal(again.isError, undefined, `${JSON.stringify(error)}\n${again.content[0].text}`)
    return { ...again.structuredContent, error }
  })
  .extend('take', perFile, ({ service, key, calendar }) => (day: string, title = 'Taken'): Promise<Any> => {
    const times = { start_time: `${day}T09:00:00+01:00`, end_time: `${day}T09:30:00+01:00` }
    return makeEvent(service, key, calendar.id, { title, ...times })
  })

const book = (start_time: string, more: object = {}) => ({ title: 'Review', start_time, ...more })

test('of a wrong weekday, the nearest day is suggested with a time that is free', async ({ repaired, take }) => {
  await take('2026-12-01')
  const { event, error } = await repaired('create_event', book('2026-11-30T09:00', { weekday: 'tue' }))
  assert.equal(error.code, 'weekday_mismatch')
  assert.equal(event.start, '2026-12-01T09:30:00+01:00')
  assert.deepEqual(error.suggestions[0].when, 'Tue 1 Dec 2026 09:30-10:00 Europe/Berlin (in 2 days)')
})

test('of last year, the coming one is suggested with a time that is free, and with its weekday', async ({
  repaired,
  take,
}) => {
  await take('2026-12-02')
  const { event, error } = await repaired('create_event', book('2025-12-02T09:00'))
  assert.deepEqual([error.code, error.suggestions.at(-1).arguments], ['in_past', { allow_past: true }])
  assert.equal(event.start, '2026-12-02T09:30:00+01:00')
  // 3 December was a Wednesday in 2025 and is a Thursday in 2026: the year is wrong, and the weekday is not.
  const other = await repaired('create_event', book('2025-12-03T10:00', { weekday: 'thu' }))
  assert.deepEqual([other.error.code, other.event.start], ['weekday_mismatch', '2026-12-03T10:00:00+01:00'])
  const both = await repaired('create_event', book('2025-12-04T10:00', { weekday: 'mon' }))
  assert.match(both.event.start, /^2026-12-(07|10|11|08)T10:00/)
})

test('a time that is corrected is not suggested where it is taken', async ({ repaired, take }) => {
  await take('2026-12-08')
  const wrong = book('2026-12-08T09:00:00+02:00', { timezone: 'Europe/Berlin', duration_minute: 30 })
  const { event, error } = await repaired('create_event', wrong)
  assert.equal(error.param, 'duration_minute')
  assert.match(error.message, /Unknown argument `duration_minute`.*offset/)
  assert.equal(event.start, '2026-12-08T09:30:00+01:00')
})

test('what is booked already is not suggested at another time', async ({ refused, use }) => {
  const at = book('2026-12-09T09:00')
  await use('create_event', at)
  const error = await refused('create_event', {
    ...at,
    start_time: '2026-12-09T09:00:00+03:00',
    timezone: 'Europe/Berlin',
  })
  assert.equal(error.code, 'offset_mismatch')
  assert.equal(error.suggestions[0].arguments.start_time, '2026-12-09T09:00:00+01:00')
})

test('all wrong times of a proposal are told at once', async ({ repaired, agent }) => {
  const slots = [
    { start_time: '2027-03-28T02:30', end_time: '2027-03-28T04:00' },
    { start_time: '2027-10-31T01:30', end_time: '2027-10-31T02:30' },
    { start_time: '2026-12-01T09:00:00+05:00', end_time: '2026-12-01T10:00:00+01:00' },
  ]
  const people = { organizer_agent_id: agent.id, participant_agent_ids: [agent.id] }
  const sent = { title: 'Review', ...people, slots, timezone: 'Europe/Berlin' }
  const { proposal, error } = await repaired('create_proposal', sent)
  assert.deepEqual([error.code, error.param], ['nonexistent_local_time', 'slots.0.start_time'])
  assert.match(error.message, /slots\.0\.start_time: .*slots\.1\.end_time: .*slots\.2\.start_time: /)
  assert.equal(proposal.slots.length, 3)
})

test('trying a suggestion changes nothing and spends nothing', async ({ service, key, refused, use, agent }) => {
  const counts = async () => {
    const { usage } = (await use('get_usage', {})).structuredContent
    const { body: log } = await service.call('GET', '/v1/audit-log?limit=1', { key })
    return [JSON.stringify(usage).replace(/"api_calls":[^}]*/, ''), log.data[0].id]
  }
  const before = await counts()
  await refused('create_event', book('2027-01-05T09:00', { weekday: 'mon', idempotency_key: 'once' }))
  await refused('create_agent', { name: 'New', type: 'ai', colour: 'red' })
  await refused('delete_agent', { agent_id: 'Ada' })
  await refused('create_webhook', { url: 'https://example.com/hook', event: ['event.created'] })
  assert.deepEqual(await counts(), before)
  const kept = await use('create_event', book('2027-01-05T09:00', { idempotency_key: 'once' }))
  assert.deepEqual([kept.isError, kept.structuredContent?.replayed], [undefined, undefined])
  const { agents } = (await use('list_agents', {})).structuredContent
  assert.deepEqual(
    agents.map(({ id }: Any) => id),
    [agent.id],
  )
})

test('a title in place of an id is answered with the id', async ({ repaired, refused, use, take, calendar, agent }) => {
  const { id } = await take('2027-02-01', 'Stand-up with Bo')
  const { error, event } = await repaired('get_event', { event_id: 'stand-up' })
  assert.deepEqual([error.type, error.code, error.param, event.id], ['not_found', 'event_not_found', 'event_id', id])
  assert.match(error.next_step, /list_events/)
  assert.deepEqual(error.suggestions[0].note, 'Stand-up with Bo')
  assert.match(error.suggestions[0].when, /^Mon 1 Feb 2027/)
  assert.equal((await repaired('update_event', { event_id: 'Stand-up with Bo', title: 'New' })).event.title, 'New')
  await use('create_booking_page', { calendar_id: calendar.id, title: 'Half an hour' })
  assert.equal(
    (await repaired('get_booking_page', { booking_page_id: 'half an hour' })).booking_page.title,
    'Half an hour',
  )
  await use('subscribe_ical', { calendar_id: calendar.id, url: 'https://example.com/a.ics', label: 'Holidays' })
  assert.equal(
    (await repaired('get_ical_subscription', { subscription_id: 'Holidays' })).subscription.label,
    'Holidays',
  )
  await use('create_webhook', { url: 'https://example.com/hook', events: ['event.created'] })
  assert.ok((await repaired('get_webhook', { webhook_id: 'https://example.com/hook' })).webhook)
  await use('create_scoped_key', { agent_id: agent.id, label: 'Laptop' })
  assert.equal((await repaired('revoke_scoped_key', { key_id: 'laptop' })).key.label, 'Laptop')
  assert.equal((await refused('get_proposal', { proposal_id: 'Nothing' })).suggestions, undefined)
})

test('what the suggestion does not mend is told beside it', async ({ refused }) => {
  const error = await refused('create_event', book('2026-12-21T09:00', { hold_priority: -1 }))
  assert.deepEqual([error.param, error.suggestions[0].arguments], ['hold_priority', { hold_priority: 0 }])
  assert.match(error.message, /only with status "hold"/)
})
