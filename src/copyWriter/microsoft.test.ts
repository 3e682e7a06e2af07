// Events of an agent's calendar in a calendar of Microsoft, through the workers.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar } from '../testing/factories.ts'
import type { MicrosoftServer } from '../testing/providers/microsoftCalendarServer.ts'
import { microsoftTest } from '../testing/providers/microsoftConnections.ts'
import { at } from '../testing/publishing.ts'

const minuteMs = 60_000

const test = microsoftTest().extend('published', async ({ service, desk, microsoft }) => {
  // Every message of the provider is lost.
  microsoft.subscriptions.settings.pushes = 'dropped'
  const { connection, calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  assert.deepEqual(connection.capabilities, ['availability', 'publishing'])
  const everybody = { external_calendar_ids: [calendarId], audience: 'all_org_agents' }
  await desk.ok('POST', '/v1/availability-grants', everybody, 201)
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  const choose = () => desk.ok('PUT', destination, { external_calendar_id: calendarId })
  const chosen = async () => (await desk.ok('GET', destination)).data
  await choose()
  const other = await makeCalendar(service, desk.key, (await makeAgent(service, desk.key)).id)

  const ask = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: desk.key, ...(body && { body }) })
  const create = async (body: object, status = 'queued') => {
    const made = await ask('POST', `/v1/calendars/${desk.calendar.id}/events`, { title: 'Tea', ...body })
    assert.deepEqual([made.status, made.body.external_sync], [201, { status }])
    await service.drain()
    return made.body.id as string
  }
  /** The calendar is read by the clock. */
  const readAgain = async () => {
    await service.clock.advance(17 * minuteMs)
    await service.drain()
  }
  const busyOf = async (calendar: string, day = 3) => {
    const window = `start=${at(0, day)}&end=${at(23, day)}&include_busy=true`
    const { body } = await ask('GET', `/v1/calendars/${calendar}/availability?${window}`)
    assert.equal(body.availability_state, 'complete', JSON.stringify(body))
    return body.busy.map(({ start, end }: { start: string; end: string }) => [start, end])
  }
  const own = (day?: number) => busyOf(desk.calendar.id, day)
  const ofOthers = (day?: number) => busyOf(other.id, day)
  return { ask, create, choose, chosen, readAgain, own, ofOthers }
})

const copies = ({ mailbox }: MicrosoftServer) =>
  [...mailbox.events.values()]
    .filter(({ master }) => !master)
    .map(({ fields, times }) => [fields.subject, new Date(times.startMs).toISOString()])

test('an event is written, moved and withdrawn; its copy is busy time for other agents alone', async ({
  service,
  microsoft,
  published,
}) => {
  const { ask, create, own, ofOthers } = published
  const id = await create({ start_time: at(10), end_time: at(11) })
  assert.deepEqual(copies(microsoft), [['Tea', at(10)]])
  assert.deepEqual([await own(), await ofOthers()], [[[at(10), at(11)]], [[at(10), at(11)]]])

  const moved = await ask('PATCH', `/v1/events/${id}`, { start_time: at(14), end_time: at(15) })
  assert.deepEqual(moved.body.external_sync, { status: 'queued' })
  // The read busy time of the copy stays in place, and is known as ours by its name.
  assert.deepEqual(await own(), [[at(14), at(15)]])
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Tea', at(14)]])
  assert.deepEqual([await own(), await ofOthers()], [[[at(14), at(15)]], [[at(14), at(15)]]])

  assert.equal((await ask('DELETE', `/v1/events/${id}`)).status, 204)
  assert.deepEqual(await own(), [])
  await service.drain()
  assert.deepEqual([copies(microsoft), await own(), await ofOthers()], [[], [], []])
})

