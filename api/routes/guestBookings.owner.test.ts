// Changes by an owner to a booked event reach its guest by mail: once for each change, with a file that changes their calendar.
import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeAgentKey, makeCalendar } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, type TestPage } from '../../src/testing/guests.ts'
import { adminToken, testStart } from '../../src/testing/harness.ts'
import { mailsTo, type ReadMail } from '../../src/testing/mailbox.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const at = (time: string, day = '03') => `2026-03-${day}T${time}:00.000Z`
let guests = 0

const invitationIn = ({ mail }: ReadMail) => {
  const { content } = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')!
  const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()
  const calendar = new ICAL.Component(ICAL.parse(text))
  const value = (name: string) => String(calendar.getFirstSubcomponent('vevent')!.getFirstPropertyValue(name))
  return [calendar.getFirstPropertyValue('method'), value('uid'), value('sequence'), value('status'), value('dtstart')]
}

const test = serviceTest({ env: guestEnv }).extend('desk', perFile, ({ service }) => {
  const book = async (made: TestPage, start = at('12:00'), body: object = {}) => {
    const email = `guest${++guests}@example.com`
    const { status, body: booked } = await bookSlot(service, made.page.slug, start, { email, ...body })
    assert.equal(status, 201, JSON.stringify(booked))
    const [mail] = await mailsTo(service, email)
    const path = /\/booking\/[\w-]{43}/.exec(mail?.text ?? '')?.[0]
    const event = `/v1/calendars/${made.calendar.id}/events/${booked.event.id}`
    const change = (method: string, change?: object) =>
      service.call(method, event, { key: made.key, ...(change && { body: change }) })
    return { email, path, uid: `${booked.event.id}@agent-calendar`, change, event }
  }
  return { book, news: async (email: string) => (await mailsTo(service, email)).slice(1) }
})

test('a move by the owner is one mail; the same again, and what is not the time, is none', async ({
  service,
  desk,
}) => {
  const made = await makePage(service)
  const { email, uid, change, path } = await desk.book(made, at('12:00'), { name: 'Zoë', zone: 'Europe/Berlin' })
  const times = { start_time: at('14:00'), end_time: at('14:30') }
  assert.equal((await change('PATCH', times)).status, 200)
  assert.equal((await change('PATCH', times)).status, 200)
  assert.equal((await change('PATCH', { title: 'Other', metadata: { room: 'red' } })).status, 200)
  const [moved, ...more] = await desk.news(email)
  assert.deepEqual(more, [])
  assert.equal(moved!.subject, 'Rescheduled: Chat')
  assert.match(moved!.text, /^Hello Zoë,\n\nthe host has moved your booking\.\n/)
  assert.match(
    moved!.text,
    /When: Tuesday,? 3 March 2026, 15:00 – 15:30 \(Europe\/Berlin, CET\)\nBefore: .* 13:00 – 13:30/,
  )
  assert.ok(moved!.text.includes(path!), 'the address of the page of the booking')
  assert.deepEqual(invitationIn(moved!), ['REQUEST', uid, '1', 'CONFIRMED', '2026-03-03T14:00:00Z'])
})

