// Logo, colour, interval of slots, clock, further guests, contact, links to calendars on the web, and warnings of a booking page.
import assert from 'node:assert/strict'
import { browserAccept } from '../../src/testing/guestPages.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../../src/testing/guests.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const at = (time: string, day = '03') => `2026-03-${day}T${time}:00.000Z`

const test = serviceTest({ env: guestEnv }).extend('show', perFile, ({ service }) => {
  return (path: string, headers: Record<string, string> = {}) =>
    service.call('GET', path, { headers: { accept: browserAccept, 'x-forwarded-for': newAddress(), ...headers } })
})

const more = {
  logo_url: 'https://www.example.com/logo.png?a=1&b=(2)',
  theme_color: '#0b6e4f',
  slot_interval_minutes: 15,
  additional_guests: 2,
  contact: 'ada@example.com',
}

test('a record has these details only if they are used, and null takes them away', async ({ service, call }) => {
  const plain = await makePage(service)
  for (const name of [...Object.keys(more), 'warnings']) assert.ok(!(name in plain.page), name)
  const { key, page } = await makePage(service, more)
  for (const [name, value] of Object.entries(more)) assert.deepEqual(page[name], value, name)
  const body = Object.fromEntries(Object.keys(more).map((name) => [name, null]))
  const cleared = await call('PATCH', `/v1/booking-pages/${page.id}`, { key, body })
  assert.deepEqual(Object.keys(cleared.body), Object.keys(plain.page))
})

const refused: [what: string, body: object, param: string][] = [
  ['a logo without https', { logo_url: 'http://www.example.com/logo.png' }, 'logo_url'],
  ['a logo that is a script', { logo_url: 'javascript:alert(1)' }, 'logo_url'],
  ['a logo with data', { logo_url: 'data:image/png;base64,AAAA' }, 'logo_url'],
  ['a logo whose host ends the directive', { logo_url: "https://a.example;script-src 'unsafe-inline'" }, 'logo_url'],
  ['a logo with a password', { logo_url: 'https://a:b@www.example.com/x.png' }, 'logo_url'],
  ['a colour by name', { theme_color: 'red' }, 'theme_color'],
  ['a colour that closes a block', { theme_color: '#0b6e4f}' }, 'theme_color'],
  ['slots every four minutes', { slot_interval_minutes: 4 }, 'slot_interval_minutes'],
  ['eleven further guests', { additional_guests: 11 }, 'additional_guests'],
  ['a contact of two lines', { contact: 'a\nb' }, 'contact'],
]

test('what cannot be shown safely is refused', async ({ service, call }) => {
  const { key, page } = await makePage(service)
  for (const [what, body, param] of refused) {
    const answer = await call('PATCH', `/v1/booking-pages/${page.id}`, { key, body })
    assert.deepEqual([answer.status, answer.body.error.param], [400, param], what)
  }
})

test('the policy lets in the logo and nothing else; a page without one has the policy it always had', async ({
  service,
  show,
}) => {
  const { page } = await makePage(service, more)
  const plain = await makePage(service)
  const { headers, body } = await show(`/book/${page.slug}`)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /img-src 'self' https:\/\/www\.example\.com;/)
  const usual = (await show(`/book/${plain.page.slug}`)).headers.get('content-security-policy') ?? ''
  assert.equal(policy.replace(' https://www.example.com', ''), usual)
  assert.match(usual, /img-src 'self';/)
  const address = 'https://www.example.com/logo.png?a=1&amp;b=(2)'
  assert.ok(body.includes(`<img class="logo" src="${address}" alt="" referrerpolicy="no-referrer">`))
  assert.ok(body.includes(`<meta property="og:image" content="${address}">`))
  assert.doesNotMatch((await show(`/book/${plain.page.slug}`)).body, /og:image|<img|theme\.css/)
})