test('the occurrences of a series are known as ours by the name of the series', async ({ microsoft, published }) => {
  const { ask, create, readAgain, own, ofOthers } = published
  const times = { start_time: at(10), end_time: at(11) }
  const id = await create({ ...times, recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  assert.deepEqual(copies(microsoft), [['Tea', at(10)]])
  await readAgain()
  assert.deepEqual(await ofOthers(4), [[at(10, 4), at(11, 4)]])
  assert.equal((await ask('DELETE', `/v1/events/${id}`)).status, 204)
  // The copy is still there, and was read.
  assert.deepEqual([await own(4), await ofOthers(4)], [[], [[at(10, 4), at(11, 4)]]])
})

test('Microsoft gets no series by a clock or with further dates, but each edited occurrence', async ({
  service,
  microsoft,
  published,
}) => {
  const { ask, create } = published
  const daily = { start_time: at(10), end_time: at(11), recurrence_rule: 'FREQ=DAILY;COUNT=3' }
  await create({ ...daily, recurrence_rdates: [at(10, 9)] }, 'skipped')
  const id = await create({ ...daily, recurrence_timezone: 'Europe/Berlin' }, 'skipped')
  assert.deepEqual(copies(microsoft), [])
  const edit = { title: 'Coffee', start_time: at(15, 4), end_time: at(16, 4) }
  const { status, body } = await ask('PATCH', `/v1/events/${id}?occurrence_start=${at(10, 4)}`, edit)
  assert.deepEqual([status, body.external_sync.status], [200, 'queued'])
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Coffee', at(15, 4)]])
  // By UTC it has a form there.
  assert.equal((await ask('PATCH', `/v1/events/${id}`, { recurrence_timezone: null })).status, 200)
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Tea', at(10)]])
})

test('an hour after the last change nothing more is written', async ({ service, microsoft, published }) => {
  const { create, readAgain } = published
  await create({ start_time: at(10), end_time: at(11) })
  microsoft.subscriptions.settings.pushes = 'sent'
  await readAgain()
  microsoft.asked.length = 0
  for (let quarter = 0; quarter < 4; quarter++) await readAgain()
  await service.drain()
  const writes = microsoft.asked.filter(({ method, path }) => method !== 'GET' && path.includes('/events'))
  assert.deepEqual(writes, [])
  assert.ok(microsoft.asked.some(({ path }) => path.includes('calendarView')))
})

test('an answer that was lost makes no second copy, whatever changes meanwhile', async ({
  service,
  microsoft,
  published,
}) => {
  const { ask, create } = published
  const isWrite = ({ method, path }: { method: string; path: string }) => method !== 'GET' && path.includes('/events')
  const dropNext = () => {
    let isDone = false
    microsoft.quirk = (asked) => {
      if (isDone || !isWrite(asked)) return undefined
      isDone = true
      return { kind: 'drop' }
    }
  }
  dropNext()
  const id = await create({ start_time: at(10), end_time: at(11) })
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Tea', at(10)]])
  // The first change arrives and nobody is told; then it is taken back.
  dropNext()
  await ask('PATCH', `/v1/events/${id}`, { title: 'Coffee' })
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Coffee', at(10)]])
  await ask('PATCH', `/v1/events/${id}`, { title: 'Tea' })
  await service.drain()
  assert.deepEqual(copies(microsoft), [['Tea', at(10)]])
})

for (const isHidden of [false, true]) {
  const what = isHidden ? 'every right is taken away, and the calendar is hidden' : 'the right to write is taken away'
  test(`${what}: nothing is lost, and all is done when it is back`, async ({ service, microsoft, published }) => {
    const { ask, create, choose, chosen } = published
    const id = await create({ title: 'Tea', start_time: at(10), end_time: at(11) })
    const gone = await create({ title: 'Gone', start_time: at(12), end_time: at(13) })
    const { calendars } = microsoft.mailbox
    const calendar = [...calendars.values()].find(({ isDefault }) => isDefault)!
    calendar.canEdit = false
    microsoft.quirk = ({ path }) =>
      isHidden && path.includes('/me/calendars/') ? { kind: 'answer', answer: { status: 404 } } : undefined
    // First, as everything waits once the destination is inactive.
    await ask('DELETE', `/v1/events/${gone}`)
    await service.drain()
    await ask('PATCH', `/v1/events/${id}`, { title: 'Coffee' })
    await create({ title: 'Cake', start_time: at(14), end_time: at(15) }, 'failed')
    const category = isHidden ? 'not_found' : 'forbidden'
    const { active, health } = await chosen()
    assert.deepEqual([active, health], [false, { queued: 0, failed: 3, last_error_category: category }])
    assert.deepEqual(
      copies(microsoft)
        .map(([title]) => title)
        .sort(),
      ['Gone', 'Tea'],
    )
    calendar.canEdit = true
    microsoft.quirk = () => undefined
    await choose()
    await service.drain()
    assert.deepEqual(
      copies(microsoft)
        .map(([title]) => title)
        .sort(),
      ['Cake', 'Coffee'],
    )
  })
}
