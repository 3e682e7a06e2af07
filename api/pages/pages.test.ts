// What guests' pages promise beyond how they look: who is answered how, what is escaped, what is refused.
import assert from 'node:assert/strict'
import ical from 'node-ical'
import { afterAll, beforeAll, test } from 'vitest'
import { decodeId } from '../../src/shapes/ids.ts'
import { bookSlot, guestEnv, makePage, newAddress, type TestPage } from '../../src/testing/guests.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ env: guestEnv })
})
afterAll(() => service.close())

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const start = '2026-03-02T12:00:00.000Z'

const get = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { headers: { 'x-forwarded-for': newAddress(), ...headers } })

const guest = { name: 'Ada Guest', email: 'ada@example.com', notes: '', start, zone: 'Europe/Berlin', website: '' }

/** As a browser sends the form, from a guest's own address. */
const submit = (slug: string, fields: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', `/book/${slug}`, {
    raw: new URLSearchParams({ ...guest, ...fields }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...{ accept: browserAccept, origin: service.baseUrl, 'x-forwarded-for': newAddress() },
      ...headers,
    },
  })

const bookings = async ({ key, page }: TestPage) =>
  (await service.call('GET', `/v1/booking-pages/${page.id}`, { key })).body.bookings_count

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

test('every page is guarded, and holds nothing from elsewhere and nothing inline', async () => {
  const made = await makePage(service)
  const { page } = made
  const answers = [
    await get(`/book/${page.slug}`),
    await get(`/book/${page.slug}?slot=${start}`),
    await submit(page.slug, { email: 'x' }),
    await submit(page.slug),
    await submit(page.slug),
    await get('/book/nobody', { accept: browserAccept }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 201, 409, 404],
  )
  for (const { headers, body } of answers) {
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('content-security-policy'), policy)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    assert.match(body, /^<!doctype html>\n<html lang="en">/)
    assert.doesNotMatch(body, /<style|\sstyle=|\son[a-z]+=|javascript:|<script[^>]*>[^<]/i)
    for (const [, address] of body.matchAll(/(?:href|src|action)="([^"]*)"/g))
      assert.match(address, /^\/(book|pages)\//)
  }
})

test('style, script and icon are kept for ever under the address of their content', async () => {
  const { page } = await makePage(service)
  const { body } = await get(`/book/${page.slug}`)
  const addresses = [...body.matchAll(/(?:href|src)="(\/pages\/[^"]*)"/g)].map(([, address]) => address!)
  assert.equal(addresses.length, 3)
  for (const address of addresses) {
    const asset = await get(address)
    assert.equal(asset.status, 200)
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(asset.headers.get('x-content-type-options'), 'nosniff')
    assert.equal((await get(`${address}0`)).headers.get('cache-control'), 'no-store')
    assertRefused(await service.call('POST', address), 405, 'bad_request')
  }
})

test('what the owner and the guest wrote is escaped wherever it is shown', async () => {
  const attack = `"><script>alert(1)</script>'&`
  const made = await makePage(service, { title: attack, description: attack })
  const typed = { name: attack, notes: `</textarea>${attack}` }
  for (const { body } of [
    await get(`/book/${made.page.slug}`),
    await get(`/book/${made.page.slug}?slot=${start}`),
    await get(`/book/${made.page.slug}?slot=${start}&zone=${encodeURIComponent(attack)}`),
    await submit(made.page.slug, { ...typed, email: attack }),
    await submit(made.page.slug, typed),
    await submit(made.page.slug, typed),
  ]) {
    assert.doesNotMatch(body, /<script>|"><script|<\/textarea>"/)
    assert.ok(body.includes('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;'))
  }
})

test('a form is answered with a page to a browser and with JSON to everybody else, 201 both ways', async () => {
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
  assert.match(json.body, /You are booked/)
  assert.equal(await bookings(made), 8)
})