test('the colour comes in a style sheet of our own, and nothing but a colour makes one', async ({ service, show }) => {
  const { page } = await makePage(service, more)
  const { body } = await show(`/book/${page.slug}`)
  assert.match(body, /<link rel="stylesheet" href="\/pages\/theme\.css\?c=0b6e4f">/)
  assert.match(body, /<meta name="theme-color" content="#0b6e4f">/)
  const sheet = await show('/pages/theme.css?c=0b6e4f')
  assert.equal(sheet.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.match(sheet.body, /--accent: light-dark\(#0b6e4f, #[0-9a-f]{6}\);/)
  for (const wrong of ['', '?c=', '?c=red', '?c=0b6e4f}', '?c=0b6e4f&c=ffffff', '?c[x]=0b6e4f']) {
    assert.equal((await show(`/pages/theme.css${wrong}`)).status, 404, wrong)
  }
})

test('slots start every so many minutes, and can be booked and moved to', async ({ service, call, show }) => {
  const hours = { tue: { start: '12:00', end: '13:30' } }
  const { page } = await makePage(service, {
    slot_interval_minutes: 15,
    availability_constraints: hours,
    window_days: 7,
  })
  const starts = ['12:00', '12:15', '12:30', '12:45', '13:00'].map((time) => at(time))
  assert.deepEqual(await startsOf(service, page.slug), starts)
  for (const start of starts) {
    assert.match((await show(`/book/${page.slug}?slot=${start}`)).body, /data-view="form"/, start)
  }
  assert.equal((await bookSlot(service, page.slug, at('12:15'))).status, 201)
  assert.deepEqual(await startsOf(service, page.slug), [at('12:45'), at('13:00')])
  assertRefused(await bookSlot(service, page.slug, at('12:50')), 400, 'validation_error', { param: 'start' })
  const long = await makePage(service, { slot_interval_minutes: 60, availability_constraints: hours, window_days: 7 })
  assert.deepEqual(await startsOf(service, long.page.slug), [at('12:00'), at('13:00')])
  const booked = await bookSlot(service, long.page.slug, at('12:00'), { email: 'steps@example.com' })
  assert.equal(booked.status, 201)
  const path = /\/booking\/[\w-]{43}/.exec((await mailsTo(service, 'steps@example.com'))[0]!.text)![0]
  assert.equal((await call('POST', `${path}/reschedule`, { body: { start: at('13:00') } })).status, 200)
})

test('two guests who book overlapping slots at once: one gets the time', async ({ service }) => {
  for (let round = 0; round < 4; round++) {
    const { page } = await makePage(service, { slot_interval_minutes: 15 })
    const starts = ['12:00', '12:15', '12:00', '12:15'].map((time) => at(time))
    const answers = await Promise.all(starts.map((start) => bookSlot(service, page.slug, start)))
    const won = answers.filter(({ status }) => status === 201).length
    assert.ok(won === 1, `${answers.map(({ status }) => status)}`)
    assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  }
})

test('the clock is that of the language until a guest chooses, and stays chosen, also in mails', async ({
  service,
  show,
}) => {
  const { page } = await makePage(service)
  const english = await show(`/book/${page.slug}?day=2026-03-03`, { 'accept-language': 'en-US' })
  assert.match(english.body, /<bdi>1:00\s?PM<\/bdi>/u)
  const path = /<a id="clock" href="([^"]+)"/.exec(english.body)![1]!.replaceAll('&amp;', '&')
  const chosen = await show(path, { 'accept-language': 'en-US' })
  assert.match(chosen.body, /<bdi>13:00<\/bdi>/)
  assert.match(chosen.body, /clock=24&amp;slot=|slot=[^"]*clock=24|clock=24[^"]*slot=/)
  assert.match((await show(`/book/${page.slug}?clock=12`, { 'accept-language': 'de' })).body, /<bdi>1:00\s?PM<\/bdi>/u)
  assert.equal((await show(`/book/${page.slug}?clock=13`)).status, 200)
  const email = 'clock@example.com'
  await bookSlot(service, page.slug, at('13:00'), { email, clock: '12', lang: 'de' })
  assert.match((await mailsTo(service, email))[0]!.text, /1:00\s?PM – 1:30\s?PM/u)
  const midnight = await show(`/book/${page.slug}?day=2026-03-03&clock=24`, { 'accept-language': 'en-US' })
  assert.match(midnight.body, /<bdi>00:00<\/bdi>/)
})

test('further guests are invited, hear of every change, and cannot change anything', async ({ service, call }) => {
  const { page, calendar, key } = await makePage(service, { additional_guests: 2 })
  const guests = ['grace@example.com', 'HOST@example.com', ' Grace@example.com']
  const booked = await bookSlot(service, page.slug, at('12:00'), { email: 'host@example.com', guests, name: 'Ada' })
  assert.equal(booked.status, 201, JSON.stringify(booked.body))
  const [invitation, ...others] = await mailsTo(service, 'grace@example.com')
  assert.deepEqual(others, [])
  assert.match(invitation!.text, /^You are invited\.\n/)
  assert.match(invitation!.text, /\nBooked by: Ada\n/)
  assert.doesNotMatch(invitation!.text, /\/booking\//)
  const event = `/v1/calendars/${calendar.id}/events/${booked.body.event.id}`
  assert.deepEqual((await call('GET', event, { key })).body.metadata.booking.guests, ['grace@example.com'])
  await call('PATCH', event, { key, body: { start_time: at('14:00'), end_time: at('14:30') } })
  await service.drain()
  await call('DELETE', event, { key })
  assert.deepEqual(
    (await mailsTo(service, 'grace@example.com')).map(({ subject }) => subject),
    ['Confirmed: Chat', 'Rescheduled: Chat', 'Cancelled: Chat'],
  )
  assert.equal((await mailsTo(service, 'host@example.com')).length, 3)
})

test('a form sends further guests as a text, and says what is wrong with it', async ({ service }) => {
  const { page } = await makePage(service, { additional_guests: 2 })
  const send = (guests: string) => bookSlot(service, page.slug, at('12:00'), { guests }, { accept: browserAccept })
  for (const wrong of ['nobody', 'a@example.com, b@example.com, c@example.com', '"a\r\nBcc: x@example.com']) {
    const { status, body } = await send(wrong)
    assert.equal(status, 400, wrong)
    assert.match(body, /<input id="guests"[^>]*aria-invalid="true"/)
    assert.match(body, /Please enter at most 2 email addresses, separated by commas\./)
  }
  const { status, body } = await send('a@example.org; b@example.org')
  assert.equal(status, 201)
  assert.match(body, /<dt>Invited<\/dt><dd dir="auto">a@example\.org, b@example\.org<\/dd>/)
})

test('a page that does not ask for further guests takes none', async ({ service, show }) => {
  const guests = ['grace@example.com']
  for (const body of [{}, { additional_guests: 1, guest_mails: false }]) {
    const { page } = await makePage(service, body)
    assertRefused(await bookSlot(service, page.slug, at('12:00'), { guests }), 400, 'validation_error', {
      param: 'guests',
    })
    assert.doesNotMatch((await show(`/book/${page.slug}?slot=${at('12:00')}`)).body, /id="guests"/)
    assert.equal((await bookSlot(service, page.slug, at('12:00'), { guests: [] })).status, 201)
  }
})

test('nobody can use a page to write to strangers: invitations end for whoever sends them, and for an address', async ({
  service,
}) => {
  const { page } = await makePage(service, { additional_guests: 10, duration_minutes: 5 })
  const from = { 'x-forwarded-for': newAddress() }
  const stranger = (nth: number) => `stranger${nth}@example.net`
  for (let round = 0; round < 3; round++) {
    const guests = Array.from({ length: 10 }, (_, nth) => stranger(round * 10 + nth))
    const { status } = await bookSlot(
      service,
      page.slug,
      at(`12:${String(round * 5).padStart(2, '0')}`),
      { guests },
      from,
    )
    assert.equal(status, 201, 'the booking is made')
  }
  const got: number[] = []
  for (const nth of [0, 19, 20, 29]) got.push((await mailsTo(service, stranger(nth))).length)
  assert.deepEqual(got, [1, 1, 0, 0], 'twenty from one address in a day')
  for (let nth = 0; nth < 12; nth++) {
    const { page: other } = await makePage(service, { additional_guests: 1 })
    await bookSlot(service, other.slug, at('12:00'), { guests: ['one@example.net'], email: `sender${nth}@example.com` })
  }
  assert.equal((await mailsTo(service, 'one@example.net')).length, 10, 'ten to one address in a day')
})

test('where nothing is free there is a way to reach the host, and it is no script', async ({ service, show }) => {
  const never = { min_notice_minutes: 40_320, window_days: 1 }
  const contacts: [contact: string, shown: string][] = [
    ['ada@example.com', '<a href="mailto:ada@example.com">ada@example.com</a>'],
    [
      'https://example.com/ada',
      '<a href="https://example.com/ada" rel="nofollow noopener noreferrer" target="_blank">',
    ],
    ['+49 30 1234', '+49 30 1234'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['a@example.com?bcc=b@example.com', 'a@example.com?bcc=b@example.com'],
    ['<b>x</b>', '&lt;b&gt;x&lt;/b&gt;'],
  ]
  for (const [contact, shown] of contacts) {
    const { page } = await makePage(service, { ...never, contact })
    const { body } = await show(`/book/${page.slug}`)
    assert.ok(body.includes(`Contact the host: <bdi>${shown}`), body)
    assert.doesNotMatch(body, /href="(javascript|mailto:a@example\.com\?)/)
  }
  const { page } = await makePage(service, never)
  assert.doesNotMatch((await show(`/book/${page.slug}`)).body, /Contact the host/)
})

test('an owner is warned of a page on which nobody can ever book', async ({ service, call }) => {
  const { key, page } = await makePage(service, { min_notice_minutes: 1_440, window_days: 1 })
  assert.match(page.warnings[0], /^No time can be booked: min_notice_minutes reaches beyond window_days\./)
  const body = { min_notice_minutes: 1_410 }
  const { body: mended } = await call('PATCH', `/v1/booking-pages/${page.id}`, { key, body })
  assert.ok(!('warnings' in mended))
  assert.ok((await startsOf(service, page.slug)).length <= 1)
})

test('a booking goes into calendars on the web without the secret of its page', async ({ service, show }) => {
  const { page } = await makePage(service, { title: 'A & B "x"', location: 'Room 4' })
  const email = 'web@example.com'
  const booked = await bookSlot(service, page.slug, at('12:00'), { email }, { accept: browserAccept })
  const own = /\/booking\/[\w-]{43}/.exec(booked.body)![0]
  for (const body of [booked.body, (await show(own)).body]) {
    const links = [...body.matchAll(/<a href="(https:[^"]+)" target="_blank" rel="noopener noreferrer nofollow"/g)]
    const addresses = links.map(([, href]) => new URL(href!.replaceAll('&amp;', '&').replaceAll('&#39;', "'")))
    assert.deepEqual(
      addresses.map(({ hostname }) => hostname),
      ['calendar.google.com', 'outlook.live.com', 'outlook.office.com'],
    )
    const [google, outlook] = addresses.map(({ searchParams }) => searchParams)
    assert.deepEqual(
      ['text', 'dates', 'location'].map((name) => google!.get(name)),
      ['A & B "x"', '20260303T120000Z/20260303T123000Z', 'Room 4'],
    )
    assert.deepEqual(
      ['subject', 'startdt', 'enddt'].map((name) => outlook!.get(name)),
      ['A & B "x"', at('12:00'), at('12:30')],
    )
    for (const { href } of addresses) assert.ok(!href.includes(own.slice(9)) && !href.includes(page.slug))
  }
})
