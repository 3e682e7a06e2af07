// The further fields of a page: host, place, questions, a readable address, sites that embed it.
import assert from 'node:assert/strict'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })
const pages = '/v1/booking-pages'

const details = {
  host_name: 'Ada Lovelace',
  host_organization: 'Example Robotics',
  location: 'https://meet.example.com/ada',
  privacy_url: 'https://example.com/privacy',
  allowed_origins: ['https://www.example.com', 'http://localhost:3000'],
  questions: [
    { name: 'company', label: 'Where do you work?', kind: 'text', required: true },
    { name: 'size', label: 'How large is it?', kind: 'choice', required: false, options: ['small', 'large'] },
    { name: 'topic', label: 'What is it about?', kind: 'long_text', required: false },
  ],
  guest_mails: false,
}

test('a record has the details that are used, and no others', async ({ service, call }) => {
  const plain = await makePage(service)
  for (const name of [...Object.keys(details), 'vanity_slug', 'vanity_url']) assert.ok(!(name in plain.page), name)
  const { key, page } = await makePage(service, { ...details, vanity_slug: 'ada-record' })
  const record = { ...details, vanity_slug: 'ada-record', vanity_url: `${service.app.config.baseUrl}/book/ada-record` }
  for (const [name, value] of Object.entries(record)) assert.deepEqual(page[name], value, name)
  assert.deepEqual((await call('GET', `${pages}/${page.id}`, { key })).body, page)
  const edited = await call('PATCH', `${pages}/${page.id}`, { key, body: { location: 'Room 4', guest_mails: true } })
  const { guest_mails: _, ...mailed } = page
  assert.deepEqual(edited.body, {
    ...mailed,
    location: 'Room 4',
    updated_at: edited.body.updated_at,
  })
  const body = { host_name: null, host_organization: null, location: null, privacy_url: null, vanity_slug: null }
  const cleared = await call('PATCH', `${pages}/${page.id}`, {
    key,
    body: { ...body, allowed_origins: [], questions: null },
  })
  assert.equal(cleared.status, 200)
  assert.deepEqual(Object.keys(cleared.body), Object.keys(plain.page))
})

const refused: [what: string, body: object, param: string][] = [
  ['a name of two lines', { host_name: 'Ada\nBcc: x@example.com' }, 'host_name'],
  ['an empty place', { location: ' ' }, 'location'],
  ['a place of 501 characters', { location: 'a'.repeat(501) }, 'location'],
  ['an address of a script', { privacy_url: 'javascript:alert(1)' }, 'privacy_url'],
  ['an address with a password', { privacy_url: 'https://a:b@example.com' }, 'privacy_url'],
  ['a path beside an origin', { allowed_origins: ['https://example.com/'] }, 'allowed_origins.0'],
  [
    'an origin that ends the directive',
    { allowed_origins: ["https://a.example; script-src 'unsafe-inline'"] },
    'allowed_origins.0',
  ],
  ['an origin with a semicolon in its host', { allowed_origins: ['https://a;b.example'] }, 'allowed_origins.0'],
  ['a wildcard', { allowed_origins: ['https://*.example.com'] }, 'allowed_origins.0'],
  ['an origin without TLS', { allowed_origins: ['http://example.com'] }, 'allowed_origins.0'],
  [
    'twenty-one origins',
    { allowed_origins: Array.from({ length: 21 }, (_, nth) => `https://a${nth}.example`) },
    'allowed_origins',
  ],
  ['a readable address of two characters', { vanity_slug: 'ab' }, 'vanity_slug'],
  ['a readable address of 65 characters', { vanity_slug: 'a'.repeat(65) }, 'vanity_slug'],
  ['capitals', { vanity_slug: 'Ada-Intro' }, 'vanity_slug'],
  ['a slash', { vanity_slug: 'ada/intro' }, 'vanity_slug'],
  ['a reserved word', { vanity_slug: 'bookings' }, 'vanity_slug'],
  ['a choice without options', { questions: [{ name: 'a', label: 'A', kind: 'choice' }] }, 'questions.0.options'],
  ['a text with options', { questions: [{ name: 'a', label: 'A', options: ['x'] }] }, 'questions.0.options'],
  [
    'two questions of one name',
    {
      questions: [
        { name: 'a', label: 'A' },
        { name: 'a', label: 'B' },
      ],
    },
    'questions.1.name',
  ],
  ['a question with a capital name', { questions: [{ name: 'A', label: 'A' }] }, 'questions.0.name'],
]
for (const [what, body, param] of refused) {
  test(`a page with ${what} is refused`, async ({ service, call }) => {
    const { key, page, calendar } = await makePage(service)
    const make = await call('POST', pages, { key, body: { calendar_id: calendar.id, title: 'Chat', ...body } })
    assertRefused(make, 400, 'validation_error', { param })
    assertRefused(await call('PATCH', `${pages}/${page.id}`, { key, body }), 400, 'validation_error', { param })
  })
}