test('errors are pages to a browser and JSON to everybody else', async () => {
  for (const [accept, type] of [
    [browserAccept, 'text/html; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ] as const) {
    const { status, headers, body } = await get('/book/nobody', { accept })
    assert.equal(status, 404)
    assert.equal(headers.get('content-type'), type)
    if (accept === browserAccept) assert.match(body, /<h1>This page is not available<\/h1>/)
  }
  assertRefused(await get('/book/nobody/slots', { accept: browserAccept }), 404, 'not_found')
})

test('the zone of a time is named once where its short name is the same', async () => {
  const { page } = await makePage(service)
  const form = async (zone: string) => (await get(`/book/${page.slug}?slot=${start}&zone=${zone}`)).body
  assert.match(await form('UTC'), /<span class="muted">UTC<\/span>/)
  assert.match(await form('Europe/Berlin'), /<span class="muted">Europe\/Berlin \(CET\)<\/span>/)
  const booked = await submit(page.slug, { zone: 'UTC' }, { accept: browserAccept })
  assert.match(booked.body, /<span class="muted">UTC<\/span>/)
})

test('the form shows a free slot; another time leads back to the free ones', async () => {
  const { page } = await makePage(service)
  const form = await get(`/book/${page.slug}?slot=${encodeURIComponent('2026-03-02T13:00:00+01:00')}`)
  assert.match(form.body, /<input type="hidden" name="start" value="2026-03-02T12:00:00.000Z">/)
  const gone = await get(`/book/${page.slug}?slot=2026-03-02T12:05:00Z`)
  assert.equal(gone.status, 200)
  assert.match(gone.body, /That time is no longer free/)
  const wrong = await get(`/book/${page.slug}?slot=noon`)
  assertRefused(wrong, 400, 'validation_error', { param: 'slot', code: 'invalid_time_format' })
  const shown = await get(`/book/${page.slug}?slot=noon`, { accept: browserAccept })
  assert.equal(shown.status, 400)
  assert.match(shown.body, /That did not work/)
})

test('what no link of ours says is passed over', async () => {
  const { page } = await makePage(service)
  for (const query of [
    'zone=Mars/Base',
    'month=2026-13',
    'day=2026-02-30',
    'month=1999-01',
    'day=2099-01-01',
    'day=1&day=2',
  ]) {
    const { status, body } = await get(`/book/${page.slug}?${query}`)
    assert.equal(status, 200, query)
    assert.match(body, /<h2 id="month">March 2026<\/h2>/, query)
  }
})

test('a form from the page of another site is refused and books nothing', async () => {
  const made = await makePage(service)
  for (const origin of ['https://evil.example', 'null', 'nonsense', `${service.baseUrl}.evil.example`]) {
    const refusal = await submit(made.page.slug, {}, { origin, accept: '*/*' })
    assertRefused(refusal, 403, 'forbidden')
    assert.equal((await submit(made.page.slug, {}, { origin })).status, 403)
  }
  assert.equal(await bookings(made), 0)
  assert.equal((await submit(made.page.slug, {}, { origin: service.baseUrl })).status, 201)
})

test('a form that is sent again is answered with the booking it made, by a page and in JSON', async () => {
  const made = await makePage(service)
  const attempt = 'a-word-of-its-own-form'
  const answers = await Promise.all([1, 2, 3].map(() => submit(made.page.slug, { attempt }, { accept: '*/*' })))
  const [first, ...others] = answers.map(({ status, body }) => ({ status, body }))
  assert.equal(first?.status, 201)
  for (const other of others) assert.deepEqual(other, first)
  assert.match((await submit(made.page.slug, { attempt })).body, /You are booked/)
  assert.equal(await bookings(made), 1)
  assert.equal((await submit(made.page.slug, { attempt: 'a-word-of-another-form' })).status, 409)
  assert.equal((await submit(made.page.slug, { attempt, start: '2026-03-02T13:00:00Z' })).status, 201)
  assert.equal(await bookings(made), 2)
  const other = await makePage(service)
  assert.equal((await submit(other.page.slug, { attempt })).status, 201)
  assert.equal(await bookings(other), 1)
})

test('every form has a word of its own', async () => {
  const { page } = await makePage(service)
  const wordOf = async () =>
    /name="attempt" value="([\w-]{22})"/.exec((await get(`/book/${page.slug}?slot=${start}`)).body)?.[1]
  const [one, two] = [await wordOf(), await wordOf()]
  assert.ok(one && two && one !== two)
})

test('a robot that fills every field books nothing', async () => {
  const made = await makePage(service)
  assert.equal((await submit(made.page.slug, { website: 'https://spam.example' })).status, 400)
  assert.equal(await bookings(made), 0)
})

test('without quota and with too many requests a guest is told so, and when to come back', async () => {
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

test('the calendar file tells the event and nothing about the guest', async () => {
  const made = await makePage(service, { title: 'Chat; with, commas', description: 'Two\nlines', duration_minutes: 45 })
  const { body } = await submit(made.page.slug)
  const address = /href="([^"]*\.ics)"/.exec(body)![1]!
  assert.doesNotMatch(decodeURIComponent(address), /ada guest|ada@/i)
  const file = await get(address)
  assert.equal(file.status, 200)
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="booking.ics"')
  assert.doesNotMatch(file.body, /ada/i)
  const [event] = Object.values(ical.sync.parseICS(file.body)).filter((item) => item?.type === 'VEVENT')
  const events = (await service.call('GET', `/v1/calendars/${made.calendar.id}/events`, { key: made.key })).body.data
  assert.deepEqual(
    [event?.uid, event?.summary, event?.description, event?.start.toISOString(), event?.end?.toISOString()],
    [`${events[0].id}@agent-calendar`, 'Chat; with, commas', 'Two\nlines', start, '2026-03-02T12:45:00.000Z'],
  )
})

test('a calendar file needs the word that the guest was given, on the page it was given for', async () => {
  const made = await makePage(service)
  const other = await makePage(service)
  const { body } = await submit(made.page.slug)
  const address = /href="([^"]*\.ics)"/.exec(body)![1]!
  const word = /bookings\/(.*)\.ics/.exec(address)![1]!
  const flipped = word.slice(0, -1) + (word.endsWith('A') ? 'B' : 'A')
  const wrong = [
    `/book/${other.page.slug}/bookings/${word}.ics`,
    address.replace(word, flipped.slice(2)),
    '/book/x/bookings/x.ics',
  ]
  for (const path of wrong) assertRefused(await get(path), 404, 'not_found')
  // The beginning of a good tag could be guessed.
  const empty = service.app.sealer.seal(`booking_pages.receipt:${decodeId('bkp', made.page.id)!}`, '')
  for (const cut of [1, 4, 12, 16]) {
    const short = empty.subarray(0, empty.length - cut).toString('base64url')
    assertRefused(await get(address.replace(word, short)), 404, 'not_found')
  }
  assert.equal((await get(wrong[0]!, { accept: browserAccept })).status, 404)
  await service.call('DELETE', `/v1/booking-pages/${made.page.id}`, { key: made.key })
  assertRefused(await get(address), 404, 'not_found')
})

