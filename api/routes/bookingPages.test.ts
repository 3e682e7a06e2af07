// Booking as a program does it.
import assert from 'node:assert/strict'
import { decodeId, encodeId, type Prefix, type Uuid } from '../../src/shapes/ids.ts'
import { ahead, makeEvent, makeHold, makeWebhook } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** 2026-03-02 is a Monday, and the set time is 09:00. */
const at = (time: string, day = '02') => `2026-03-${day}T${time}:00.000Z`
const nowhere = '/book/AAAAAAAAAAAAAAAAAAAAAA'

const uuidOf = (prefix: Prefix, id: string) => decodeId(prefix, id)!

const test = serviceTest({ env: guestEnv }).extend('desk', perFile, ({ service }) => {
  const eventsOf = async (key: string, calendarId: string) =>
    (await service.call('GET', `/v1/calendars/${calendarId}/events`, { key })).body.data
  const countOf = async (key: string, pageId: string) =>
    (await service.call('GET', `/v1/booking-pages/${pageId}`, { key })).body.bookings_count
  return { eventsOf, countOf }
})

test('the slots of a page come with what a guest needs to know of it', async ({ service }) => {
  const { page } = await makePage(service, { description: 'Half an hour', duration_minutes: 480, window_days: 1 })
  const { status, body } = await service.call('GET', `/book/${page.slug}/slots`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    booking_page: {
      slug: page.slug,
      title: 'Chat',
      description: 'Half an hour',
      duration_minutes: 480,
      timezone: 'UTC',
    },
    slots: [
      { start: at('16:00'), end: at('00:00', '03') },
      { start: at('00:00', '03'), end: at('08:00', '03') },
    ],
  })
})

test('from and to narrow the slots; to must come after from', async ({ service }) => {
  const { page } = await makePage(service)
  const query = `?from=${at('12:10')}&to=${at('13:30')}`
  assert.deepEqual(await startsOf(service, page.slug, query), [at('12:30'), at('13:00')])
  assert.deepEqual(await startsOf(service, page.slug, '?from=2027-01-01T00:00:00Z'), [])
  const slots = `/book/${page.slug}/slots`
  for (const [wrong, param, code] of [
    [`?from=${at('12:00')}&to=${at('12:00')}`, 'to', undefined],
    ['?from=tomorrow', 'from', 'invalid_time_format'],
    ['?to=2026-03-02T12:00:00', 'to', 'invalid_time_format'],
  ] as const) {
    const refusal = await service.call('GET', slots + wrong)
    assertRefused(refusal, 400, 'validation_error', { param, ...(code && { code }) })
  }
})

test('events, living holds, series and what the calendar closes are not offered', async ({
  service,
  desk: { countOf },
}) => {
  const hours = { mon: { start: '09:00', end: '15:00' } }
  const { key, calendar, page } = await makePage(service, { availability_constraints: hours, window_days: 5 })
  await makeEvent(service, key, calendar.id, { start_time: at('09:40'), end_time: at('10:00') })
  await makeEvent(service, key, calendar.id, { start_time: at('10:00'), end_time: at('10:10'), status: 'cancelled' })
  await makeEvent(service, key, calendar.id, { start_time: at('11:00'), end_time: at('11:30'), status: 'tentative' })
  await makeHold(service, key, calendar.id, { start_time: at('12:00'), end_time: at('12:30') })
  const series = { start_time: '2026-02-23T13:00:00Z', end_time: '2026-02-23T13:30:00Z' }
  await makeEvent(service, key, calendar.id, { ...series, recurrence_rule: 'FREQ=DAILY' })
  const rules = { working_hours: { mon: { start: '09:00', end: '14:00' } } }
  await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key, body: rules })
  const free = ['09:00', '10:00', '10:30', '11:30', '12:30', '13:30'].map((time) => at(time))
  assert.deepEqual(await startsOf(service, page.slug), free)
  const taken = ['09:30', '11:00', '12:00', '13:00', '14:00', '14:30']
  for (const time of taken) {
    assertRefused(await bookSlot(service, page.slug, at(time)), 409, 'conflict', { param: 'start' })
  }
  assert.equal(await countOf(key, page.id), 0)
})

