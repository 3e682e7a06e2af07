// Events of an agent's calendar in a calendar of Google, through the workers.
import assert from 'node:assert/strict'
import { googleTest } from '../testing/providers/googleConnections.ts'

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

test('a series by a clock has its zone and dates at Google; an edited occurrence is a copy of its own', async ({
  service,
  desk,
  google,
}) => {
  const { calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  await desk.ok('PUT', destination, { external_calendar_id: calendarId })
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, { key: desk.key, ...(body && { body }) })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    await service.drain()
    return answer.body
  }
  const copies = () =>
    [...google.calendarOf(desk.email)!.events.values()]
      .filter(({ status }) => status !== 'cancelled')
      .map(({ summary, start, recurrence }) => ({ summary, start, recurrence }))
      .sort((a, b) => (a.summary! < b.summary! ? -1 : 1))
  const { id } = await ask('POST', `/v1/calendars/${desk.calendar.id}/events`, {
    ...{ title: 'Tea', start_time: at(10), end_time: at(11) },
    ...{ recurrence_rule: 'FREQ=DAILY;COUNT=4', recurrence_timezone: 'Europe/Berlin' },
    recurrence_rdates: ['2026-03-20T12:00:00Z'],
  })
  const series = {
    ...{ summary: 'Tea', start: { dateTime: at(10), timeZone: 'Europe/Berlin' } },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=4', 'RDATE:20260320T120000Z'],
  }
  assert.deepEqual(copies(), [series])
  const one = `/v1/events/${id}?occurrence_start=2026-03-04T10:00:00Z`
  await ask('PATCH', one, { title: 'Coffee', start_time: '2026-03-04T15:00:00Z', end_time: '2026-03-04T16:00:00Z' })
  assert.deepEqual(copies(), [
    {
      ...{ summary: 'Coffee', start: { dateTime: '2026-03-04T15:00:00.000Z', timeZone: 'UTC' } },
      recurrence: undefined,
    },
    { ...series, recurrence: [...series.recurrence, 'EXDATE:20260304T100000Z'] },
  ])
  await ask('DELETE', `${one}&revert=true`)
  assert.deepEqual(copies(), [series])
})