test('a service under a path of a domain links to itself there', async () => {
  const { page } = await makePage(service)
  const { baseUrl } = service.app.config
  service.app.config.baseUrl = 'https://example.com/calendar'
  try {
    const { body } = await get(`/book/${page.slug}`)
    for (const [, address] of body.matchAll(/(?:href|src|action)="([^"]*)"/g)) assert.match(address!, /^\/calendar\//)
    const booked = await submit(page.slug, {}, { origin: 'https://example.com' })
    assert.equal(booked.status, 201)
  } finally {
    service.app.config.baseUrl = baseUrl
  }
})

test('months without a free day are passed by', async () => {
  const availability_constraints = { wed: { start: '10:00', end: '10:30' } }
  const { page, key, calendar } = await makePage(service, { availability_constraints, window_days: 70 })
  const away = { title: 'Away', start_time: '2026-03-01T00:00:00Z', end_time: '2026-05-01T00:00:00Z' }
  await service.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: away })
  for (const query of ['', '?month=2026-03', '?day=2026-04-01', '?month=2027-01']) {
    const { body } = await get(`/book/${page.slug}${query}`)
    assert.match(body, /<h2 id="month">May 2026<\/h2>/)
    assert.match(body, /<h2 id="day" tabindex="-1">Wednesday 6 May<\/h2>\n<p class="count">One free time<\/p>/)
    assert.equal(body.match(/class="turn"/g).length, 2)
    assert.doesNotMatch(body, /<a class="turn"/)
  }
})
