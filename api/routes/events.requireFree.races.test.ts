// Requests for the same time at the same instant, from two processes: of those that ask for it to be free, one gets it.
import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answer.ts'
import { ahead, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv } from '../../src/testing/guests.ts'
import { serviceTest } from '../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = serviceTest({ plan: 'custom', env: guestEnv }).extend(
  'calendar',
  ({ service, key }): Promise<Any> => makeCalendar(service, key),
)

const outcomes = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim())].map(([kind, all]) => [
      kind,
      all.length,
    ]),
  )

const overlaps = (a: Any, b: Any) => a.startTime < b.endTime && b.startTime < a.endTime

for (const explain of ['', '?explain=true']) {
  test(`of 100 creates of one slot one is written, and the others name it${explain}`, async ({
    service,
    second,
    key,
    calendar,
  }) => {
    const body = { title: 'E', start_time: ahead(service, 60), end_time: ahead(service, 90), require_free: true }
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (n % 2 ? service : second).call('POST', `/v1/calendars/${calendar.id}/events${explain}`, { key, body }),
      ),
    )
    assert.deepEqual(outcomes(answers), { 201: 1, '409 not_free': 99 })
    const winner = answers.find(({ status }) => status === 201)!.body.id
    for (const { status, body: refusal } of answers) {
      if (status === 409 && explain) assert.equal(refusal.error.conflict.event_id, winner)
    }
  })
}

test('no two that both asked overlap, whatever else changes the calendar', async ({
  service,
  second,
  key,
  calendar,
}) => {
  const page = (
    await service.call('POST', '/v1/booking-pages', {
      key,
      body: { calendar_id: calendar.id, title: 'P', duration_minutes: 30 },
    })
  ).body
  const path = `/v1/calendars/${calendar.id}/events`
  const times = (minute: number) => ({ start_time: ahead(service, minute), end_time: ahead(service, minute + 30) })
  const moved = await Promise.all(
    Array.from({ length: 8 }, (_, n) => makeEvent(service, key, calendar.id, times(2_000 + n * 60))),
  )
  const holds = await Promise.all(
    Array.from({ length: 8 }, (_, n) => makeHold(service, key, calendar.id, times(60 + n * 45))),
  )
  const starts: string[] = (
    await service.call('GET', `/book/${page.slug}/slots`, { headers: { 'x-forwarded-for': '10.9.9.9' } })
  ).body.slots.map(({ start }: { start: string }) => start)
  const call = (n: number) => (n % 2 ? service : second).call
  const work: (() => Promise<Answer>)[] = []
  for (let n = 0; n < 40; n++) {
    const title = 'asked'
    work.push(() => call(n)('POST', path, { key, body: { title, ...times(60 + (n % 20) * 20), require_free: true } }))
    work.push(() => call(n + 1)('POST', path, { key, body: { title: 'plain', ...times(5_000 + n * 60) } }))
    if (n >= 8) continue
    work.push(() =>
      call(n)('PATCH', `/v1/events/${moved[n].id}`, {
        key,
        body: { title, ...times(70 + n * 50), require_free: true },
      }),
    )
    work.push(() => call(n)('PUT', `/v1/events/${holds[n].id}/confirm?require_free=true`, { key }))
    work.push(() => bookSlot(service, page.slug, starts[n * 2]!))
    work.push(() =>
      call(n)('POST', path, {
        key,
        body: {
          title,
          ...times(65 + n * 45),
          require_free: true,
          status: 'hold',
          hold_expires_at: ahead(service, 5),
          hold_priority: n % 3,
        },
      }),
    )
  }
  const answers = await Promise.all(work.map((one) => one()))
  for (const { status, body } of answers) assert.ok(status < 500, JSON.stringify(body))
  const { body: list } = await service.call('GET', `${path}?limit=200`, { key })
  const standing = list.data.filter(({ status, title }: Any) => status !== 'cancelled' && title !== 'plain')
  const isAsked = new Set(
    answers
      .filter(({ status, body }) => status < 300 && body.title !== 'plain')
      .map(({ body }) => body.id ?? body.event.id),
  )
  const asked = standing.filter(({ id }: Any) => isAsked.has(id))
  assert.ok(asked.length >= 5, `${asked.length} were written`)
  for (const [n, one] of asked.entries()) {
    for (const other of asked.slice(n + 1)) assert.ok(!overlaps(one, other), JSON.stringify([one, other]))
  }
})

test('requests for different times of one calendar are all written', async ({ service, second, key, calendar }) => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      (n % 2 ? service : second).call('POST', `/v1/calendars/${calendar.id}/events`, {
        key,
        body: {
          title: 'E',
          start_time: ahead(service, n * 30),
          end_time: ahead(service, n * 30 + 30),
          require_free: true,
        },
      }),
    ),
  )
  assert.deepEqual(outcomes(answers), { 201: 60 })
})

test('buffers hold between creates that come at once', async ({ service, key, calendar }) => {
  const rules = { buffer_before_minutes: 20, buffer_after_minutes: 20 }
  const set = await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key, body: rules })
  assert.equal(set.status, 200)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      service.call('POST', `/v1/calendars/${calendar.id}/events`, {
        key,
        body: {
          title: 'E',
          start_time: ahead(service, n * 30),
          end_time: ahead(service, n * 30 + 30),
          require_free: true,
        },
      }),
    ),
  )
  const starts = answers.flatMap(({ status, body }) => (status === 201 ? [Date.parse(body.startTime)] : [])).sort()
  assert.deepEqual(Object.keys(outcomes(answers)).sort(), ['201', '409 not_free'])
  assert.ok(starts.length >= 10, `${starts.length} were written`)
  const gaps = starts.slice(1).map((start, n) => (start - starts[n]!) / 60_000)
  assert.ok(Math.min(...gaps) >= 50, `${gaps}`)
})

test('creates of one calendar that come at once answer whoever asked', async ({ service, key, calendar }) => {
  const titles = Array.from({ length: 40 }, (_, n) => `Event ${n}`)
  const answers = await Promise.all(
    titles.map((title, n) =>
      service.call('POST', `/v1/calendars/${calendar.id}/events`, {
        key,
        body: {
          title,
          start_time: ahead(service, (n % 20) * 30),
          end_time: ahead(service, (n % 20) * 30 + 30),
          require_free: true,
        },
      }),
    ),
  )
  assert.deepEqual(outcomes(answers), { 201: 20, '409 not_free': 20 })
  for (const [n, { status, body }] of answers.entries()) {
    if (status === 201) assert.equal(body.title, titles[n])
  }
})