test('a hold that lapses gives its slot free', async ({ service }) => {
  const { key, calendar, page } = await makePage(service)
  const start = at('12:00')
  await makeHold(service, key, calendar.id, {
    start_time: start,
    end_time: at('12:30'),
    hold_expires_at: ahead(service, 1),
  })
  assert.equal((await bookSlot(service, page.slug, start)).status, 409)
  await service.clock.advance(60_000)
  assert.ok((await startsOf(service, page.slug)).includes(start))
  assert.equal((await bookSlot(service, page.slug, start)).status, 201)
  await service.clock.set(testStart)
})

test("the buffer widens events on both sides, on top of the calendar's own, and no hours", async ({ service }) => {
  const hours = { mon: { start: '09:00', end: '13:00' } }
  const page = { availability_constraints: hours, window_days: 5, buffer_minutes: 15, duration_minutes: 15 }
  const made = await makePage(service, page)
  await makeEvent(service, made.key, made.calendar.id, { start_time: at('10:30'), end_time: at('11:00') })
  const all = ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15', '10:30', '10:45', '11:00', '11:15', '11:30']
  const rest = ['11:45', '12:00', '12:15', '12:30', '12:45']
  const without = (...gone: string[]) =>
    [...all, ...rest].filter((time) => !gone.includes(time)).map((time) => at(time))
  assert.deepEqual(await startsOf(service, made.page.slug), without('10:15', '10:30', '10:45', '11:00'))
  const rules = { buffer_before_minutes: 15, buffer_after_minutes: 30, working_hours: hours }
  await service.call('PUT', `/v1/calendars/${made.calendar.id}/availability-rules`, { key: made.key, body: rules })
  const widened = ['10:00', '10:15', '10:30', '10:45', '11:00', '11:15', '11:30']
  assert.deepEqual(await startsOf(service, made.page.slug), without(...widened))
  for (const time of ['10:00', '11:30']) assert.equal((await bookSlot(service, made.page.slug, at(time))).status, 409)
  assert.equal((await bookSlot(service, made.page.slug, at('11:45'))).status, 201)
  assert.equal((await bookSlot(service, made.page.slug, at('09:45'))).status, 201)
})

test('a booking is a confirmed event that says who booked and by which page', async ({
  service,
  receiver,
  desk: { eventsOf, countOf },
}) => {
  const { key, calendar, page } = await makePage(service)
  await makeWebhook(service, key, receiver.url, ['event.created', 'event.reminder', 'event.started', 'event.ended'])
  receiver.received.length = 0
  const notes = 'Line one\nline two'
  const { status, body } = await bookSlot(service, page.slug, at('12:00'), { notes })
  assert.equal(status, 201)
  assert.deepEqual(body, { booking_page_id: page.id, event: { id: body.event.id, status: 'confirmed' } })
  const [event] = await eventsOf(key, calendar.id)
  const guest = { name: 'Ada Guest', email: 'ada@example.com', notes }
  assert.deepEqual(
    [event.id, event.title, event.startTime, event.endTime, event.status, event.source, event.metadata],
    [
      ...[body.event.id, 'Chat: Ada Guest', at('12:00'), at('12:30'), 'confirmed', 'internal'],
      { booking_page_id: page.id, booking: guest },
    ],
  )
  assert.equal(await countOf(key, page.id), 1)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload),
    [{ calendar_id: calendar.id, event, booking_page_id: page.id }],
  )
  await service.clock.set(at('12:30'))
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created', 'event.reminder', 'event.started', 'event.ended'])
  await service.clock.set(testStart)
})

test('notes may be left out or empty', async ({ service, desk: { eventsOf } }) => {
  const { key, calendar, page } = await makePage(service)
  assert.equal((await bookSlot(service, page.slug, at('12:00'))).status, 201)
  assert.equal((await bookSlot(service, page.slug, at('13:00'), { notes: '' })).status, 201)
  for (const { metadata } of await eventsOf(key, calendar.id)) assert.equal(metadata.booking.notes, null)
})

