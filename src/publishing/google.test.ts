// Events of an agent's calendar in a calendar of Google, through the workers.
import assert from 'node:assert/strict'
import { googleTest } from '../testing/googleConnections.ts'

const test = googleTest()
const at = (hour: number) => `2026-03-03T${String(hour).padStart(2, '0')}:00:00.000Z`

test('an event is written, moved and withdrawn, and the calendar is read anew after each write', async ({
  service,
  desk,
  google,
}) => {
  const { connection, calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  assert.deepEqual(connection.capabilities, ['availability', 'publishing'])
  // Every message of the provider is lost.
  google.channels.delivery = 'never'
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  await desk.ok('PUT', destination, { external_calendar_id: calendarId })

  const ask = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: desk.key, ...(body && { body }) })
  const copies = () =>
    [...google.calendarOf(desk.email)!.events.values()]
      .filter(({ status }) => status !== 'cancelled')
      .map(({ summary, start }) => [summary, start])
  const isReadAgain = async (change: () => Promise<unknown>) => {
    google.asked.length = 0
    await change()
    await service.drain()
    const paths = google.asked.map(({ path }) => path)
    const written = paths.findLastIndex((path) => path.includes('/events'))
    return written >= 0 && paths.findLastIndex((path) => path.includes('freeBusy')) > written
  }
  const times = (hour: number) => ({ start_time: at(hour), end_time: at(hour + 1) })

  let id = ''
  const make = async () => {
    const { status, body } = await ask('POST', `/v1/calendars/${desk.calendar.id}/events`, {
      title: 'Tea',
      ...times(10),
    })
    assert.deepEqual([status, body.external_sync], [201, { status: 'queued' }])
    id = body.id
  }
  assert.ok(await isReadAgain(make))
  assert.deepEqual(copies(), [['Tea', { dateTime: at(10), timeZone: 'UTC' }]])

  assert.ok(await isReadAgain(() => ask('PATCH', `/v1/events/${id}`, times(14))))
  assert.deepEqual(copies(), [['Tea', { dateTime: at(14), timeZone: 'UTC' }]])
  const busy = await ask(
    'GET',
    `/v1/agents/${desk.agent.id}/availability?${new URLSearchParams({
      ...{ start: at(9), end: at(17), duration: '1h', include_busy: 'true' },
    })}`,
  )
  assert.deepEqual(busy.body.per_agent_busy[desk.agent.id], [{ start: at(14), end: at(15) }])

  assert.ok(await isReadAgain(() => ask('DELETE', `/v1/events/${id}`)))
  assert.deepEqual(copies(), [])
})