test('a readable address belongs to one page of the installation, and is free when that is removed', async ({
  service,
  call,
}) => {
  const one = await makePage(service, { vanity_slug: 'one-of-us' })
  const other = await makePage(service)
  const body = { vanity_slug: 'one-of-us' }
  const again = { calendar_id: other.calendar.id, title: 'Chat', ...body }
  assertRefused(await call('POST', pages, { key: other.key, body: again }), 409, 'conflict', { param: 'vanity_slug' })
  const patch = () => call('PATCH', `${pages}/${other.page.id}`, { key: other.key, body })
  assertRefused(await patch(), 409, 'conflict', { param: 'vanity_slug' })
  assert.equal((await call('DELETE', `${pages}/${one.page.id}`, { key: one.key })).status, 204)
  assert.equal((await patch()).status, 200)
  assert.equal((await patch()).status, 200, 'its own address is not taken')
})

test('of many pages that want one readable address at once exactly one gets it', async ({ service, call }) => {
  const made = await Promise.all([1, 2, 3, 4].map(() => makePage(service)))
  const answers = await Promise.all(
    made.map(({ key, page }) => call('PATCH', `${pages}/${page.id}`, { key, body: { vanity_slug: 'wanted' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('guests book at the readable address, which does not show the secret one', async ({ service, call }) => {
  const made = await makePage(service, { vanity_slug: 'ada-talks', host_name: 'Ada', location: 'Room 4' })
  const headers = { 'x-forwarded-for': newAddress() }
  const { body } = await call('GET', '/book/ada-talks/slots', { headers })
  const { slug, host_name, location } = body.booking_page
  assert.deepEqual([slug, host_name, location], ['ada-talks', 'Ada', 'Room 4'])
  assert.deepEqual(await startsOf(service, 'Ada-Talks'), await startsOf(service, made.page.slug))
  const shown = await call('GET', '/book/ada-talks', { headers })
  assert.equal(shown.status, 200)
  assert.ok(shown.body.includes('/book/ada-talks?') && !shown.body.includes(made.page.slug))
  assert.equal((await bookSlot(service, 'ada-talks', '2026-03-02T12:00:00Z')).status, 201)
  await call('PATCH', `${pages}/${made.page.id}`, { key: made.key, body: { active: false } })
  assertRefused(await call('GET', '/book/ada-talks/slots', { headers }), 404, 'not_found')
})

test('the answers to the questions are kept with the guest, and sealed like them', async ({ service, call }) => {
  const { key, calendar, page } = await makePage(service, { questions: details.questions })
  const at = (hour: number) => `2026-03-02T${hour}:00:00Z`
  const answers = { company: 'Quux Ltd', size: 'small', topic: 'One\r\ntwo' }
  assert.equal((await bookSlot(service, page.slug, at(12), { answers })).status, 201)
  const { body } = await call('GET', `/v1/calendars/${calendar.id}/events`, { key })
  assert.deepEqual(body.data[0].metadata.booking.answers, [
    { name: 'company', label: 'Where do you work?', answer: 'Quux Ltd' },
    { name: 'size', label: 'How large is it?', answer: 'small' },
    { name: 'topic', label: 'What is it about?', answer: 'One\ntwo' },
  ])
  const [row] = await service.app.sql`select metadata::text as text from events where booking_sealed is not null`
  assert.doesNotMatch(row!.text, /Quux/)
  for (const [wrong, param] of [
    [{}, 'answers.company'],
    [{ company: '  ' }, 'answers.company'],
    [{ company: 'a'.repeat(501) }, 'answers.company'],
    [{ company: 'Q', size: 'huge' }, 'answers.size'],
    [{ company: 'Q', colour: 'red' }, 'answers.colour'],
  ] as const) {
    const refusal = await bookSlot(service, page.slug, at(13), { answers: wrong })
    assertRefused(refusal, 400, 'validation_error', { param })
  }
  const form = new URLSearchParams({ name: 'Ada', email: 'ada@example.com', start: at(14), 'answers.company': 'Quux' })
  const sent = await call('POST', `/book/${page.slug}`, {
    raw: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': newAddress() },
  })
  assert.equal(sent.status, 201)
  const plain = await makePage(service)
  const unknown = await bookSlot(service, plain.page.slug, at(12), { answers: { company: 'Q' } })
  assertRefused(unknown, 400, 'validation_error', { param: 'answers.company' })
})
