// The page of a booking: its guest cancels and moves it, and gets a mail each time.
import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { purgeBookings } from '../../src/bookingPages/bookings.ts'
import { makeAgent, makeWebhook } from '../../src/testing/factories.ts'
import { browserAccept } from '../../src/testing/guestPages.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf, type TestPage } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'
import { mailsTo, type ReadMail } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const at = (time: string, day = '03') => `2026-03-${day}T${time}:00.000Z`
let guests = 0

const fileIn = ({ mail }: ReadMail): string => {
  const { content } = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')!
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()
}
const eventIn = (mail: ReadMail) => {
  const calendar = new ICAL.Component(ICAL.parse(fileIn(mail)))
  const event = calendar.getFirstSubcomponent('vevent')!
  const value = (name: string) => String(event.getFirstPropertyValue(name))
  return { method: calendar.getFirstPropertyValue('method'), event, value }
}

const test = serviceTest({ env: guestEnv }).extend('desk', perFile, ({ service }) => {
  const send = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    service.call('POST', path, { body, headers: { 'x-forwarded-for': newAddress(), ...headers } })
  const open = (path: string, headers: Record<string, string> = {}) =>
    service.call('GET', path, { headers: { 'x-forwarded-for': newAddress(), ...headers } })
  const book = async ({ page }: TestPage, start = at('12:00'), body: object = {}) => {
    const email = `guest${++guests}@example.com`
    const { status, body: booked } = await bookSlot(service, page.slug, start, { email, ...body })
    assert.equal(status, 201, JSON.stringify(booked))
    const [mail] = await mailsTo(service, email)
    const path = /\/booking\/[\w-]{43}/.exec(mail?.text ?? '')?.[0]
    return { path: path!, email, eventId: booked.event.id as string, mail: mail! }
  }
  const eventsOf = async ({ key, calendar }: TestPage) =>
    (await service.call('GET', `/v1/calendars/${calendar.id}/events`, { key })).body.data
  return { send, open, book, eventsOf }
})

test('a guest gets a mail in their language and zone, with a file for their calendar', async ({ service, desk }) => {
  const made = await makePage(service, { host_name: 'Ada "X" Lovelace', location: 'Room 4', description: 'Short' })
  const { mail, eventId, email } = await desk.book(made, at('12:00'), {
    name: 'Zoë',
    zone: 'Europe/Berlin',
    lang: 'de',
  })
  assert.equal(mail.subject, 'Bestätigt: Chat')
  assert.match(mail.text, /^Guten Tag Zoë,\n\nIhre Buchung ist bestätigt\.\n/)
  assert.match(mail.text, /Wann: Dienstag, 3\. März 2026, 13:00 – 13:30 \(Europe\/Berlin, MEZ\)\nWo: Room 4\n/)
  assert.match(mail.text, new RegExp(`${service.app.config.baseUrl}/booking/[\\w-]{43}\n`))
  assert.deepEqual(
    [mail.mail.from?.address, mail.mail.to?.map(({ address }) => address)],
    [service.app.config.mailFrom, [email]],
  )
  const { method, event, value } = eventIn(mail)
  assert.deepEqual(
    [method, value('uid'), value('sequence'), value('summary'), value('location'), value('status')],
    ['REQUEST', `${eventId}@agent-calendar`, '0', 'Chat', 'Room 4', 'CONFIRMED'],
  )
  assert.equal(value('organizer'), `mailto:${service.app.config.mailFrom}`)
  assert.match(String(event.getFirstProperty('organizer')?.getParameter('cn')), /^Ada\s+X\s+Lovelace$/)
  assert.match(value('attendee').toLowerCase(), new RegExp(email))
  assert.equal(event.getFirstProperty('attendee')?.getParameter('partstat'), 'ACCEPTED')
})