test('a copy that we removed comes again, also if the answer to its removal was lost', async ({
  service,
  desk,
  google,
}) => {
  const { calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  await desk.ok('PUT', destination, { external_calendar_id: calendarId })
  const ask = async (method: string, path: string, body: object) => {
    const answer = await service.call(method, path, { key: desk.key, body })
    await service.drain()
    return answer.body
  }
  const times = { start_time: at(10), end_time: at(11) }
  const { id } = await ask('POST', `/v1/calendars/${desk.calendar.id}/events`, { title: 'Tea', ...times })
  const copies = () =>
    [...google.calendarOf(desk.email)!.events.values()].filter(({ status }) => status !== 'cancelled').length
  assert.equal(copies(), 1)
  google.quirk = ({ method }) => (method === 'DELETE' ? { kind: 'drop' } : undefined)
  await ask('PATCH', `/v1/events/${id}`, { status: 'tentative' })
  assert.equal(copies(), 0)
  google.quirk = () => undefined
  await ask('PATCH', `/v1/events/${id}`, { status: 'confirmed' })
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal(copies(), 1)
})

test('a consent that has ended fails what waits, and a new one publishes it once', async ({
  service,
  desk,
  google,
}) => {
  const { connection, calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  await desk.ok('PUT', destination, { external_calendar_id: calendarId })
  const ask = (method: string, path: string, body: object) => service.call(method, path, { key: desk.key, body })
  const create = (title: string, hour: number) =>
    ask('POST', `/v1/calendars/${desk.calendar.id}/events`, { title, start_time: at(hour), end_time: at(hour + 1) })
  const { id } = (await create('Tea', 10)).body
  await service.drain()
  google.oauth.revokeGrants(desk.email)
  const rename = async (title: string) => (await ask('PATCH', `/v1/events/${id}`, { title })).body.external_sync.status
  assert.equal(await rename('Coffee'), 'queued')
  await service.drain()
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal((await desk.read(connection.id)).status, 'reauthorization_required')
  const broken = (await desk.ok('GET', destination)).data
  assert.deepEqual([broken.active, broken.health.queued, broken.health.failed], [false, 0, 1])
  assert.equal(await rename('Cocoa'), 'failed')
  assert.equal((await create('Cake', 12)).body.external_sync.status, 'failed')
  google.asked.length = 0
  await service.drain()
  assert.deepEqual(google.asked, [])
  const { authorization_url } = await desk.ok('POST', `/v1/calendar-connections/${connection.id}/reauthorize`, {})
  assert.equal(await desk.travel(authorization_url), '/connect')
  await service.drain()
  const titles = [...google.calendarOf(desk.email)!.events.values()].map(({ summary, status }) => [summary, status])
  assert.deepEqual(titles.sort(), [
    ['Cake', 'confirmed'],
    ['Cocoa', 'confirmed'],
  ])
})

/** Of copies that are not deleted. */
const titlesIn = (events: Map<string, { summary?: string; status: string }>) =>
  [...events.values()].flatMap(({ summary, status }) => (status === 'cancelled' ? [] : summary)).sort()

/** A destination with one copy, `Tea`, at ten. */
const published = test.extend('published', async ({ service, desk, google }) => {
  const { connection, calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  const path = `/v1/calendars/${desk.calendar.id}/external-destination`
  const choose = () => desk.ok('PUT', path, { external_calendar_id: calendarId })
  await choose()
  const ask = async (method: string, path: string, body?: object) =>
    (await service.call(method, path, { key: desk.key, ...(body && { body }) })).body
  const create = (title: string, hour: number) =>
    ask('POST', `/v1/calendars/${desk.calendar.id}/events`, { title, start_time: at(hour), end_time: at(hour + 1) })
  const { id } = await create('Tea', 10)
  await service.drain()
  const calendar = google.calendarOf(desk.email)!
  assert.deepEqual(titlesIn(calendar.events), ['Tea'])
  const shown = async () => {
    const { active, health } = (await desk.ok('GET', path)).data
    return { active, ...health }
  }
  return { connection, choose, ask, create, id, calendar, shown }
})

for (const role of ['reader', 'writer', 'freeBusyReader'] as const) {
  published(
    `the right to write is taken away (${role}): nothing is lost, and all is published when it is back`,
    async ({ service, published: { choose, ask, create, id, calendar, shown } }) => {
      const { id: gone } = await create('Gone', 16)
      await service.drain()
      calendar.accessRole = role
      assert.deepEqual((await create('Cake', 12)).external_sync, { status: 'queued' })
      await ask('PATCH', `/v1/events/${id}`, { title: 'Coffee' })
      await ask('DELETE', `/v1/events/${gone}`)
      await service.drain()
      assert.deepEqual(await shown(), { active: false, queued: 0, failed: 3, last_error_category: 'forbidden' })
      assert.deepEqual((await create('Pie', 14)).external_sync, { status: 'failed' })
      assert.deepEqual((await ask('PATCH', `/v1/events/${id}`, { title: 'Cocoa' })).external_sync, { status: 'failed' })
      await service.drain()
      assert.deepEqual(titlesIn(calendar.events), ['Gone', 'Tea'])
      calendar.accessRole = 'owner'
      await choose()
      await service.drain()
      assert.deepEqual(titlesIn(calendar.events), ['Cake', 'Cocoa', 'Pie'])
      assert.deepEqual(await shown(), { active: true, queued: 0, failed: 0, last_error_category: null })
    },
  )
}

published(
  'a copy that the human deleted is respected, also while the right to write is away',
  async ({ service, google, published: { choose, ask, id, calendar } }) => {
    google.removeEvent(calendar.id, [...calendar.events.keys()][0]!)
    calendar.accessRole = 'reader'
    await ask('PATCH', `/v1/events/${id}`, { title: 'Coffee' })
    await service.drain()
    calendar.accessRole = 'owner'
    await choose()
    await service.drain()
    assert.deepEqual(titlesIn(calendar.events), [])
    assert.equal((await ask('PATCH', `/v1/events/${id}`, { title: 'Cocoa' })).external_sync.status, 'skipped')
  },
)

for (const isTried of [false, true]) {
  const what = isTried ? 'after a write was refused' : 'before anything is written'
  published(
    `a calendar that is listed as one to read, ${what}, gets what it missed when it is listed again`,
    async ({ service, desk, published: { connection, create, calendar, shown } }) => {
      const listed = async (accessRole: 'reader' | 'owner') => {
        calendar.accessRole = accessRole
        // The list of calendars is loaded once a day.
        await service.app.sql`update calendar_connections set listed_at = 'epoch'`
        await service.clock.advance(17 * 60_000)
        await service.drain()
      }
      calendar.accessRole = 'reader'
      if (isTried) {
        await create('Cake', 12)
        await service.drain()
        assert.equal((await shown()).active, false)
      }
      await listed('reader')
      if (!isTried) assert.equal((await create('Cake', 12)).external_sync.status, 'failed')
      await service.drain()
      assert.equal((await shown()).active, false)
      await listed('owner')
      await service.drain()
      assert.equal((await shown()).active, true)
      assert.deepEqual(titlesIn(calendar.events), ['Cake', 'Tea'])
      assert.equal((await desk.read(connection.id)).status, 'active')
    },
  )
}
