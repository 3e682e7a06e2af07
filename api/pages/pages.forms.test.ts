// The form of a booking: who gets which answer, and what is refused.
import assert from 'node:assert/strict'
import { browserAccept, guestPageTest, start } from '../../src/testing/guestPages.ts'
import { bookSlot, makePage, newAddress } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = guestPageTest()

test('a browser gets a page for its form, every other client gets JSON; both get 201', async ({
  service,
  submit,
  bookings,
}) => {
  const made = await makePage(service)
  const time = (hour: number) => `2026-03-02T${hour}:00:00Z`
  const cases: [accept: string, isHtml: boolean][] = [
    [browserAccept, true],
    ['text/html', true],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/html;q=0.5', false],
    ['text/html;q=0.9, application/json;q=0.8', true],
    ['text/html;q=0', false],
  ]
  for (const [nth, [accept, isHtml]] of cases.entries()) {
    const answer = await submit(made.page.slug, { start: time(12 + nth) }, { accept })
    assert.equal(answer.status, 201, accept)
    const type = isHtml ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
    assert.equal(answer.headers.get('content-type'), type, accept)
    if (!isHtml) assert.equal(answer.body.event.status, 'confirmed')
  }
  const json = await bookSlot(service, made.page.slug, time(20), {}, { accept: 'text/html' })
  assert.match(json.body, /Booking confirmed/)
  assert.equal(await bookings(made), 8)
})

test('a form from the page of another site is refused and books nothing', async ({ service, submit, bookings }) => {
  const made = await makePage(service)
  for (const origin of ['https://evil.example', 'null', 'nonsense', `${service.baseUrl}.evil.example`]) {
    const refusal = await submit(made.page.slug, {}, { origin, accept: '*/*' })
    assertRefused(refusal, 403, 'forbidden')
    assert.equal((await submit(made.page.slug, {}, { origin })).status, 403)
  }
  assert.equal(await bookings(made), 0)
  assert.equal((await submit(made.page.slug, {}, { origin: service.baseUrl })).status, 201)
})

test('a form that is sent again gets the booking it made, as a page and in JSON', async ({
  service,
  submit,
  bookings,
}) => {
  const made = await makePage(service)
  const attempt = 'a-word-of-its-own-form'
  const answers = await Promise.all([1, 2, 3].map(() => submit(made.page.slug, { attempt }, { accept: '*/*' })))
  const [first, ...others] = answers.map(({ status, body }) => ({ status, body }))
  assert.equal(first?.status, 201)
  for (const other of others) assert.deepEqual(other, first)
  assert.match((await submit(made.page.slug, { attempt })).body, /Booking confirmed/)
  assert.equal(await bookings(made), 1)
  assert.equal((await submit(made.page.slug, { attempt: 'a-word-of-another-form' })).status, 409)
  assert.equal((await submit(made.page.slug, { attempt, start: '2026-03-02T13:00:00Z' })).status, 201)
  assert.equal(await bookings(made), 2)
  const other = await makePage(service)
  assert.equal((await submit(other.page.slug, { attempt })).status, 201)
  assert.equal(await bookings(other), 1)
})

test('every form has an attempt of its own', async ({ service, get }) => {
  const { page } = await makePage(service)
  const wordOf = async () =>
    /name="attempt" value="([\w-]{22})"/.exec((await get(`/book/${page.slug}?slot=${start}`)).body)?.[1]
  const [one, two] = [await wordOf(), await wordOf()]
  assert.ok(one && two && one !== two)
})

test('a robot that fills every field books nothing', async ({ service, submit, bookings }) => {
  const made = await makePage(service)
  assert.equal((await submit(made.page.slug, { website: 'https://spam.example' })).status, 400)
  assert.equal(await bookings(made), 0)
})

test('without quota or after too many requests a guest reads so, and when to come back', async ({
  service,
  submit,
}) => {
  const made = await makePage(service, {}, { plan: 'custom', limits: { events: 0 } })
  const none = await submit(made.page.slug)
  assert.equal(none.status, 503)
  assert.match(none.body, /No more bookings can be taken here at the moment\. Nothing was booked\./)
  assert.match(none.body, /value="Ada Guest"/)
  assert.equal(none.headers.get('retry-after'), String(30 * 86_400))
  const headers = { 'x-forwarded-for': newAddress() }
  for (let nth = 0; nth < 10; nth++) await submit(made.page.slug, { start: 'x' }, headers)
  const many = await submit(made.page.slug, {}, headers)
  assert.equal(many.status, 429)
  assert.match(many.body, /<h1>Too many requests<\/h1>/)
  assert.equal(many.headers.get('retry-after'), '60')
})