test('opening the page of a booking changes nothing and shows where it stands', async ({ service, desk }) => {
  const made = await makePage(service)
  const { path, eventId } = await desk.book(made)
  const expected = {
    booking_page_id: made.page.id,
    event: { id: eventId, status: 'confirmed' },
    start: at('12:00'),
    end: at('12:30'),
    can_cancel: true,
    can_reschedule: true,
  }
  assert.deepEqual((await desk.open(path)).body, expected)
  for (const query of [
    '',
    '?do=cancel',
    '?do=reschedule',
    `?slot=${at('14:00')}`,
    '?lang=ar',
    '?slot=x&zone=y&lang=z',
  ]) {
    const { status, body, headers } = await desk.open(path + query, { accept: browserAccept })
    assert.equal(status, 200, query)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.match(body, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(body, new RegExp(made.page.slug))
  }
  assert.deepEqual((await desk.open(path)).body, expected)
  const file = await desk.open(`${path}/booking.ics`)
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.match(file.body, /DTSTART:20260303T120000Z/)
  assert.doesNotMatch(file.body, /guest\d|Ada/)
})

test('a guest cancels: the event is deleted and told once, however often it is sent', async ({
  service,
  desk,
  receiver,
}) => {
  const made = await makePage(service)
  await makeWebhook(service, made.key, receiver.url, ['event.deleted'])
  const { path, email, eventId } = await desk.book(made)
  receiver.received.length = 0
  const answers = await Promise.all([1, 2, 3].map(() => desk.send(`${path}/cancel`)))
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.deepEqual([body.event.status, body.can_cancel, body.can_reschedule], ['cancelled', false, false])
  }
  assert.deepEqual(await desk.eventsOf(made), [])
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload),
    [{ calendar_id: made.calendar.id, event_id: eventId }],
  )
  const mails = await mailsTo(service, email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Confirmed: Chat', 'Cancelled: Chat'],
  )
  const { method, value } = eventIn(mails[1]!)
  assert.deepEqual([method, value('sequence'), value('status')], ['CANCEL', '1', 'CANCELLED'])
  const { data } = (await service.call('GET', '/v1/changes?cursor=oldest&limit=200', { key: made.key })).body
  const deleted = data.filter(({ type }: { type: string }) => type === 'event.deleted')
  assert.deepEqual(
    deleted.map(({ cause }: { cause: string }) => cause),
    ['booking'],
  )
  const log = (await service.call('GET', '/v1/audit-log?action=event.delete', { key: made.key })).body.data
  assert.deepEqual([log[0].resource, log[0].path], [eventId, `/book/${made.page.id}`])
  assertRefused(await desk.send(`${path}/reschedule`, { start: at('14:00') }), 409, 'conflict')
  assertRefused(await desk.open(`${path}/booking.ics`), 404, 'not_found')
  assert.ok((await startsOf(service, made.page.slug)).includes(at('12:00')), 'the slot is free again')
})

test('a guest moves a booking, also to a slot that its own buffer covers; moving it to where it is does nothing', async ({
  service,
  desk,
  receiver,
}) => {
  const made = await makePage(service, { buffer_minutes: 30 })
  await makeWebhook(service, made.key, receiver.url, ['event.updated'])
  const { path, email, eventId } = await desk.book(made)
  receiver.received.length = 0
  const moved = await desk.send(`${path}/reschedule`, { start: at('12:30') })
  assert.deepEqual([moved.status, moved.body.start, moved.body.end], [200, at('12:30'), at('13:00')])
  assert.deepEqual((await desk.send(`${path}/reschedule`, { start: at('12:30') })).body, moved.body)
  const [event] = await desk.eventsOf(made)
  assert.deepEqual([event.id, event.startTime, event.metadata.booking.email], [eventId, at('12:30'), email])
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.event.startTime),
    [at('12:30')],
  )
  const mails = await mailsTo(service, email)
  assert.equal(mails.length, 2)
  assert.match(
    mails[1]!.text,
    /When: Tuesday,? 3 March 2026, 12:30 – 13:00 \(UTC, UTC\)\nBefore: Tuesday,? 3 March 2026, 12:00/,
  )
  const { method, value } = eventIn(mails[1]!)
  assert.deepEqual([method, value('uid'), value('sequence')], ['REQUEST', `${eventId}@agent-calendar`, '1'])
  assert.equal((await bookSlot(service, made.page.slug, at('11:30'))).status, 201)
  const taken = await desk.send(`${path}/reschedule`, { start: at('11:30') })
  assertRefused(taken, 409, 'conflict', { param: 'start' })
  assert.equal(taken.body.error.alternatives, undefined)
  const helped = await desk.send(`${path}/reschedule?explain=true`, { start: at('11:30') })
  // Its own time is among them: it would be free.
  const starts = ['12:30', '13:00', '13:30', '14:00', '14:30', '15:00'].map((time) => at(time))
  assert.equal(helped.status, 409)
  assert.deepEqual(
    helped.body.error.alternatives,
    starts.slice(0, 5).map((start, nth) => ({ start, end: starts[nth + 1] })),
  )
  for (const start of [at('12:35'), '2026-02-01T10:00:00Z', '2027-02-01T10:00:00Z']) {
    assertRefused(await desk.send(`${path}/reschedule`, { start }), 400, 'validation_error', { param: 'start' })
  }
})