test('what a page does not offer is refused by the start', async ({ service, desk: { eventsOf } }) => {
  const { key, calendar, page } = await makePage(service, {
    availability_constraints: { mon: { start: '10:00', end: '12:00' } },
    timezone: 'Europe/Berlin',
    window_days: 7,
    min_notice_minutes: 30,
  })
  const cases: [why: string, start: string][] = [
    ['off the grid', at('09:45')],
    ['off the grid by a millisecond', '2026-03-02T10:00:00.001Z'],
    ['before the opening', at('08:30')],
    ['after the last slot', at('11:00')],
    ['on a closed day', at('10:00', '03')],
    ['within the notice', at('09:00')],
    ['past the window', at('10:00', '09')],
    ['in the past', '2026-02-23T10:00:00Z'],
  ]
  for (const [why, start] of cases) {
    const refusal = await bookSlot(service, page.slug, start)
    assert.equal(refusal.status, 400, why)
    assertRefused(refusal, 400, 'validation_error', { param: 'start' })
  }
  assert.deepEqual(await eventsOf(key, calendar.id), [])
  assert.deepEqual(await startsOf(service, page.slug), [at('09:30'), at('10:00'), at('10:30')])
  assert.equal((await bookSlot(service, page.slug, '2026-03-02T11:30:00+01:00')).status, 201)
})

const wrong: [what: string, body: object, param: string, code?: string][] = [
  ['without a name', { name: undefined }, 'name'],
  ['with a name of blanks', { name: '  ' }, 'name'],
  ['with a name of 201 characters', { name: 'a'.repeat(201) }, 'name'],
  ['without an e-mail address', { email: undefined }, 'email'],
  ['with a wrong e-mail address', { email: 'ada' }, 'email'],
  ['with an e-mail address of 321 characters', { email: `${'a'.repeat(309)}@example.com` }, 'email'],
  ['with notes of 2,001 characters', { notes: 'a'.repeat(2001) }, 'notes'],
  ['with notes that are no text', { notes: ['a'] }, 'notes'],
  ['without a start', { start: undefined }, 'start'],
  ['with a start without offset', { start: '2026-03-02T12:00:00' }, 'start', 'invalid_time_format'],
  ['with a field nobody knows', { phone: '1' }, 'phone'],
  ['with a zone that is none', { zone: 'Mars/Base' }, 'zone'],
  ['with a word of 15 characters', { attempt: 'a'.repeat(15) }, 'attempt'],
  ['with the field that robots fill', { website: 'https://example.com' }, 'website'],
]
for (const [what, body, param, code] of wrong) {
  test(`a booking ${what} is refused and books nothing`, async ({ service, desk: { eventsOf } }) => {
    const { key, calendar, page } = await makePage(service)
    const refusal = await bookSlot(service, page.slug, at('12:00'), body)
    assertRefused(refusal, 400, 'validation_error', { param, ...(code && { code }) })
    assert.deepEqual(await eventsOf(key, calendar.id), [])
  })
}

test('line breaks of a form count once', async ({ service, desk: { eventsOf } }) => {
  const { key, calendar, page } = await makePage(service)
  const notes = `${'a'.repeat(1998)}\r\nb`
  assert.equal((await bookSlot(service, page.slug, at('12:00'), { notes })).status, 201)
  assert.equal((await eventsOf(key, calendar.id))[0].metadata.booking.notes, notes.replace('\r', ''))
})

test('a page that is unknown or switched off is not there', async ({ service }) => {
  const off = await makePage(service, { active: false })
  const paths = [nowhere, '/book/x', '/book/%00', `/book/${off.page.slug}`]
  for (const path of paths) {
    for (const where of [path, `${path}/slots`]) {
      assertRefused(await service.call('GET', where), 404, 'not_found')
    }
    const guest = { name: 'Ada', email: 'ada@example.com', start: at('12:00') }
    const headers = { 'x-forwarded-for': newAddress() }
    assertRefused(await service.call('POST', path, { body: guest, headers }), 404, 'not_found')
  }
  await service.call('PATCH', `/v1/booking-pages/${off.page.id}`, { key: off.key, body: { active: true } })
  assert.equal((await bookSlot(service, off.page.slug, at('12:00'))).status, 201)
})

test('of 40 simultaneous bookings of one slot exactly one succeeds, and one event is counted', async ({
  service,
  desk: { eventsOf, countOf },
}) => {
  const limits = { events: 5 }
  const { key, calendar, page } = await makePage(service, {}, { plan: 'custom', limits })
  const answers = await Promise.all(Array.from({ length: 40 }, () => bookSlot(service, page.slug, at('12:00'))))
  const counts = Object.groupBy(answers, ({ status }) => String(status))
  assert.deepEqual([counts[201]?.length, counts[409]?.length], [1, 39])
  assert.equal((await eventsOf(key, calendar.id)).length, 1)
  assert.equal(await countOf(key, page.id), 1)
  // Four are left, not one more and not one less.
  const more = []
  for (const time of ['13:00', '14:00', '15:00', '16:00', '17:00']) {
    more.push((await bookSlot(service, page.slug, at(time))).status)
  }
  assert.deepEqual(more, [201, 201, 201, 201, 503])
})

