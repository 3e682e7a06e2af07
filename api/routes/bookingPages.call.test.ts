// The call of a booking page: for guests who have booked, and on their events.
import assert from 'node:assert/strict'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../../src/testing/guests.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })

const conference = { url: 'https://meet.example.com/ada', provider: 'Meet', pin: '42', phone: '+49 30 1' }

test('guests get the call in mails, files and pages, others only its provider; events get it where the page says so', async ({
  service,
}) => {
  const { key, calendar, page } = await makePage(service, { conference, location: 'Room 4' })
  assert.deepEqual([page.conference, 'details_on_event' in page], [conference, false])
  const from = { headers: { 'x-forwarded-for': newAddress() } }
  const shown = await service.call('GET', `/book/${page.slug}/slots`, from)
  assert.deepEqual(shown.body.booking_page.conference, { provider: 'Meet' })
  const html = await service.call('GET', `/book/${page.slug}`, { headers: { ...from.headers, accept: 'text/html' } })
  assert.match(html.body, />Meet</)
  assert.doesNotMatch(html.body, /meet\.example\.com/)
  const events = async () => (await service.call('GET', `/v1/calendars/${calendar.id}/events`, { key })).body.data
  const [first, , later] = await startsOf(service, page.slug)
  await bookSlot(service, page.slug, first!)
  const [mail] = await mailsTo(service, 'ada@example.com')
  assert.match(mail!.text, /\nCall: Meet, https:\/\/meet\.example\.com\/ada, PIN 42, \+49 30 1\n/)
  const content = mail!.mail.attachments[0]?.content as ArrayBuffer
  assert.match(
    Buffer.from(content).toString().replaceAll('\r\n ', ''),
    /\r?\nCONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Meet:https:\/\/meet\.example\.com\/ada\r?\n/,
  )
  const [path] = /\/booking\/[\w-]{43}/.exec(mail!.text)!
  const booking = await service.call('GET', path, { headers: { ...from.headers, accept: 'text/html' } })
  assert.match(booking.body, /https:\/\/meet\.example\.com\/ada/)
  const [{ location, conference: none }] = await events()
  assert.deepEqual([location, none], [undefined, undefined])
  const on = await service.call('PATCH', `/v1/booking-pages/${page.id}`, { key, body: { details_on_event: true } })
  assert.equal(on.body.details_on_event, true)
  await bookSlot(service, page.slug, later!, { email: 'eva@example.com' })
  const last = (await events()).at(-1)
  assert.deepEqual([last.location, last.conference], ['Room 4', conference])
  const wrong = { conference: { url: 'http://meet.example.com' } }
  const refused = await service.call('PATCH', `/v1/booking-pages/${page.id}`, { key, body: wrong })
  assertRefused(refused, 400, 'validation_error', { param: 'conference.url' })
})