test('the notice of the page holds for changes, too', async ({ service, desk, onTestFinished }) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service, { min_notice_minutes: 60 })
  const { path } = await desk.book(made)
  await service.clock.set(at('11:00'))
  for (const verb of ['cancel', 'reschedule']) {
    const body = verb === 'cancel' ? {} : { start: at('14:00') }
    assertRefused(await desk.send(`${path}/${verb}`, body), 409, 'conflict')
    const shown = await desk.send(`${path}/${verb}`, body, { accept: browserAccept })
    assert.equal(shown.status, 409)
    assert.match(shown.body, /It is too late to change this booking here/)
  }
  const { can_cancel, can_reschedule } = (await desk.open(path)).body
  assert.deepEqual([can_cancel, can_reschedule], [false, false])
  assert.equal((await desk.eventsOf(made)).length, 1)
})

test('of a cancellation and moves at the same moment one wins', async ({ service, desk }) => {
  for (let round = 0; round < 6; round++) {
    const made = await makePage(service)
    const { path } = await desk.book(made)
    const answers = await Promise.all([
      desk.send(`${path}/reschedule`, { start: at('14:00') }),
      desk.send(`${path}/cancel`),
      desk.send(`${path}/reschedule`, { start: at('15:00') }),
    ])
    assert.equal(answers[1]!.status, 200)
    for (const { status } of answers) assert.ok([200, 409].includes(status))
    assert.deepEqual(await desk.eventsOf(made), [], 'a cancelled booking stays cancelled')
  }
})

