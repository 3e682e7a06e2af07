// Parts of a human's calendar that cannot be read. The tests move the clock, so they have their own file.
import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { vcalendar, vevent } from '../../src/testing/feedServer.ts'

const minute = 60_000
const day = '2026-03-03'
const stamp = (time: string) => `20260303T${time.replace(':', '')}00Z`
const busy = (from: string, to: string) => vcalendar(vevent(`${from}@x`, { DTSTART: stamp(from), DTEND: stamp(to) }))

const test = connectionTest().extend('ask', async ({ service, desk }) => {
  const window = `start=${day}T08:00:00Z&end=${day}T12:00:00Z&duration=1h`
  const agent = async () =>
    (await service.call('GET', `/v1/agents/${desk.agent.id}/availability?${window}`, { key: desk.key })).body
  return { agent }
})

const starts = (answer: { slots: { start: string }[] }) => answer.slots.map(({ start }) => start.slice(11, 16))

const at9 = { DTSTART: stamp('09:00'), DTEND: stamp('10:00') }
for (const [what, ics, starting] of [
  ['a start in other digits', vevent('a', { DTSTART: '۲۰۲۶۰۳۰۳T۰۹۰۰۰۰Z' }), undefined],
  ['an end in other digits', vevent('a', { ...at9, DTEND: '٢٠٢٦٠٣٠٣T١٠٠٠٠٠Z' }), undefined],
  ['a rule that is none', vevent('a', { ...at9, RRULE: 'FREQ=SOMETIMES' }), undefined],
  ['a rule of another calendar system', vevent('a', { ...at9, RRULE: 'RSCALE=HEBREW;FREQ=DAILY' }), undefined],
  ['an event that is never ended', 'BEGIN:VEVENT\r\nUID:a', undefined],
  [
    'an empty part of a rule',
    vevent('a', { ...at9, RRULE: 'FREQ=DAILY;COUNT=;INTERVAL=' }),
    ['08:00', '10:00', '11:00'],
  ],
  ['an end before the start', vevent('a', { ...at9, DTEND: stamp('08:00') }), ['08:00', '09:01', '10:01']],
] as const) {
  test(`${what} in a calendar of a human is never free time`, async ({ service, caldav, desk, ask }) => {
    const { connection, calendarId } = await desk.granted()
    assert.equal((await ask.agent()).availability_state, 'complete')
    caldav.put('personal', 'a.ics', vcalendar(ics))
    await service.clock.advance(6 * minute)
    await desk.drain()
    const answer = await ask.agent()
    assert.equal(answer.availability_state === 'complete', starting !== undefined)
    assert.deepEqual(starts(answer), starting ?? [])
    const shown = async () =>
      (await desk.read(connection.id)).calendars.find(({ id }: { id: string }) => id === calendarId).sync
    const isRead = what === 'an empty part of a rule'
    const { status, last_error_category: category } = await shown()
    assert.deepEqual([status, category], [starting ? 'current' : 'partial', isRead ? null : 'malformed'])
    caldav.put('personal', 'a.ics', busy('11:00', '12:00'))
    await service.clock.advance(6 * minute)
    await desk.drain()
    assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '10:00'])
    assert.deepEqual((await shown()).last_error_category, null)
  })
}