test('40 bookings of 40 slots all succeed, while events come to the same calendar', async ({
  service,
  desk: { countOf },
}) => {
  const { key, calendar, page } = await makePage(service, { duration_minutes: 5 })
  const starts = (await startsOf(service, page.slug)).slice(100, 140)
  const events = starts.map(() => makeEvent(service, key, calendar.id))
  const answers = await Promise.all(starts.map((start) => bookSlot(service, page.slug, start)))
  await Promise.all(events)
  assert.deepEqual(
    answers.map(({ status }) => status),
    starts.map(() => 201),
  )
  assert.equal(await countOf(key, page.id), 40)
})

test('overlapping slots of two pages on one calendar: one booking wins', async ({ service, desk: { eventsOf } }) => {
  const { key, calendar, page } = await makePage(service, { duration_minutes: 60 })
  const body = { calendar_id: calendar.id, title: 'Short', duration_minutes: 15 }
  const other = (await service.call('POST', '/v1/booking-pages', { key, body })).body
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      nth % 2 === 0 ? bookSlot(service, page.slug, at('12:00')) : bookSlot(service, other.slug, at('12:30')),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 19)
  assert.equal((await eventsOf(key, calendar.id)).length, 1)
})

for (const [what, status, kind] of [
  ['an event', 'confirmed', 'event_start'],
  ['a hold', 'hold', 'hold_expiry'],
] as const) {
  test(`of a booking and ${what} of its slot at the same time the booking is refused unless it was first`, async ({
    service,
    desk: { eventsOf },
  }) => {
    for (let round = 0; round < 20; round++) {
      const { key, calendar, page } = await makePage(service)
      const rival = { start_time: at('12:00'), end_time: at('12:30'), status }
      const hold = status === 'hold' ? { hold_expires_at: ahead(service, 5) } : {}
      const [booked, made] = await Promise.all([
        bookSlot(service, page.slug, at('12:00')),
        makeEvent(service, key, calendar.id, { ...rival, ...hold }),
      ])
      assert.ok([201, 409].includes(booked.status), JSON.stringify(booked.body))
      assert.equal((await eventsOf(key, calendar.id)).length, booked.status === 201 ? 2 : 1)
      if (booked.status !== 201) continue
      // A timer's generation is the calendar's revision at which its event was placed.
      const order = await service.app.sql<{ subjectId: Uuid }[]>`
        select subject_id from timers where kind in ('event_start', ${kind}) and calendar_id = ${uuidOf('cal', calendar.id)}
        order by generation`
      assert.deepEqual(
        order.map(({ subjectId }) => encodeId('evt', subjectId)),
        [booked.body.event.id, made.id],
      )
    }
  })
}

test('a booking does not outlast the removal of its page', async ({ service, desk: { eventsOf } }) => {
  for (let round = 0; round < 10; round++) {
    const { key, calendar, page } = await makePage(service)
    const [booked] = await Promise.all([
      bookSlot(service, page.slug, at('12:00')),
      service.call('DELETE', `/v1/booking-pages/${page.id}`, { key }),
    ])
    assert.ok([201, 404].includes(booked.status))
    assert.equal((await eventsOf(key, calendar.id)).length, booked.status === 201 ? 1 : 0)
    assert.equal((await bookSlot(service, page.slug, at('13:00'))).status, 404)
  }
})

test('what was booked stays when the page is removed', async ({ service, desk: { eventsOf } }) => {
  const { key, calendar, page } = await makePage(service)
  const { body } = await bookSlot(service, page.slug, at('12:00'))
  await service.call('DELETE', `/v1/booking-pages/${page.id}`, { key })
  assert.equal((await eventsOf(key, calendar.id))[0].id, body.event.id)
})