test('two bookings cannot be moved to one slot', async ({ service, desk }) => {
  const made = await makePage(service)
  const [one, two] = [await desk.book(made, at('12:00')), await desk.book(made, at('13:00'))]
  const answers = await Promise.all(
    [one, two].map(({ path }) => desk.send(`${path}/reschedule`, { start: at('15:00') })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('what is unknown, malformed or long over is one 404', async ({ service, desk, onTestFinished }) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service)
  const { path } = await desk.book(made)
  const wrong = [`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, '/booking/x', '/booking/%00']
  for (const one of wrong) {
    assertRefused(await desk.open(one), 404, 'not_found')
    assertRefused(await desk.send(`${one}/cancel`), 404, 'not_found')
    assertRefused(await desk.send(`${one}/reschedule`, { start: at('14:00') }), 404, 'not_found')
  }
  const shown = await desk.open(wrong[0]!, { accept: browserAccept })
  assert.equal(shown.status, 404)
  assert.match(shown.body, /<h1>This booking is not available<\/h1>/)
  await service.clock.set('2026-04-02T12:29:00Z')
  assert.equal((await desk.open(path)).status, 200)
  await purgeBookings(service.app)
  assert.equal((await desk.open(path)).status, 200)
  await service.clock.set('2026-04-02T12:30:01Z')
  assertRefused(await desk.open(path), 404, 'not_found')
  await purgeBookings(service.app)
  const [row] = await service.app
    .sql`select count(*)::integer as left from bookings where end_time < app_now() - interval '30 days'`
  assert.equal(row!.left, 0)
})

test('what the owner does to the event is what the guest sees', async ({ service, call, desk }) => {
  const made = await makePage(service)
  const path = (id: string) => `/v1/calendars/${made.calendar.id}/events/${id}`
  const moved = await desk.book(made)
  const times = { start_time: at('16:00'), end_time: at('17:00') }
  assert.equal((await call('PATCH', path(moved.eventId), { key: made.key, body: times })).status, 200)
  assert.equal((await desk.open(moved.path)).body.start, at('16:00'))
  await call('DELETE', path(moved.eventId), { key: made.key })
  assert.equal((await desk.open(moved.path)).body.event.status, 'cancelled')
  assert.equal((await desk.send(`${moved.path}/cancel`)).status, 200)
  const closed = await desk.book(made)
  await call('DELETE', `/v1/booking-pages/${made.page.id}`, { key: made.key })
  assert.deepEqual(
    [(await desk.open(closed.path)).body.can_cancel, (await desk.open(closed.path)).body.can_reschedule],
    [true, false],
  )
  assertRefused(await desk.send(`${closed.path}/reschedule`, { start: at('14:00') }), 409, 'conflict')
  assert.equal((await desk.send(`${closed.path}/cancel`)).status, 200)
})

test('the page of another site changes nothing', async ({ service, desk }) => {
  const made = await makePage(service, { allowed_origins: ['https://www.example.com'] })
  const { path } = await desk.book(made)
  for (const origin of ['https://www.example.com', 'null']) {
    assertRefused(await desk.send(`${path}/cancel`, {}, { origin }), 403, 'forbidden')
  }
  assert.equal((await desk.eventsOf(made)).length, 1)
})

test('a page is no way to fill a mailbox: moves end, an address gets ten mails a day, and an owner can have none sent', async ({
  service,
  desk,
}) => {
  const made = await makePage(service)
  const { path, email } = await desk.book(made)
  const times = Array.from({ length: 10 }, (_, nth) => at(`${13 + (nth % 2)}:00`))
  for (const start of times) assert.equal((await desk.send(`${path}/reschedule`, { start })).status, 200)
  assertRefused(await desk.send(`${path}/reschedule`, { start: at('15:00') }), 409, 'conflict')
  assert.equal((await desk.open(path)).body.can_cancel, true)
  assert.equal((await mailsTo(service, email)).length, 10)
  assert.equal((await bookSlot(service, made.page.slug, at('18:00'), { email: email.toUpperCase() })).status, 201)
  assert.equal((await mailsTo(service, email.toUpperCase())).length, 0)
  const quiet = await makePage(service, { guest_mails: false })
  await bookSlot(service, quiet.page.slug, at('12:00'), { email: 'quiet@example.com' })
  assert.equal((await mailsTo(service, 'quiet@example.com')).length, 0)
})

test('nothing that a guest or an owner types becomes a header, a recipient or a line of the file', async ({
  service,
  desk,
}) => {
  const title = 'Chat\r\nBcc: evil@example.com\r\n\r\nBEGIN:VEVENT'
  const made = await makePage(service, {
    title,
    description: 'x\r\nATTENDEE:mailto:evil@example.com',
    location: 'a;b,c\\n:d',
  })
  const names = ['Win at https://evil.example now', 'evil.example', 'a@evil.example', 'Ada\r\nBcc: evil@example.com']
  for (const [nth, name] of names.entries()) {
    const { mail } = await desk.book(made, at(`${12 + nth}:00`), { name })
    assert.equal(mail.mail.to?.length, 1)
    assert.deepEqual([mail.mail.bcc, mail.mail.cc], [undefined, undefined])
    assert.ok(!mail.mail.headers.some(({ key }) => key === 'bcc'))
    assert.doesNotMatch(mail.text.split('\n')[0]!, /evil/)
    const { event, value } = eventIn(mail)
    assert.equal(event.getAllProperties('attendee').length, 1)
    assert.equal(value('location'), 'a;b,c\\n:d')
    assert.equal(fileIn(mail).match(/^BEGIN:VEVENT/gm)?.length, 1)
  }
})

test("the token stands in no table, and the guest's data is sealed", async ({ service, desk }) => {
  const made = await makePage(service)
  const { path, email } = await desk.book(made)
  const [{ text } = { text: '' }] = await service.app
    .sql`select string_agg(to_jsonb(b)::text, '') as text from bookings b`
  assert.ok(!text.includes(path.split('/').at(-1)) && !text.includes(email))
  assert.ok(!text.includes(Buffer.from(email).toString('hex')))
})

test('a form that is sent again links to the same page of the booking, and mails once', async ({ service, desk }) => {
  const made = await makePage(service)
  const email = 'again@example.com'
  const body = { email, attempt: 'a-word-of-its-own-form' }
  const pages = [1, 2].map(() => bookSlot(service, made.page.slug, at('12:00'), body, { accept: browserAccept }))
  const addresses = (await Promise.all(pages)).map((page) => /\/booking\/[\w-]{43}/.exec(page.body)?.[0])
  assert.ok(addresses[0])
  assert.equal(addresses[0], addresses[1])
  assert.equal((await mailsTo(service, email)).length, 1)
  assert.equal((await desk.open(addresses[0])).status, 200)
})

test('an agent that is decommissioned leaves bookings as they are', async ({ service, call, desk }) => {
  const made = await makePage(service)
  const { path } = await desk.book(made)
  const other = await makeAgent(service, made.key)
  assert.ok(other.id)
  const { agentId } = (await call('GET', `/v1/calendars/${made.calendar.id}`, { key: made.key })).body
  assert.equal((await call('DELETE', `/v1/agents/${agentId}`, { key: made.key })).status, 204)
  assertRefused(await desk.send(`${path}/cancel`), 409, 'conflict')
})
