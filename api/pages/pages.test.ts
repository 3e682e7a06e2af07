// Guests' pages, apart from their looks: what they show, what they escape, how they answer errors.
import assert from 'node:assert/strict'
import { browserAccept, guestPageTest, start } from '../../src/testing/guestPages.ts'
import { makePage } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = guestPageTest()

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

test('every page is guarded, and holds nothing from elsewhere and nothing inline', async ({ service, get, submit }) => {
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
    assert.match(body, /^<!doctype html>\n<html lang="en" dir="ltr">/)
    assert.doesNotMatch(body, /<style|\sstyle=|\son[a-z]+=|javascript:|<script[^>]*>[^<]/i)
    // Calendars on the web are opened by a guest, in a tab of their own, without a referrer.
    const own = body.replace(/<a href="https:\/\/[^"]+" target="_blank" rel="noopener noreferrer nofollow"/g, '')
    for (const [, address] of own.matchAll(/(?:href|src|action)="([^"]*)"/g))
      assert.match(address, /^\/(book|booking|pages)\//)
  }
})

test('only the sites that a page names may show it in a frame, and nothing else of its policy changes', async ({
  service,
  get,
  submit,
}) => {
  const origins = ['https://www.example.com', 'https://example.org:8443']
  const { page } = await makePage(service, { allowed_origins: origins })
  const framed = policy.replace(/frame-ancestors 'none'$/, `frame-ancestors ${origins.join(' ')}`)
  for (const answer of [
    await get(`/book/${page.slug}`),
    await submit(page.slug, { email: 'x' }),
    await submit(page.slug),
  ]) {
    assert.equal(answer.headers.get('content-security-policy'), framed)
  }
})

test('addresses in the texts of the owner become links, if they are http or https', async ({ service, get }) => {
  const description =
    'See https://example.com/a_(b)?x=1&y="2". Or (http://example.org)! javascript:alert(1) https://a:b@example.com data:text/html,x'
  const { page } = await makePage(service, { description, location: 'JAVASCRIPT:alert(1)' })
  const { body } = await get(`/book/${page.slug}`)
  const links = [...body.matchAll(/<a href="([^"]*)" rel="nofollow noopener noreferrer" target="_blank">/g)]
  assert.deepEqual(
    links.map(([, href]) => href),
    ['https://example.com/a_(b)?x=1&amp;y=', 'http://example.org'],
  )
})

test('a chat that shows a preview reads who and what, and no address', async ({ service, get }) => {
  const { page } = await makePage(service, { host_name: 'Ada "A"', description: 'Line\none' })
  const { body } = await get(`/book/${page.slug}`)
  assert.match(body, /<meta property="og:title" content="Chat">/)
  assert.match(body, /<meta property="og:description" content="Ada &quot;A&quot; – Line one">/)
  assert.doesNotMatch(body, /og:url/)
  assert.match(body, /<meta name="robots" content="noindex">/)
})

test('the language is that of the address, of the browser, or English', async ({ service, get }) => {
  const { page } = await makePage(service)
  const langOf = async (query: string, accept?: string) =>
    /<html lang="(\w+)" dir="(\w+)">/
      .exec((await get(`/book/${page.slug}${query}`, accept === undefined ? {} : { 'accept-language': accept })).body)
      ?.slice(1)
  assert.deepEqual(await langOf(''), ['en', 'ltr'])
  assert.deepEqual(await langOf('', 'tlh, fr-CA;q=0.5'), ['fr', 'ltr'])
  assert.deepEqual(await langOf('?lang=ar', 'fr'), ['ar', 'rtl'])
  assert.deepEqual(await langOf('?lang=xx', 'es'), ['es', 'ltr'])
  assert.match((await get(`/book/${page.slug}?lang=ar`)).body, /href="[^"]*lang=ar[^"]*"/)
  const gone = await get('/book/nobody', { accept: browserAccept, 'accept-language': 'de' })
  assert.match(gone.body, /<h1>Diese Seite ist nicht verfügbar<\/h1>/)
})

test('style, script and icon are kept for ever under the address of their content', async ({ service, get }) => {
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

test('text of the owner and of the guest is escaped wherever a page shows it', async ({ service, get, submit }) => {
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

test('errors are pages to a browser and JSON to everybody else', async ({ get }) => {
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

test('the zone of a time is named once where its short name is the same', async ({ service, get, submit }) => {
  const { page } = await makePage(service)
  const form = async (zone: string) => (await get(`/book/${page.slug}?slot=${start}&zone=${zone}`)).body
  assert.match(await form('UTC'), /<bdi class="muted">UTC<\/bdi>/)
  assert.match(await form('Europe/Berlin'), /<bdi class="muted">Europe\/Berlin \(CET\)<\/bdi>/)
  const booked = await submit(page.slug, { zone: 'UTC' }, { accept: browserAccept })
  assert.match(booked.body, /<bdi class="muted">UTC<\/bdi>/)
})

test('the form shows a free slot; another time leads back to the free ones', async ({ service, get }) => {
  const { page } = await makePage(service)
  const form = await get(`/book/${page.slug}?slot=${encodeURIComponent('2026-03-02T13:00:00+01:00')}`)
  assert.match(form.body, /<input type="hidden" name="start" value="2026-03-02T12:00:00.000Z">/)
  const gone = await get(`/book/${page.slug}?slot=2026-03-02T12:05:00Z`)
  assert.equal(gone.status, 200)
  assert.match(gone.body, /That time is no longer available/)
  const wrong = await get(`/book/${page.slug}?slot=noon`)
  assertRefused(wrong, 400, 'validation_error', { param: 'slot', code: 'invalid_time_format' })
  const shown = await get(`/book/${page.slug}?slot=noon`, { accept: browserAccept })
  assert.equal(shown.status, 400)
  assert.match(shown.body, /That did not work/)
})

test('queries that no link of the service has are ignored', async ({ service, get }) => {
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

test('a service under a path of a domain links to itself there', async ({ service, get, submit }) => {
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

test('months without a free day are left out', async ({ service, get }) => {
  const availability_constraints = { wed: { start: '10:00', end: '10:30' } }
  const { page, key, calendar } = await makePage(service, { availability_constraints, window_days: 70 })
  const away = { title: 'Away', start_time: '2026-03-01T00:00:00Z', end_time: '2026-05-01T00:00:00Z' }
  await service.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: away })
  for (const query of ['', '?month=2026-03', '?day=2026-04-01', '?month=2027-01']) {
    const { body } = await get(`/book/${page.slug}${query}`)
    assert.match(body, /<h2 id="month">May 2026<\/h2>/)
    assert.match(body, /<h2 id="day" tabindex="-1">Wednesday 6 May<\/h2>\n<p class="count">One available time<\/p>/)
    assert.equal(body.match(/class="turn"/g).length, 2)
    assert.doesNotMatch(body, /<a class="turn"/)
  }
})

test('a page of a year of short slots shows one day of one month, and leads to its last one', async ({
  service,
  get,
}) => {
  const { page } = await makePage(service, { window_days: 365, duration_minutes: 5 })
  let path: string | undefined = `/book/${page.slug}`
  const months: string[] = []
  while (path) {
    const { body } = await get(path)
    months.push(/<h2 id="month">([^<]+)</.exec(body)![1]!)
    assert.ok(body.match(/class="time"/g).length <= 288)
    path = /<a class="turn" id="next" href="([^"]+)"/.exec(body)?.[1]
  }
  assert.deepEqual([months.length, months[0], months.at(-1)], [13, 'March 2026', 'March 2027'])
})