test('an exhausted quota is told plainly, books nothing, and does not count refused bookings', async ({
  service,
  desk: { eventsOf },
}) => {
  const { key, calendar, page } = await makePage(service, {}, { plan: 'custom', limits: { events: 2 } })
  await makeEvent(service, key, calendar.id)
  assertRefused(await bookSlot(service, page.slug, at('12:05')), 400, 'validation_error', { param: 'start' })
  assertRefused(await bookSlot(service, page.slug, at('10:00')), 409, 'conflict', { param: 'start' })
  assert.equal((await bookSlot(service, page.slug, at('12:00'))).status, 201)
  const refusal = await bookSlot(service, page.slug, at('13:00'))
  assertRefused(refusal, 503, 'quota_exceeded')
  assert.match(refusal.body.error.message, /No more bookings can be taken here at the moment/)
  assert.equal(refusal.headers.get('retry-after'), String(30 * 86_400))
  assert.equal((await eventsOf(key, calendar.id)).length, 2)
  const create = { title: 'One more', start_time: ahead(service, 600), end_time: ahead(service, 630) }
  const event = await service.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: create })
  assertRefused(event, 429, 'quota_exceeded')
})

test('one address may look 60 times a minute and book 10 times', async ({ service }) => {
  const { page } = await makePage(service)
  const headers = { 'x-forwarded-for': newAddress() }
  const get = (path: string) => service.call('GET', `/book/${page.slug}${path}`, { headers })
  for (let nth = 0; nth < 60; nth++) assert.equal((await get(nth % 2 ? '' : '/slots')).status, 200)
  for (const path of ['', '/slots', '/bookings/x.ics']) {
    const refusal = await get(path)
    assertRefused(refusal, 429, 'rate_limit_error')
    assert.equal(refusal.headers.get('retry-after'), '60')
  }
  for (let nth = 0; nth < 10; nth++) assert.equal((await bookSlot(service, page.slug, 'x', {}, headers)).status, 400)
  assertRefused(await bookSlot(service, page.slug, at('12:00'), {}, headers), 429, 'rate_limit_error')
  assert.equal((await bookSlot(service, page.slug, at('12:00'))).status, 201)
  await service.clock.advance(60_000)
  assert.equal((await get('/slots')).status, 200)
  await service.clock.set(testStart)
})

test('a booking is in the audit log as an event, made by no key, with the page in the place of its slug', async ({
  service,
}) => {
  const { page } = await makePage(service)
  const { body } = await bookSlot(service, page.slug, at('12:00'))
  const [entry] = await service.app.sql<
    { action: string; actorKeyPrefix: string | null; path: string; status: number }[]
  >`
    select action, actor_key_prefix, path, status from audit_entries where resource = ${body.event.id}`
  const expected = { action: 'event.create', actorKeyPrefix: null, path: `/book/${page.id}`, status: 201 }
  assert.deepEqual({ ...entry }, expected)
})

test('the slots of a year in steps of five minutes come in parts', async ({ service }) => {
  const { page, key, calendar } = await makePage(service, {
    window_days: 365,
    duration_minutes: 5,
    timezone: 'America/New_York',
  })
  const away = { start_time: '2026-04-01T00:00:00Z', end_time: '2026-05-01T00:00:00Z' }
  assert.equal(
    (await service.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: { title: 'Away', ...away } }))
      .status,
    201,
  )
  const partFrom = async (query: Record<string, string>) => {
    const headers = { 'x-forwarded-for': newAddress() }
    const answer = await service.call('GET', `/book/${page.slug}/slots?${new URLSearchParams(query)}`, { headers })
    assert.equal(answer.status, 200)
    assert.ok(answer.body.slots.length <= 2_000)
    return answer.body
  }
  const starts: string[] = []
  let parts = 0
  for (let query: Record<string, string> | undefined = {}; query; ) {
    const { slots, next_from } = await partFrom(query)
    starts.push(...slots.map(({ start }: { start: string }) => start))
    parts++
    query = next_from && { from: next_from }
  }
  assert.equal(starts.length, (335 * 1440) / 5)
  assert.deepEqual(starts, [...new Set(starts)].sort())
  assert.equal(parts, Math.ceil((365 * 1440) / 5 / 2_000))

  const bounded = await partFrom({ from: starts[0]!, to: starts[5]! })
  assert.deepEqual([bounded.slots.length, 'next_from' in bounded], [5, false])
  const busy = await partFrom({ from: away.start_time, to: away.end_time, explain: 'true' })
  assert.deepEqual([busy.slots, busy.empty_reason], [[], 'all_blocked'])
  assert.deepEqual(busy.blocked, [{ start: '2026-04-01T00:00:00.000Z', end: busy.next_from, by: [{ kind: 'busy' }] }])
})
