// Free time beside random series, compared with a map of single minutes that knows only their definitions and edits. The local starts are
// those of python-dateutil. SEED=n repeats a run; SERIES_RUNS=400 is the long one.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Answer } from '../../src/testing/answer.ts'
import { availabilityTest } from '../../src/testing/availability.ts'
import { type AskedStarts, hasDateutil, pythonStarts } from '../../src/testing/dateutil.ts'
import { makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { busyOf, mapBusy, slotsOf } from '../../src/testing/minuteMap.ts'
import {
  dayMinutes,
  type SeriesCase,
  type SeriesDefinition,
  type SeriesStep,
  seriesCase,
} from '../../src/testing/seriesCases.ts'
import {
  cutModel,
  minuteAt,
  originals,
  type SeriesModel,
  splitModel,
  takenBy,
  timesOf,
  wallAt,
} from '../../src/testing/seriesModel.ts'
import { perFile } from '../../src/testing/test.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env.SERIES_RUNS ?? 25)

const iso = (minute: number) => new Date(minute * 60_000).toISOString()
const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The series as it is sent, and what the oracle is asked. */
function begin(definition: SeriesDefinition, { window: { from } }: SeriesCase) {
  const { zone = 'UTC', daysBefore, minute, size, end, interval, by } = definition
  const midnight = Math.floor(from / dayMinutes) * dayMinutes
  const meant = midnight - daysBefore * dayMinutes + (definition.isAllDay ? 0 : minute)
  const at = minuteAt(zone, meant)
  const wall = wallAt(zone, at)
  const day = new Date(wall * 60_000)
  const weekday = (day.getUTCDay() + 6) % 7
  const date = day.getUTCDate()
  const lastDay = new Date((wall + size * dayMinutes) * 60_000).toISOString().slice(0, 10)
  const byDay = {
    DAILY: `FREQ=DAILY;INTERVAL=${interval}`,
    WEEKLY: `FREQ=WEEKLY;INTERVAL=${interval};BYDAY=${[...new Set([...definition.weekdays, weekday])].map((one) => weekdayCodes[one]).join(',')}`,
    monthDay: `FREQ=MONTHLY;BYMONTHDAY=${Math.min(date, 28)}`,
    nthWeekday: `FREQ=MONTHLY;BYDAY=${Math.min(4, Math.ceil(date / 7))}${weekdayCodes[weekday]}`,
  }
  const isLate = date > 28
  const bare = byDay[isLate && (by === 'monthDay' || by === 'nthWeekday') ? 'DAILY' : by]
  const counted = end === 'count' ? `${bare};COUNT=${size}` : bare
  const length = definition.isAllDay ? Math.ceil(definition.length / dayMinutes) * dayMinutes : definition.length
  const rdates = definition.rdates.map((offset) => from + offset).filter((one) => one >= at)
  const body = {
    ...{ title: 'Series', start_time: iso(at), end_time: iso(at + length), status: definition.status },
    ...{ all_day: definition.isAllDay, transparency: definition.isTransparent ? 'transparent' : 'opaque' },
    recurrence_rule: end === 'date' ? `${bare};UNTIL=${lastDay.replaceAll('-', '')}` : counted,
    ...(definition.zone && { recurrence_timezone: zone }),
    ...(rdates.length > 0 && { recurrence_rdates: rdates.map(iso) }),
  }
  const local = (minutes: number) => iso(minutes).slice(0, 19)
  const asked: AskedStarts = {
    ...{ zone: 'UTC', rule: `${counted};WKST=MO`, wall: local(wall) },
    ...{ from: local(from - 60 * dayMinutes), to: local(from + 30 * dayMinutes) },
  }
  const model: SeriesModel = {
    ...{ id: '', zone, starts: [], rdates, length, cancelled: new Set(), edits: new Map() },
    ...{ status: definition.status, isTransparent: definition.isTransparent, isAllDay: definition.isAllDay },
  }
  const lastWall = end === 'date' ? Date.parse(`${lastDay}T23:59:59Z`) / 60_000 : Number.POSITIVE_INFINITY
  const fill = (walls: readonly number[]) => {
    model.starts = walls.filter((one) => one <= lastWall).map((one) => ({ wall: one, at: minuteAt(zone, one) }))
  }
  return { body, asked, model, fill }
}

const test = availabilityTest().extend('oracle', perFile, ({ service, desk }) => {
  const done = (answer: Answer) => assert.ok(answer.status < 300, JSON.stringify(answer.body))

  /** Does it over the API and to the model; nothing where there is no such occurrence. */
  async function take(
    { key, list }: { key: string; list: string },
    models: SeriesModel[],
    one: SeriesStep,
    { window }: SeriesCase,
  ) {
    const model = models[one.series % models.length]!
    const path = `${list}/${model.id}`
    const call = async (method: string, query: string, body?: object) => {
      const answer = await service.call(method, path + query, { key, ...(body && { body }) })
      done(answer)
      return answer
    }
    const known = originals(model)
    const first = model.starts[0]?.at
    if (first === undefined || model.status === 'cancelled') return
    const isNear = (at: number) => at > window.from - 3 * dayMinutes && at < window.to + 2 * dayMinutes
    const isShown = (at: number) => model.edits.get(at)?.status !== 'cancelled'
    const near = known.filter(isNear).filter(isShown)
    const original = near[one.pick % Math.max(1, near.length)]
    const of = (at: number, more = '') => `?occurrence_start=${iso(at)}${more}`
    const edit = async (at: number, body: object, own: object) => {
      await call('PATCH', of(at), body)
      model.edits.set(at, { ...model.edits.get(at), ...own })
    }
    const whole = (body: object) => call('PATCH', '', body)
    const following = model.starts.filter(({ at }) => at > first && isNear(at) && known.includes(at) && isShown(at))
    const cut = following[one.pick % Math.max(1, following.length)]
    switch (one.what) {
      case 'cancel':
        if (original === undefined) return
        await call('DELETE', of(original))
        model.cancelled.add(original)
        model.edits.delete(original)
        return
      case 'move': {
        if (original === undefined) return
        const own = { start: original + one.by, end: original + one.by + one.length }
        return edit(original, { start_time: iso(own.start), end_time: iso(own.end) }, own)
      }
      case 'title':
        return original === undefined ? undefined : edit(original, { title: 'Once' }, {})
      case 'lengthen': {
        if (original === undefined) return
        const end = timesOf(model, original).start + one.length
        return edit(original, { end_time: iso(end) }, { end })
      }
      case 'state': {
        if (original === undefined) return
        const status = ['confirmed', 'tentative', 'cancelled'][one.length % 3]!
        return edit(original, { status }, { status })
      }
      case 'revert': {
        const edited = [...model.edits.keys()]
        const back = edited[one.pick % Math.max(1, edited.length)]
        if (back === undefined) return
        await call('DELETE', of(back, '&revert=true'))
        model.edits.delete(back)
        return
      }
      case 'split': {
        if (!cut || wallAt(model.zone, cut.at) !== cut.wall) return
        const timeOfDay = cut.wall % dayMinutes
        const by = one.by % 2 ? 0 : Math.max(-timeOfDay, Math.min(dayMinutes - 1 - timeOfDay, one.by))
        const start = minuteAt(model.zone, cut.wall + by)
        if (wallAt(model.zone, start) !== cut.wall + by) return
        const body = by === 0 ? { title: 'Following' } : { start_time: iso(start), end_time: iso(start + model.length) }
        const answer = await call('PATCH', of(cut.at, '&scope=following'), body)
        models.push(splitModel(model, cut.at, by, answer.body.series.id))
        return
      }
      case 'cut':
        if (!cut) return
        await call('DELETE', of(cut.at, '&scope=following'))
        return cutModel(model, cut.at)
      case 'wholeLength':
        await whole({ end_time: iso(first + one.length) })
        model.length = one.length
        return
      case 'wholeState':
        model.status = one.length % 2 ? 'confirmed' : 'tentative'
        await whole({ status: model.status })
        return
      case 'wholeTaking':
        model.isTransparent = !model.isTransparent
        await whole({ transparency: model.isTransparent ? 'transparent' : 'opaque' })
        return
      case 'wholeMove': {
        // Its edited and cancelled occurrences go. It is moved by its own first start, on the same day.
        const wall = model.starts[0]!.wall
        const timeOfDay = wall % dayMinutes
        const by = Math.max(-timeOfDay, Math.min(dayMinutes - 1 - timeOfDay, one.by))
        const start = minuteAt(model.zone, wall + by)
        const isExact = wallAt(model.zone, first) === wall && wallAt(model.zone, start) === wall + by
        if (by === 0 || !isExact || model.rdates.length > 0) return
        await whole({ start_time: iso(start), end_time: iso(start + model.length) })
        model.starts = model.starts.map((was) => ({ wall: was.wall + by, at: minuteAt(model.zone, was.wall + by) }))
        model.cancelled.clear()
        model.edits.clear()
        return
      }
    }
  }

  async function agrees(one: SeriesCase, begun: readonly ReturnType<typeof begin>[]) {
    const { key } = await makeOrganization(service, { plan: 'custom' })
    const agent = await makeAgent(service, key)
    const { id } = await makeCalendar(service, key, agent.id)
    const { before, after, hours, zone, dates, timeOff } = one.rules
    const rules = {
      ...{ buffer_before_minutes: before, buffer_after_minutes: after, working_hours: hours, timezone: zone, dates },
      time_off: timeOff.map(({ start, end }) => ({ start: iso(start), end: iso(end) })),
    }
    done(await service.call('PUT', `/v1/calendars/${id}/availability-rules`, { key, body: rules }))
    const list = `/v1/calendars/${id}/events`
    const models: SeriesModel[] = []
    for (const { body, model } of begun) {
      const answer = await service.call('POST', list, { key, body })
      done(answer)
      models.push(Object.assign(model, { id: answer.body.id }))
    }
    const query = { start: iso(one.window.from), end: iso(one.window.to), duration: '30m', include_busy: 'true' }
    const log: SeriesStep[] = []
    const note = () => JSON.stringify({ sent: begun.map(({ body }) => body), log, rules: one.rules, query })
    const compare = async () => {
      const map = mapBusy([{ ...one.rules, events: models.flatMap(takenBy), series: [] }], one.window)
      const wanted = [busyOf(map, one.window), slotsOf(map, one.window, 30)]
      const { body } = await desk.askCalendar(id, query, key)
      assert.deepEqual([body.busy, body.slots], wanted, note())
      const { body: ofAgent } = await desk.askAgents([agent.id], query, key)
      assert.deepEqual([ofAgent.per_agent_busy[agent.id], ofAgent.slots], wanted, note())
    }
    await compare()
    for (const step of one.steps) {
      log.push(step)
      await take({ key, list }, models, step, one).catch((error) => assert.fail(`${error.message} ${note()}`))
      await compare()
    }
  }
  return { agrees }
})

test('free time beside random series is what their definitions and edits leave', {
  skip: !hasDateutil() && process.env.CI !== 'true',
}, async ({ oracle: { agrees } }) => {
  console.log(`availability of series: SEED=${seed}`)
  const cases = fc.sample(seriesCase, { seed, numRuns: runs })
  const begun = cases.map((one) => one.series.map((definition) => begin(definition, one)))
  const answers = await pythonStarts(begun.flat().map(({ asked }) => asked))
  for (const [nth, { fill }] of begun.flat().entries()) fill(answers[nth]!.map((ms) => ms / 60_000))
  for (const [nth, one] of cases.entries()) await agrees(one, begun[nth]!)
})