test('every change has a higher SEQUENCE, whoever makes it; the last one ends the entry', async ({ service, desk }) => {
  const made = await makePage(service)
  const { email, uid, change, path } = await desk.book(made)
  await change('PATCH', { start_time: at('14:00'), end_time: at('14:30') })
  await service.drain()
  assert.equal((await service.call('POST', `${path}/reschedule`, { body: { start: at('16:00') } })).status, 200)
  await service.drain()
  await change('PATCH', { end_time: at('17:30') })
  await service.drain()
  assert.equal((await change('DELETE')).status, 204)
  const news = await desk.news(email)
  assert.deepEqual(
    news.map((mail) => invitationIn(mail).filter((_, nth) => nth !== 1)),
    [
      ['REQUEST', '1', 'CONFIRMED', '2026-03-03T14:00:00Z'],
      ['REQUEST', '2', 'CONFIRMED', '2026-03-03T16:00:00Z'],
      ['REQUEST', '3', 'CONFIRMED', '2026-03-03T16:00:00Z'],
      ['CANCEL', '4', 'CANCELLED', '2026-03-03T16:00:00Z'],
    ],
  )
  assert.ok(news.every((mail) => invitationIn(mail)[1] === uid))
  assert.equal(news[3]!.subject, 'Cancelled: Chat')
  assert.match(news[3]!.text, /the host has cancelled your booking\./)
  assert.doesNotMatch(news[3]!.text, /\/booking\//)
})

test('the end is told once: cancelled, then deleted, also at the same moment; after the guest nobody tells', async ({
  service,
  desk,
}) => {
  const made = await makePage(service)
  const one = await desk.book(made)
  assert.equal((await one.change('PATCH', { status: 'cancelled' })).status, 200)
  assert.equal((await one.change('DELETE')).status, 204)
  const two = await desk.book(made, at('13:00'))
  await Promise.all([two.change('DELETE'), two.change('DELETE'), two.change('PATCH', { status: 'cancelled' })])
  const three = await desk.book(made, at('14:00'))
  assert.equal((await service.call('POST', `${three.path}/cancel`)).status, 200)
  await service.drain()
  await three.change('DELETE')
  for (const { email } of [one, two, three]) {
    const news = await desk.news(email)
    assert.deepEqual(
      news.map(({ subject }) => subject),
      ['Cancelled: Chat'],
    )
  }
})

test('a removed calendar cancels the bookings that are still to come, and no others', async ({
  service,
  desk,
  onTestFinished,
}) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service)
  const other = await makePage(service)
  const over = await desk.book(made, at('12:00'))
  const gone = await desk.book(made, at('13:00', '04'))
  const coming = await desk.book(made, at('14:00', '04'))
  const elsewhere = await desk.book(other, at('14:00', '04'))
  await gone.change('DELETE')
  await service.clock.set(at('12:30'))
  const { status } = await service.call('DELETE', `/v1/calendars/${made.calendar.id}`, { key: made.key })
  assert.equal(status, 204)
  const subjects = async (email: string) => (await desk.news(email)).map(({ subject }) => subject)
  assert.deepEqual(await subjects(coming.email), ['Cancelled: Chat'])
  assert.deepEqual(await subjects(gone.email), ['Cancelled: Chat'], 'once, by its own deletion')
  assert.deepEqual([await subjects(over.email), await subjects(elsewhere.email)], [[], []])
})

test('what is over is not told, and a page without mails sends none', async ({ service, desk, onTestFinished }) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service)
  const over = await desk.book(made)
  await service.clock.set(at('13:00'))
  assert.equal((await over.change('DELETE')).status, 204)
  assert.deepEqual(await desk.news(over.email), [])
  const quiet = await makePage(service)
  const silent = await desk.book(quiet, at('15:00'))
  await service.call('PATCH', `/v1/booking-pages/${quiet.page.id}`, { key: quiet.key, body: { guest_mails: false } })
  await silent.change('DELETE')
  assert.deepEqual(await desk.news(silent.email), [])
})

test('a change whose statement does not happen tells nobody', async ({ service, desk }) => {
  const made = await makePage(service)
  const { email, event } = await desk.book(made)
  const refused = await service.call('PATCH', event, {
    key: made.key,
    body: { start_time: at('15:00'), end_time: at('15:30') },
    headers: { 'if-match': '"other"' },
  })
  assert.equal(refused.status, 412)
  const tried = await service.call('DELETE', `${event}?dry_run=true`, { key: made.key })
  assert.ok(tried.status < 300, JSON.stringify(tried.body))
  assert.deepEqual(await desk.news(email), [])
})

