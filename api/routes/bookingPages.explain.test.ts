// Answers to guests about times that are not free reveal nothing about the events there.
import assert from 'node:assert/strict'
import { makeEvent, makeHold } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf, type TestPage } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })
  .extend('at', perFile, () => (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString())
  .extend(
    'ask',
    perFile,
    ({ call }) =>
      (slug: string, query: string) =>
        call('GET', `/book/${slug}/slots?${query}`, { headers: { 'x-forwarded-for': newAddress() } }),
  )

const between = (from: string, to: string) => `from=${from}&to=${to}`

test('what is there is busy, each of it and all of it alike', async ({ service, at, ask }) => {
  const { key, calendar, page }: TestPage = await makePage(service, { buffer_minutes: 10 })
  const query = between(at(0), at(600))
  const event = (from: number, to: number) => ({ start_time: at(from), end_time: at(to) })
  await makeEvent(service, key, calendar.id, { title: 'Secret', ...event(60, 120) })
  await makeEvent(service, key, calendar.id, event(90, 150))
  await makeHold(service, key, calendar.id, event(150, 200))
  const plain = await ask(page.slug, query)
  assert.deepEqual((await ask(page.slug, `${query}&explain=false`)).body, plain.body)
  const { body } = await ask(page.slug, `${query}&explain=true`)
  const { blocked, ...rest } = body
  assert.deepEqual(rest, plain.body)
  assert.deepEqual(blocked, [{ start: at(50), end: at(210), by: [{ kind: 'busy' }] }])
  assert.doesNotMatch(JSON.stringify(body), /evt_|cal_|agt_|org_|Secret/)
})

test('hours have their name and no more; outside of notice and window nothing is explained', async ({
  service,
  at,
  ask,
}) => {
  const day = testStart.toISOString().slice(0, 10)
  const hours = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, { start: '06:00', end: '20:00' }]),
  )
  const { key, calendar, page } = await makePage(service, {
    min_notice_minutes: 60,
    window_days: 1,
    availability_constraints: hours,
  })
  await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, {
    key,
    body: {
      working_hours: Object.fromEntries(Object.keys(hours).map((name) => [name, { start: '07:00', end: '21:00' }])),
    },
  })
  const { body } = await ask(page.slug, `${between('2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z')}&explain=true`)
  assert.deepEqual(
    new Set(body.blocked.flatMap(({ by }: { by: object[] }) => by.map((one) => JSON.stringify(one)))),
    new Set(['{"kind":"working_hours"}']),
  )
  assert.ok(body.blocked.every(({ start, end }: { start: string; end: string }) => start >= at(60) && end <= at(1440)))
  const opens = `${day}T07:00:00.000Z`
  assert.ok(body.blocked.every(({ start, end }: { start: string; end: string }) => !(start < opens && opens < end)))
  const past = await ask(page.slug, `${between(at(-600), at(-300))}&explain=true`)
  assert.deepEqual([past.body.blocked, past.body.empty_reason], [[], 'window_shorter_than_duration'])
})

test('the refusal of a taken slot offers the next ones, if it is asked to', async ({ service, call, at }) => {
  const { key, calendar, page } = await makePage(service)
  const starts = await startsOf(service, page.slug)
  const taken = starts[3]!
  await makeEvent(service, key, calendar.id, {
    start_time: taken,
    end_time: new Date(Date.parse(taken) + 45 * 60_000).toISOString(),
  })
  assertRefused(await bookSlot(service, page.slug, taken), 409, 'conflict', { param: 'start' })
  const ask = (explain: string) =>
    call('POST', `/book/${page.slug}?utm_source=mail&explain=${explain}`, {
      body: { name: 'Ada', email: 'ada@example.com', start: taken },
      headers: { 'x-forwarded-for': newAddress() },
    })
  const { status, headers, body } = await ask('true')
  assert.equal(status, 409)
  const { message: _, request_id: __, ...error } = body.error
  const alternatives = starts.slice(5, 10).map((start) => ({
    start,
    end: new Date(Date.parse(start) + 30 * 60_000).toISOString(),
  }))
  assert.deepEqual(error, { type: 'conflict', param: 'start', alternatives })
  assert.equal(headers.get('retry-after'), null)
  assertRefused(await ask('1'), 400, 'validation_error', { param: 'explain' })
  assert.equal((await bookSlot(service, page.slug, alternatives[0]!.start)).status, 201)
  assert.ok(at(0) < taken)
})
