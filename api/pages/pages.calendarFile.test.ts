// The calendar file of a booking.
import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { decodeId } from '../../src/shapes/ids.ts'
import { browserAccept, guestPageTest, start } from '../../src/testing/guestPages.ts'
import { makePage } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = guestPageTest()

test('the calendar file has the event and nothing of the guest', async ({ service, get, submit }) => {
  const made = await makePage(service, { title: 'Chat; with, commas', description: 'Two\nlines', duration_minutes: 45 })
  const { body } = await submit(made.page.slug)
  const address = /href="([^"]*\.ics)"/.exec(body)![1]!
  assert.doesNotMatch(decodeURIComponent(address), /ada guest|ada@/i)
  const file = await get(address)
  assert.equal(file.status, 200)
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="booking.ics"')
  assert.doesNotMatch(file.body, /ada/i)
  const [vevent] = new ICAL.Component(ICAL.parse(file.body)).getAllSubcomponents('vevent')
  const event = new ICAL.Event(vevent!)
  const events = (await service.call('GET', `/v1/calendars/${made.calendar.id}/events`, { key: made.key })).body.data
  assert.deepEqual(
    [
      event.uid,
      event.summary,
      event.description,
      ...[event.startDate, event.endDate].map((time) => time.toJSDate().toISOString()),
    ],
    [`${events[0].id}@agent-calendar`, 'Chat; with, commas', 'Two\nlines', start, '2026-03-02T12:45:00.000Z'],
  )
})

test('a calendar file needs the token that the guest got, on the page of the booking', async ({
  service,
  get,
  submit,
}) => {
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
