// A booking that is sent again with its word: answered with the event it made, for as long as that stands.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, startsOf, type TestPage } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'
import { openChild, openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const start = '2026-03-02T12:00:00.000Z'
const attempt = 'a-word-of-its-own'
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
  /** Begins `work` while the page's calendar is held, does `meanwhile` once so many of its changes wait, and lets them through. */
  async function whileHeld<T>(
    { calendar }: TestPage,
    waiting: number,
    work: () => Promise<T>,
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<T> {
    const { sql } = service.app
    const open = await sql.reserve()
    await open`begin`
    await open`select from calendars where id = ${decodeId('cal', calendar.id)!} for update`
    const outcome = work()
    for (;;) {
      const [row] = await sql`
        select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      if (row?.n >= waiting) break
    }
    await meanwhile()
    await open`commit`
    open.release()
    return outcome
  }
  return { send, sent, read, confirmedOf, whileHeld }
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

test("the word of one guest does not tell another guest's booking", async ({
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

test('a booking that is sent again is answered also when the page would not offer its start any more', async ({
  service,
  desk: { send, sent },
}) => {
  const made = await makePage(service)
  const first = await sent(made)
  await service.clock.set('2026-03-02T11:59:59.000Z')
  const path = `/v1/booking-pages/${made.page.id}`
  await service.call('PATCH', path, { key: made.key, body: { min_notice_minutes: 60 } })
  assert.equal(await sent(made), first)
  assertRefused(await send(made, { attempt: 'a-word-of-another-form' }), 400, 'validation_error', taken)
  await service.clock.set(testStart)
})

test('a booking that was written while its process fell out is the answer when it is sent again', async ({
  service,
  desk: { sent, confirmedOf, whileHeld },
}) => {
  const made = await makePage(service)
  const other = await openProcess(service)
  const book = () => bookSlot({ ...service, call: other.call }, made.page.slug, start, { attempt })
  // The statement is Postgres' to finish: nobody is there any more who learns that it did.
  const { status } = await whileHeld(made, 1, book, () => other.app.sql.end({ timeout: 0 }))
  assert.ok(status >= 500)
  await other.close()
  let booked: string[] = []
  while (booked.length === 0) booked = await confirmedOf(made)
  assert.deepEqual([await sent(made)], booked)
  assert.deepEqual(await confirmedOf(made), booked)
})

test('of the same booking sent to two processes at once one event comes, and both tell it', async ({
  service,
  onTestFinished,
  desk: { confirmedOf, whileHeld },
}) => {
  const children = await Promise.all([openChild(service), openChild(service)])
  onTestFinished(async () => {
    await Promise.all(children.map((child) => child.close()))
  })
  await service.clock.set(new Date())
  for (let round = 0; round < 3; round++) {
    const made = await makePage(service)
    const [free] = await startsOf(service, made.page.slug, `?from=${new Date(Date.now() + 3_600_000).toISOString()}`)
    const book = () =>
      Promise.all(children.map(({ call }) => bookSlot({ ...service, call }, made.page.slug, free!, { attempt })))
    const answers = (await whileHeld(made, 2, book)).map(({ status, body }) => ({ status, body }))
    assert.equal(answers[0]?.status, 201, JSON.stringify(answers))
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(await confirmedOf(made), [answers[0]?.body.event.id])
  }
  await service.clock.set(testStart)
})