test('no mail has an address before it is sent: after an erasure none leaves', async ({ service, desk }) => {
  const made = await makePage(service)
  const { email, change } = await desk.book(made)
  await change('PATCH', { start_time: at('15:00'), end_time: at('15:30') })
  const { sql } = service.app
  const [waiting] = await sql<{ text: string; sealed: boolean }[]>`
    select to_jsonb(m)::text as text, content_sealed is not null as sealed from mails m where kind = 'booking_moved'`
  assert.equal(waiting?.sealed, false)
  assert.ok(!waiting.text.includes(email))
  await sql`delete from bookings where org_id in (select org_id from mails where kind = 'booking_moved')`
  assert.deepEqual(await desk.news(email), [])
  const [left] = await sql`select count(*)::integer as mails from mails`
  assert.equal(left!.mails, 0, 'it does not stay either')
})

test('the erasure of the organization takes the mails that wait', async ({ service, call, desk }) => {
  const { token, orgId } = await makeAccount(service)
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  const calendar = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  const { body: page } = await call('POST', '/v1/booking-pages', {
    key,
    body: { calendar_id: calendar.id, title: 'Chat' },
  })
  const { email, change } = await desk.book({ key, orgId, calendar, page })
  assert.equal((await change('DELETE')).status, 204)
  assert.equal((await call('DELETE', '/v1/auth/account', { key: token })).status, 204)
  assert.deepEqual(await desk.news(email), [])
})

test('an owner cannot fill a mailbox: moves wait for the next day, the last one is sent, and an end comes through', async ({
  service,
  desk,
  onTestFinished,
}) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service)
  const { email, change } = await desk.book(made, at('12:00', '05'))
  for (let nth = 0; nth < 14; nth++) {
    const hour = 10 + (nth % 10)
    await change('PATCH', { start_time: at(`${hour}:00`, '05'), end_time: at(`${hour}:30`, '05') })
    await service.drain()
  }
  assert.equal((await desk.news(email)).length, 9, 'ten with the confirmation')
  await service.clock.set(at('12:00', '04'))
  const news = await desk.news(email)
  assert.equal(news.length, 10, 'of those that waited only the last one is still true')
  assert.equal(invitationIn(news[9]!)[2], '14')
  for (let nth = 0; nth < 12; nth++) {
    await change('PATCH', { start_time: at(`${nth}:00`.padStart(5, '0'), '06'), end_time: at('23:00', '06') })
    await service.drain()
  }
  await change('DELETE')
  assert.equal((await desk.news(email)).at(-1)!.subject, 'Cancelled: Chat')
})

test('an agent that moves its own booking tells the guest, too', async ({ service, desk }) => {
  const made = await makePage(service)
  const { agentId } = (await service.call('GET', `/v1/calendars/${made.calendar.id}`, { key: made.key })).body
  const key = await makeAgentKey(service, made.key, agentId)
  const { email, event } = await desk.book(made)
  const { status } = await service.call('PATCH', event, {
    key,
    body: { start_time: at('15:00'), end_time: at('15:30') },
  })
  assert.equal(status, 200)
  assert.deepEqual(
    (await desk.news(email)).map(({ subject }) => subject),
    ['Rescheduled: Chat'],
  )
})

test('a mail about a change outlives a mail server that is away, and is counted once', async ({
  service,
  desk,
  onTestFinished,
}) => {
  const made = await makePage(service)
  const { email, change } = await desk.book(made, at('12:00', '05'))
  const real = service.app.mail
  onTestFinished(async () => {
    service.app.mail = real
    await service.clock.set(testStart)
  })
  service.app.mail = { send: () => Promise.reject(new Error('away')), close: () => undefined }
  await change('PATCH', { start_time: at('14:00', '05'), end_time: at('14:30', '05') })
  for (const seconds of [0, 10, 30, 60, 120, 300, 900]) {
    await service.clock.advance(seconds * 1_000)
    await service.drain()
  }
  service.app.mail = real
  await service.clock.advance(3_600_000)
  const subjects = async () => (await desk.news(email)).map(({ subject }) => subject)
  assert.deepEqual(await subjects(), ['Rescheduled: Chat'])
  for (let nth = 0; nth < 8; nth++) {
    await change('PATCH', { start_time: at(`${10 + nth}:00`, '05'), end_time: at('20:00', '05') })
    await service.drain()
  }
  assert.equal((await subjects()).length, 9, 'ten with the confirmation')
})
