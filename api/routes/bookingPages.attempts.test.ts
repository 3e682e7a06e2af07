// A booking that is sent again as the same attempt: answered with the event it made, as long as that stands.
import assert from 'node:assert/strict'
import type { App } from '../../src/app.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, type TestPage } from '../../src/testing/guests.ts'
import { type TestService, testStart } from '../../src/testing/harness.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const start = '2026-03-02T12:00:00.000Z'
const attempt = 'the-first-attempt'
const taken = { param: 'start' }

const pathOf = ({ calendar }: TestPage, id: string) => `/v1/calendars/${calendar.id}/events/${id}`
const later = { start_time: '2026-03-02T15:00:00.000Z', end_time: '2026-03-02T15:30:00.000Z' }
const ends: [what: string, method: string, body?: object][] = [
  ['was deleted', 'DELETE'],
  ['was cancelled', 'PATCH', { status: 'cancelled' }],
  ['was moved', 'PATCH', later],
]

const test = serviceTest({ env: guestEnv }).extend('desk', perFile, ({ service }) => {
  const send = ({ page }: TestPage, body: object = {}) => bookSlot(service, page.slug, start, { attempt, ...body })
  async function sent(made: TestPage): Promise<string> {
    const { status, body } = await send(made)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.event.status, 'confirmed')
    return body.event.id
  }
  const read = async (made: TestPage, id: string) =>
    (await service.call('GET', pathOf(made, id), { key: made.key })).body
  async function confirmedOf({ key, calendar }: TestPage): Promise<string[]> {
    const path = `/v1/calendars/${calendar.id}/events?status=confirmed`
    return (await service.call('GET', path, { key })).body.data.map(({ id }: { id: string }) => id)
  }
  /** A change that holds the page's calendar: bookings of the page wait for it. */
  const holdCalendar = ({ calendar }: TestPage) => ({
    change: (sql: App['sql']) => sql`select from calendars where id = ${decodeId('cal', calendar.id)!} for update`,
  })
  return { send, sent, read, confirmedOf, holdCalendar }
})

for (const [what, method, body] of ends) {
  test(`a booking whose event ${what} is made anew when it is sent again, and remembered`, async ({
    service,
    desk: { sent, read },
  }) => {
    const made = await makePage(service)
    const first = await sent(made)
    const { status } = await service.call(method, pathOf(made, first), { key: made.key, body })
    assert.ok(status < 300)
    const second = await sent(made)
    assert.notEqual(second, first)
    const { startTime, status: now } = await read(made, second)
    assert.deepEqual([startTime, now], [start, 'confirmed'])
    assert.equal(await sent(made), second)
  })

  test(`a booking whose event ${what} is refused when something else has its time`, async ({
    service,
    desk: { send, sent },
  }) => {
    const made = await makePage(service)
    const first = await sent(made)
    await service.call(method, pathOf(made, first), { key: made.key, body })
    await makeEvent(service, made.key, made.calendar.id, { start_time: start, end_time: '2026-03-02T12:10:00.000Z' })
    assertRefused(await send(made), 409, 'conflict', taken)
  })
}

test("an attempt of one guest does not show another guest's booking", async ({
  service,
  desk: { send, sent, confirmedOf },
}) => {
  const made = await makePage(service)
  const first = await sent(made)
  for (const other of [{ name: 'Grace Guest' }, { email: 'grace@example.com' }, { notes: 'Another matter' }]) {
    assertRefused(await send(made, other), 409, 'conflict', taken)
  }
  assert.equal(await sent(made), first)
  assert.deepEqual(await confirmedOf(made), [first])
})

test('a booking that is sent again is answered even if the page no longer offers its start', async ({
  service,
  desk: { send, sent },
}) => {
  const made = await makePage(service)
  const first = await sent(made)
  await service.clock.set('2026-03-02T11:59:59.000Z')
  const path = `/v1/booking-pages/${made.page.id}`
  await service.call('PATCH', path, { key: made.key, body: { min_notice_minutes: 60 } })
  assert.equal(await sent(made), first)
  assertRefused(await send(made, { attempt: 'an-attempt-of-another-form' }), 400, 'validation_error', taken)
  await service.clock.set(testStart)
})

test('a booking whose process loses the database while it is written is the answer when it is sent again', async ({
  service,
  desk: { sent, confirmedOf, holdCalendar },
}) => {
  const made = await makePage(service)
  const lost = await openProcess(service)
  const { status } = await whileOpen(service.app.sql, {
    ...holdCalendar(made),
    work: () => bookSlot({ ...service, call: lost.call }, made.page.slug, start, { attempt }),
    // Postgres finishes the statement, and no process is left to learn of it.
    meanwhile: () => lost.app.sql.end({ timeout: 0 }),
  })
  assert.ok(status >= 500)
  await lost.close()
  let booked: string[] = []
  while (booked.length === 0) booked = await confirmedOf(made)
  assert.deepEqual([await sent(made)], booked)
  assert.deepEqual(await confirmedOf(made), booked)
})

test('the same booking sent to two processes at once makes one event, and both answer with it', async ({
  service,
  second,
  desk: { confirmedOf, holdCalendar },
}) => {
  for (let round = 0; round < 3; round++) {
    const made = await makePage(service)
    const book = (call: TestService['call']) => bookSlot({ ...service, call }, made.page.slug, start, { attempt })
    const answered = await whileOpen(service.app.sql, {
      ...holdCalendar(made),
      waiting: 2,
      work: () => Promise.all([book(service.call), book(second.call)]),
    })
    const answers = answered.map(({ status, body }) => ({ status, body }))
    assert.equal(answers[0]?.status, 201, JSON.stringify(answers))
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(await confirmedOf(made), [answers[0]?.body.event.id])
  }
})
