// Changes of series that meet, through two processes: nothing is lost, done twice, or beyond a limit.
import assert from 'node:assert/strict'
import { makeCalendar, makeEvent, makeOrganization, type OrganizationOptions } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`

const test = serviceTest().extend(
  'desk',
  perFile,
  ({ service, second }) =>
    async (options: OrganizationOptions = {}) => {
      const { key } = await makeOrganization(service, options)
      const calendar = await makeCalendar(service, key)
      const list = `/v1/calendars/${calendar.id}/events`
      let turn = 0
      /** The processes answer in turn. */
      const call = (method: string, path: string, body?: object): Promise<Any> =>
        (turn++ % 2 ? second : service).call(method, path, { key, ...(body && { body }) })
      const makeSeries = (count: number): Promise<Any> =>
        makeEvent(service, key, calendar.id, {
          ...{ title: 'Daily', description: 'First', start_time: day(2), end_time: day(2, '10:30:00.000') },
          ...{ recurrence_rule: `FREQ=DAILY;COUNT=${count}`, reminders: [] },
        })
      const at = ({ id }: { id: string }, start: string, more = '') => `${list}/${id}?occurrence_start=${start}${more}`
      const listed = async (): Promise<Any[]> =>
        (await call('GET', `${list}?expand=true&limit=200&start_after=${day(1)}&start_before=${day(31)}`)).body.data
      const stored = async (): Promise<Any> => (await call('GET', `${list}?limit=200`)).body
      return { key, list, call, makeSeries, at, listed, stored }
    },
)

test.beforeEach(({ service }) => service.clock.set(testStart))

const starts = (items: readonly Any[]) => items.map(({ startTime }) => startTime)
const days = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, nth) => day(first + nth))

test('of splits that meet, as many happen as the cap has places for', async ({ desk }) => {
  const { makeSeries, call, at, listed, stored } = await desk({ plan: 'custom', limits: { recurring_events: 4 } })
  const series = [await makeSeries(20), await makeSeries(20)]
  const answers = await Promise.all(
    [5, 8, 11, 14].flatMap((nth) =>
      series.map((one) => call('PATCH', at(one, day(nth), '&scope=following'), { title: `From ${nth}` })),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 2, String(statuses))
  assert.ok(
    statuses.every((status) => [200, 400, 429].includes(status)),
    String(statuses),
  )
  assert.equal((await stored()).total, 4)
  assert.deepEqual(starts(await listed()).sort(), [...days(2, 21), ...days(2, 21)].sort())
})

test('each split takes one unit of the budget, and a refused one gives it back', async ({ service, desk }) => {
  const { key, makeSeries, call, at, listed, stored } = await desk({ plan: 'custom', limits: { events: 4 } })
  const series = await makeSeries(20)
  const asked = [4, 6, 8, 10, 12, 14, 16, 18]
  const answers = await Promise.all(
    asked.map((nth) => call('PATCH', at(series, day(nth), '&scope=following'), { title: `From ${nth}` })),
  )
  const done = answers.filter(({ status }) => status === 200).length
  assert.ok(done >= 1 && done <= 3, String(answers.map(({ status }) => status)))
  assert.ok(answers.every(({ status }) => [200, 400, 429].includes(status)))
  assert.equal((await stored()).total, 1 + done)
  assert.equal((await service.call('GET', '/v1/usage', { key })).body.events.used, 1 + done)
  assert.deepEqual(starts(await listed()), days(2, 21))
})

test('edits of many occurrences and of their series all happen', async ({ desk }) => {
  const { makeSeries, call, at, list, listed, stored } = await desk()
  const series = await makeSeries(20)
  const answers = await Promise.all([
    ...days(3, 20).map((start) => call('PATCH', at(series, start), { title: `Own ${start}` })),
    call('PATCH', `${list}/${series.id}`, { description: 'Second' }),
    call('DELETE', at(series, day(21))),
    ...[1, 2, 3].map((nth) => call('PATCH', at(series, day(2)), { metadata: { nth } })),
  ])
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body))
  const items = await listed()
  assert.deepEqual(starts(items), days(2, 20))
  assert.ok(items.every(({ description, overridden }) => description === 'Second' && overridden))
  assert.deepEqual(
    items.slice(1).map(({ title }) => title),
    days(3, 20).map((start) => `Own ${start}`),
  )
  assert.equal((await stored()).total, 1)
})

test('an edit of an occurrence that meets a split goes along, or is refused', async ({ desk }) => {
  for (let round = 0; round < 6; round++) {
    const { makeSeries, call, at, listed } = await desk()
    const series = await makeSeries(12)
    const [edited, split, ended] = await Promise.all([
      call('PATCH', at(series, day(9)), { title: 'Own' }),
      call('PATCH', at(series, day(6), '&scope=following'), { description: 'Second' }),
      call('DELETE', at(series, day(11), '&scope=following')),
    ])
    assert.equal(split.status, 200)
    for (const { status } of [edited, ended]) assert.ok([200, 400].includes(status))
    const items = await listed()
    assert.deepEqual(starts(items), ended.status === 200 ? days(2, 10) : days(2, 13))
    const own = items.filter(({ title }) => title === 'Own')
    assert.equal(own.length, edited.status === 200 ? 1 : 0)
    for (const { id, description } of own) assert.deepEqual([id, description], [split.body.series.id, 'Second'])
  }
})
