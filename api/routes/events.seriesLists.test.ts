import assert from 'node:assert/strict'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const day = (nth: number, time = '10:00:00.000') => iso(Date.parse(`2026-03-01T${time}Z`) + (nth - 1) * dayMs)

type Item = { id: string; startTime: string; endTime: string; originalStartTime?: string; recurringEventId?: string }

const test = serviceTest()
  .extend(
    'expanded',
    perFile,
    ({ call }) =>
      (key: string, path: string, after: string, before: string, more = '') =>
        call('GET', `${path}?expand=true&start_after=${after}&start_before=${before}${more}`, { key }),
  )
  /** A daily series in a calendar of a new organization, and the starts that its list shows. */
  .extend('makeDaily', perFile, ({ service, expanded }) => async (event: object = {}) => {
    const { key } = await makeOrganization(service, { plan: 'custom' })
    const calendar = await makeCalendar(service, key)
    const body = { start_time: day(2), end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY', ...event }
    const master = await makeEvent(service, key, calendar.id, body)
    const list = `/v1/calendars/${calendar.id}/events`
    const starts = async (after: string, before: string) => {
      const { status, body } = await expanded(key, list, after, before)
      assert.equal(status, 200)
      assert.equal(body.total, body.data.length)
      return body.data.map(({ startTime }: Item) => startTime)
    }
    return { key, calendar, master, list, starts }
  })

test('an occurrence is the master’s record with its own times and whose and which one it is', async ({
  expanded,
  makeDaily,
}) => {
  const { key, list, master } = await makeDaily({ title: 'Stand-up', description: 'Daily', reminders: [5] })
  const { status, body } = await expanded(key, list, day(4), day(5))
  assert.equal(status, 200)
  const item = {
    ...master,
    startTime: day(4),
    endTime: day(4, '10:30:00.000'),
    recurringEventId: master.id,
    originalStartTime: day(4),
  }
  assert.deepEqual(body, { data: [item], total: 1, limit: 50, offset: 0 })
})

test('an event that happens once is listed as it is', async ({ expanded, makeDaily }) => {
  const { key, list } = await makeDaily({ recurrence_rule: undefined })
  const { body } = await expanded(key, list, day(1), day(30))
  assert.equal(body.total, 1)
  assert.equal('recurringEventId' in body.data[0], false)
  assert.equal('originalStartTime' in body.data[0], false)
})

test('the window is half-open on the start: it begins with start_after and ends before start_before', async ({
  makeDaily,
}) => {
  const { starts } = await makeDaily()
  assert.deepEqual(await starts(day(3), day(5)), [day(3), day(4)])
  assert.deepEqual(await starts(day(3, '10:00:00.001'), day(5, '10:00:00.001')), [day(4), day(5)])
  // An occurrence that is on when the window begins started before it.
  assert.deepEqual(await starts(day(3, '10:15:00.000'), day(3, '23:00:00.000')), [])
  assert.deepEqual(await starts(day(3), day(3)), [])
  assert.deepEqual(await starts(day(5), day(3)), [])
})

test('the series may begin before, in or after the window, and end in it', async ({ makeDaily }) => {
  const { starts } = await makeDaily({ recurrence_rule: 'FREQ=DAILY;COUNT=5' })
  assert.deepEqual(await starts(day(1), day(4)), [day(2), day(3)])
  assert.deepEqual(await starts(day(4), day(9)), [day(4), day(5), day(6)])
  assert.deepEqual(await starts(day(-20), day(2)), [])
  assert.deepEqual(await starts(day(7), day(30)), [])
  assert.deepEqual(await starts(day(6), day(6, '10:00:00.001')), [day(6)])
})

test('an occurrence that would end after the year 9999 does not exist', async ({ call, makeDaily }) => {
  const last = { start_time: '9999-12-30T23:30:00.000Z', recurrence_rule: 'FREQ=DAILY' }
  const { starts, key, master, list } = await makeDaily({ ...last, end_time: '9999-12-31T00:30:00.000Z' })
  const window = ['9999-12-30T00:00:00Z', '9999-12-31T23:59:59.999Z'] as const
  assert.deepEqual(await starts(...window), [last.start_time])
  const cancel = `${list}/${master.id}?occurrence_start=9999-12-31T23:30:00Z`
  assertRefused(await call('DELETE', cancel, { key }), 400, 'bad_request', { param: 'occurrence_start' })
  const within = await makeDaily({ ...last, end_time: '9999-12-30T23:59:59.999Z' })
  assert.deepEqual(await within.starts(...window), [last.start_time, '9999-12-31T23:30:00.000Z'])
})

test('cancelled occurrences are not listed nor counted', async ({ call, makeDaily }) => {
  const { key, master, list, starts } = await makeDaily()
  for (const nth of [2, 4]) await call('DELETE', `${list}/${master.id}?occurrence_start=${day(nth)}`, { key })
  assert.deepEqual(await starts(day(1), day(6)), [day(3), day(5)])
})

test('a window far from the start shows what recurs there', async ({ makeDaily }) => {
  const { starts } = await makeDaily({
    start_time: '1976-02-29T10:00:00Z',
    end_time: '1976-02-29T11:00:00Z',
    recurrence_rule: 'FREQ=YEARLY;INTERVAL=4',
  })
  assert.deepEqual(await starts('2096-01-01T00:00:00Z', '2097-01-01T00:00:00Z'), ['2096-02-29T10:00:00.000Z'])
  // 2100 is no leap year.
  assert.deepEqual(await starts('2100-01-01T00:00:00Z', '2100-12-31T00:00:00Z'), [])
})

test('a daily series of fifty years is answered like one of a day', async ({ call, expanded, makeDaily }) => {
  const { key, list, master } = await makeDaily({
    start_time: '1976-03-01T10:00:00Z',
    end_time: '1976-03-01T10:30:00Z',
  })
  const { body } = await expanded(key, list, day(1), iso(Date.parse(day(1)) + 366 * dayMs), '&limit=2&offset=364')
  assert.equal(body.total, 366)
  assert.deepEqual(
    body.data.map(({ startTime }: Item) => startTime),
    [day(365), day(366)],
  )
  const single = await call('GET', list, { key })
  assert.deepEqual(single.body.data, [master])
})

test('a window of 366 days is the widest, and both of its ends are needed', async ({ call, expanded, makeDaily }) => {
  const { key, list } = await makeDaily()
  const from = Date.parse(day(1))
  assert.equal((await expanded(key, list, iso(from), iso(from + 366 * dayMs))).status, 200)
  assertRefused(await expanded(key, list, iso(from), iso(from + 366 * dayMs + 1)), 400, 'validation_error', {
    param: 'start_before',
  })
  const withBound = (bound: string) => call('GET', `${list}?expand=true${bound}`, { key })
  assertRefused(await withBound(''), 400, 'validation_error', { param: 'start_after' })
  assertRefused(await withBound(`&start_before=${day(3)}`), 400, 'validation_error', { param: 'start_after' })
  assertRefused(await withBound(`&start_after=${day(3)}`), 400, 'validation_error', { param: 'start_before' })
})

test('without expand the master appears once, where it starts', async ({ call, makeDaily }) => {
  const { key, list, master } = await makeDaily()
  const plain = async (query: string) => (await call('GET', `${list}${query}`, { key })).body
  for (const query of ['', '?expand=false', `?start_after=${day(2)}&start_before=${day(30)}`]) {
    const body = await plain(query)
    assert.deepEqual(body.data, [master], query)
    assert.equal(body.total, 1, query)
  }
  assert.deepEqual(await plain(`?start_after=${day(3)}`), { data: [], total: 0, limit: 50, offset: 0 })
})

test('occurrences and events of the same start come in the order of their ids', async ({
  service,
  expanded,
  makeDaily,
}) => {
  const { key, calendar, master, list } = await makeDaily()
  const once = await makeEvent(service, key, calendar.id, { start_time: day(3), end_time: day(3, '11:00:00.000') })
  const twin = await makeEvent(service, key, calendar.id, {
    start_time: day(2),
    end_time: day(2, '10:30:00.000'),
    recurrence_rule: 'FREQ=DAILY',
  })
  const { body } = await expanded(key, list, day(3), day(4))
  assert.deepEqual(
    body.data.map(({ id }: Item) => id),
    [master.id, once.id, twin.id],
  )
})

test('a page beyond the end is empty and still tells the total', async ({ expanded, makeDaily }) => {
  const { key, list } = await makeDaily()
  for (const offset of [3, 100, 999_999_999_999]) {
    const { status, body } = await expanded(key, list, day(2), day(5), `&offset=${offset}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { data: [], total: 3, limit: 50, offset })
  }
})

// Random calendars against a brute force that knows nothing of the engine: it walks day by day.

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

type Kept = Item & { status: string; source: string; calendarId: string }

/** The occurrences of the two kinds of rule below, day by day over three years. */
function walk(
  startMs: number,
  rule: { freq: 'DAILY' | 'WEEKLY'; interval: number; count: number | undefined },
): number[] {
  const weekdays = rule.freq === 'WEEKLY' ? [1, 4] : [0, 1, 2, 3, 4, 5, 6]
  const mondayMs = (ms: number) => Math.floor((ms - Date.parse('2020-01-06T00:00:00Z')) / (7 * dayMs))
  const starts: number[] = []
  for (let ms = startMs; ms < startMs + 3 * 366 * dayMs && starts.length < (rule.count ?? Infinity); ms += dayMs) {
    const nth = rule.freq === 'DAILY' ? (ms - startMs) / dayMs : mondayMs(ms) - mondayMs(startMs)
    if (nth % rule.interval === 0 && weekdays.includes(new Date(ms).getUTCDay())) starts.push(ms)
  }
  return starts
}

test(`random calendars list, count and page like a walk day by day (SEED=${seed})`, async ({
  service,
  call,
  expanded,
}) => {
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const agent = await makeAgent(service, key)
  const calendars = await Promise.all([1, 2, 3].map(() => makeCalendar(service, key, agent.id)))
  const kept: Kept[] = []
  const origin = Date.parse('2026-01-05T00:00:00Z')

  for (let made = 0; made < 40; made++) {
    const calendar = pick(calendars)
    const status = pick(['confirmed', 'confirmed', 'tentative', 'cancelled'])
    // Few different times of day, so that many starts are equal.
    let startMs = origin + random(120) * dayMs + random(3) * 4 * 3_600_000
    const lengthMs = (1 + random(60)) * 3_600_000
    const isSeries = random(2) === 0
    const rule = {
      freq: pick(['DAILY', 'WEEKLY'] as const),
      interval: 1 + random(3),
      count: pick([undefined, 1 + random(40)]),
    }
    if (isSeries && rule.freq === 'WEEKLY') startMs -= ((new Date(startMs).getUTCDay() + 6) % 7) * dayMs
    const text = [
      `FREQ=${rule.freq}`,
      `INTERVAL=${rule.interval}`,
      ...(rule.freq === 'WEEKLY' ? ['BYDAY=MO,TH'] : []),
      ...(rule.count ? [`COUNT=${rule.count}`] : []),
    ].join(';')
    const event = await makeEvent(service, key, calendar.id, {
      status,
      start_time: iso(startMs),
      end_time: iso(startMs + lengthMs),
      ...(isSeries && { recurrence_rule: text }),
    })
    let starts = isSeries ? walk(startMs, rule) : [startMs]
    if (isSeries && status !== 'cancelled') {
      const cancelled = new Set(Array.from({ length: random(4) }, () => pick(starts)))
      for (const at of cancelled) {
        const path = `/v1/calendars/${calendar.id}/events/${event.id}?occurrence_start=${iso(at)}`
        assert.equal((await call('DELETE', path, { key })).status, 200, `${text} from ${iso(startMs)}: ${iso(at)}`)
      }
      starts = starts.filter((at) => !cancelled.has(at))
    }
    const source = !isSeries && random(5) === 0 ? 'external_ical' : 'internal'
    if (source === 'external_ical') {
      await service.app.sql`update events set source = 'external_ical' where id = ${decodeId('evt', event.id)!}`
    }
    for (const at of starts) {
      kept.push({
        id: event.id,
        startTime: iso(at),
        endTime: iso(at + lengthMs),
        ...(isSeries && { recurringEventId: event.id, originalStartTime: iso(at) }),
        status,
        source,
        calendarId: calendar.id,
      })
    }
  }

  for (let asked = 0; asked < 40; asked++) {
    const fromMs = origin + random(200) * dayMs + random(3) * 4 * 3_600_000
    const toMs = fromMs + pick([0, 1, dayMs, 9 * dayMs, 60 * dayMs, 366 * dayMs])
    const calendar = pick([undefined, ...calendars])
    const status = pick([undefined, undefined, 'confirmed', 'tentative', 'cancelled', 'hold'])
    const source = pick([undefined, undefined, 'internal', 'external_ical'])
    const expected = kept
      .filter((item) => item.startTime >= iso(fromMs) && item.startTime < iso(toMs))
      .filter((item) => !calendar || item.calendarId === calendar.id)
      .filter((item) => (!status || item.status === status) && (!source || item.source === source))
      .sort((a, b) => (a.startTime + a.id < b.startTime + b.id ? -1 : 1))
    const path = calendar ? `/v1/calendars/${calendar.id}/events` : `/v1/agents/${agent.id}/events`
    const filters = `${status ? `&status=${status}` : ''}${source ? `&source=${source}` : ''}`
    const limit = pick([1, 7, 50, 200])
    // All pages of a short list; of a long one the first, one in the middle and the last.
    const pages = Math.max(1, Math.ceil(expected.length / limit))
    const shown = pages <= 5 ? Array.from({ length: pages }, (_, nth) => nth) : [0, random(pages), pages - 1]
    for (const nth of shown) {
      const offset = nth * limit
      const { status: answered, body } = await expanded(
        key,
        path,
        iso(fromMs),
        iso(toMs),
        `${filters}&limit=${limit}&offset=${offset}`,
      )
      assert.equal(answered, 200)
      const message = `${path} ${iso(fromMs)} ${iso(toMs)} ${filters} ${limit} ${offset}`
      assert.equal(body.total, expected.length, message)
      const items = body.data.map((item: Kept) => ({
        id: item.id,
        startTime: item.startTime,
        endTime: item.endTime,
        ...(item.recurringEventId && {
          recurringEventId: item.recurringEventId,
          originalStartTime: item.originalStartTime,
        }),
        status: item.status,
        source: item.source,
        calendarId: item.calendarId,
      }))
      assert.deepEqual(items, expected.slice(offset, offset + limit), message)
    }
  }
})

test('an agent’s expanded list leaves out calendars that were deleted, and other agents’', async ({
  service,
  call,
  expanded,
}) => {
  const { key } = await makeOrganization(service)
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const body = { start_time: day(2), end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY;COUNT=2' }
  const [kept, gone] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, agent.id)]
  const master = await makeEvent(service, key, kept.id, body)
  await makeEvent(service, key, gone.id, body)
  await makeEvent(service, key, (await makeCalendar(service, key, other.id)).id, body)
  await makeEvent(service, key, (await makeCalendar(service, key)).id, body)
  await call('DELETE', `/v1/calendars/${gone.id}`, { key })
  const { body: list } = await expanded(key, `/v1/agents/${agent.id}/events`, day(1), day(9))
  assert.equal(list.total, 2)
  assert.deepEqual(
    list.data.map(({ id, startTime }: Item) => [id, startTime]),
    [
      [master.id, day(2)],
      [master.id, day(3)],
    ],
  )
})
