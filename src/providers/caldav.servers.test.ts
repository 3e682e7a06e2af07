// Real CalDAV servers: what a human writes there is what we read, and copies of events come and go. Skipped where they are not
// installed.
import assert from 'node:assert/strict'
import { connectionTest } from '../testing/connections.ts'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { realCaldavs } from '../testing/providers/realCaldav.ts'
import { titlesOf } from '../testing/publishing.ts'

const test = connectionTest()

for (const { name, skip, open } of realCaldavs) {
  test(`${name}: what the human changes there is read, and events are published there`, { skip }, async ({
    service,
    desk,
  }) => {
    const { login, home, write, objects, close } = await open()
    try {
      await write('MKCALENDAR', `${home}private/`)
      const object = (from: string, to: string) =>
        vcalendar(vevent('a', { DTSTART: from, DTEND: to, SUMMARY: 'Secret' }))
      await write('PUT', `${home}private/a.ics`, object('20260303T090000Z', '20260303T100000Z'))
      const made = await desk.connect({ ...login, capabilities: ['availability', 'publishing'] })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const calendar = made.body.calendars.find((one: { name: string }) => /private/i.test(one.name))
      assert.ok(calendar?.availability_readable && calendar.writable, JSON.stringify(made.body.calendars))
      const path = `/v1/calendar-connections/${made.body.id}`
      await desk.ok('PATCH', path, { selected_external_calendar_ids: [calendar.id] })
      const grant = { external_calendar_ids: [calendar.id], audience: 'all_org_agents' }
      await desk.ok('POST', '/v1/availability-grants', grant, 201)
      const busy = async () => {
        await service.clock.advance(6 * 60_000)
        await service.drain()
        const query = 'start=2026-03-03T08:00:00Z&end=2026-03-03T12:00:00Z&include_busy=true'
        const { body } = await service.call('GET', `/v1/calendars/${desk.calendar.id}/availability?${query}`, {
          key: desk.key,
        })
        assert.equal(body.availability_state, 'complete')
        return body.busy.map(({ start: from }: { start: string }) => from.slice(11, 16))
      }
      assert.deepEqual(await busy(), ['09:00'])
      await write('PUT', `${home}private/a.ics`, object('20260303T100000Z', '20260303T110000Z'))
      await write(
        'PUT',
        `${home}private/b%20c.ics`,
        object('20260303T080000Z', '20260303T083000Z').replace('UID:a', 'UID:b'),
      )
      assert.deepEqual(await busy(), ['08:00', '10:00'])
      await write('DELETE', `${home}private/a.ics`)
      assert.deepEqual(await busy(), ['08:00'])

      const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
      await desk.ok('PUT', destination, { external_calendar_id: calendar.id })
      const published = async (method: string, path: string, body?: object) => {
        const { status } = await service.call(method, path, { key: desk.key, ...(body && { body }) })
        assert.ok(status < 300, `${method} ${status}`)
        await service.drain()
        return titlesOf(await objects('private')).filter((title) => title !== 'Secret')
      }
      const times = { start_time: '2026-03-04T09:00:00Z', end_time: '2026-03-04T10:00:00Z' }
      const events = `/v1/calendars/${desk.calendar.id}/events`
      assert.deepEqual(await published('POST', events, { title: 'Tea', ...times }), ['Tea'])
      const { body: listed } = await service.call('GET', events, { key: desk.key })
      assert.deepEqual(await published('PATCH', `/v1/events/${listed.data[0].id}`, { title: 'Coffee' }), ['Coffee'])
      await desk.ok('DELETE', destination, undefined, 204)
      assert.deepEqual(await published('GET', events), [])
    } finally {
      close()
    }
  })
}
