import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../src/testing/receiver.ts'

let service: TestService
let receiver: Receiver

before(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await service.close()
})

test('every occurrence of a series starts, ends and reminds, but for the cancelled one', async () => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  const calendar = await makeCalendar(service, key)
  const series = await makeEvent(service, key, calendar.id, {
    start_time: '2026-03-02T10:00:00Z',
    end_time: '2026-03-02T10:30:00Z',
    recurrence_rule: 'FREQ=DAILY;COUNT=4',
    reminders: [5],
  })
  const path = `/v1/calendars/${calendar.id}/events/${series.id}`
  const cancelled = await service.call('DELETE', `${path}?occurrence_start=2026-03-03T10:00:00Z`, { key })
  assert.equal(cancelled.status, 200)
  assert.deepEqual(cancelled.body.recurrenceExdates, ['2026-03-03T10:00:00.000Z'])
  await service.clock.set('2026-03-10T00:00:00Z')
  await service.drain()
  const seen = receiver.received.map(({ type, payload }) => `${type} ${payload.occurrence_start}`)
  const days = ['2026-03-02', '2026-03-04', '2026-03-05']
  for (const type of ['event.started', 'event.ended', 'event.reminder']) {
    assert.deepEqual(
      seen.filter((line) => line.startsWith(type)).sort(),
      days.map((day) => `${type} ${day}T10:00:00.000Z`),
    )
  }
  const [left] = await service.app.sql<{ left: number }[]>`select count(*)::integer as left from timers`
  assert.equal(left?.left, 0)
})

test('an expanded list shows occurrences with their own times, pages and counts them', async () => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const master = await makeEvent(service, key, calendar.id, {
    start_time: '2026-03-12T10:00:00Z',
    end_time: '2026-03-12T11:00:00Z',
    recurrence_rule: 'FREQ=DAILY',
  })
  const single = await makeEvent(service, key, calendar.id, {
    start_time: '2026-03-13T09:00:00Z',
    end_time: '2026-03-13T09:30:00Z',
  })
  const list = `/v1/calendars/${calendar.id}/events`
  const query = 'expand=true&start_after=2026-03-12T00:00:00Z&start_before=2026-03-15T00:00:00Z'
  const { body } = await service.call('GET', `${list}?${query}`, { key })
  assert.equal(body.total, 4)
  assert.deepEqual(
    body.data.map((item: { id: string; startTime: string }) => [item.id, item.startTime]),
    [
      [master.id, '2026-03-12T10:00:00.000Z'],
      [single.id, '2026-03-13T09:00:00.000Z'],
      [master.id, '2026-03-13T10:00:00.000Z'],
      [master.id, '2026-03-14T10:00:00.000Z'],
    ],
  )
  assert.equal(body.data[2].recurringEventId, master.id)
  assert.equal(body.data[2].originalStartTime, '2026-03-13T10:00:00.000Z')
  assert.equal('recurringEventId' in body.data[1], false)
  const second = await service.call('GET', `${list}?${query}&limit=2&offset=2`, { key })
  assert.deepEqual(second.body.data, body.data.slice(2))
  const plain = await service.call('GET', list, { key })
  assert.equal(plain.body.total, 2)
})

test('the context shows what is on, what comes and what has been', async () => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const now = service.clock.now().getTime()
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  const past = await makeEvent(service, key, calendar.id, { start_time: at(-60), end_time: at(-30) })
  const current = await makeEvent(service, key, calendar.id, { start_time: at(-10), end_time: at(10) })
  const next = await makeEvent(service, key, calendar.id, {
    start_time: at(30),
    end_time: at(40),
    recurrence_rule: 'FREQ=DAILY;COUNT=5',
  })
  const { status, body } = await service.call('GET', `/v1/calendars/${calendar.id}/context`, { key })
  assert.equal(status, 200)
  assert.equal(body.current_event.id, current.id)
  assert.equal(body.next_event.id, next.id)
  assert.deepEqual(
    body.recent_events.map(({ id }: { id: string }) => id),
    [past.id],
  )
  assert.deepEqual(
    body.upcoming.map(({ id }: { id: string }) => id),
    [next.id],
  )
})
