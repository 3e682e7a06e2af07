// Explained answers of random calendars, held against a map of single minutes and against each other.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeId } from '../../src/shapes/ids.ts'
import { availabilityTest } from '../../src/testing/availability.ts'
import { type BusyCase, busyCase, ruleOf } from '../../src/testing/busyCases.ts'
import { ahead, makeCalendar } from '../../src/testing/factories.ts'
import { busyOf, mapBusy } from '../../src/testing/minuteMap.ts'
import { perFile } from '../../src/testing/test.ts'

type Stretch = { start: string; end: string }
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const iso = (minute: number) => new Date(minute * 60_000).toISOString()

/** Neighbours that touch become one. */
const joined = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.reduce<Stretch[]>((all, { start, end }) => {
    const last = all.at(-1)
    if (last?.end === start) last.end = end
    else all.push({ start, end })
    return all
  }, [])

const test = availabilityTest().extend('desk2', perFile, ({ service, key, desk }) => {
  async function fill({ window, calendars: [mapped], duration }: BusyCase) {
    const { id } = await makeCalendar(service, key)
    const { before, after, hours, zone, events, series } = mapped!
    await desk.setRules(id, {
      buffer_before_minutes: before,
      buffer_after_minutes: after,
      working_hours: hours,
      timezone: zone,
    })
    for (const [n, { start, end }] of events.entries()) {
      const times = { start_time: iso(start), end_time: iso(end) }
      const hold = { status: 'hold', hold_expires_at: ahead(service, 10) }
      await desk.insertEvent(id, { ...times, ...[{}, { status: 'tentative' }, hold][n % 3] })
      await desk.insertEvent(id, { ...times, status: 'hold', hold_expires_at: ahead(service, 0) })
    }
    for (const one of series) {
      await desk.insertEvent(id, {
        start_time: iso(one.start),
        end_time: iso(one.end),
        recurrence_rule: ruleOf(one),
        recurrence_exdates: one.cancelled.map(iso),
      })
    }
    return { id, map: mapBusy([mapped!], window), query: { start: iso(window.from), end: iso(window.to), duration } }
  }

  /** Takes away what a cause names. The rows are not those of the API, so events go by their table. */
  async function takeAway(calendarId: string, cause: Any) {
    const rulesPath = `/v1/calendars/${calendarId}/availability-rules`
    if (cause.kind === 'working_hours') {
      const { body } = await service.call('GET', rulesPath, { key })
      const { buffer_before_minutes, buffer_after_minutes } = body
      await desk.setRules(calendarId, { buffer_before_minutes, buffer_after_minutes })
      return
    }
    const { sql } = service.app
    const id = decodeId('evt', cause.event_id)!
    if (cause.occurrence_start) {
      const start = new Date(cause.occurrence_start)
      await sql`update events set recurrence_exdates = recurrence_exdates || ${start}::timestamptz where id = ${id}`
    } else {
      await sql`update events set deleted_at = now() where id = ${id}`
    }
    await sql`update calendars set revision = revision + 1 where id = ${decodeId('cal', calendarId)!}`
  }
  return { fill, takeAway }
})

test('the blocked time is the window without what is free, exactly', async ({ desk, desk2: { fill } }) => {
  const holds = async (one: BusyCase) => {
    const { id, map, query } = await fill(one)
    const plain = (await desk.askCalendar(id, query)).body
    const { body } = await desk.askCalendar(id, { ...query, explain: 'true' })
    const { blocked, empty_reason, ...rest } = body
    assert.deepEqual(rest, plain)
    assert.deepEqual(joined(blocked), busyOf(map, one.window))
    assert.equal(empty_reason === undefined, plain.slots.length > 0)
    for (const [n, { start, end, by }] of blocked.entries()) {
      const texts = by.map((cause: Any) => JSON.stringify(cause))
      assert.ok(start < end && by.length > 0 && new Set(texts).size === texts.length)
      const last = blocked[n - 1]
      assert.ok(!last || last.end <= start)
      // Maximal: a neighbour has other causes.
      const isSame =
        last?.end === start && String(last.by.map((c: Any) => JSON.stringify(c)).sort()) === String(texts.sort())
      assert.ok(!isSame, JSON.stringify([last, blocked[n]]))
    }
  }
  await fc.assert(fc.asyncProperty(busyCase(1), holds), { numRuns: 40, endOnFailure: true })
})

test('taking away all that is named frees a stretch, and less does not', async ({ desk, desk2 }) => {
  const holds = async (one: BusyCase, pick: number) => {
    const { id, query } = await desk2.fill(one)
    const { blocked } = (await desk.askCalendar(id, { ...query, explain: 'true' })).body
    if (blocked.length === 0) return
    const { start, end, by } = blocked[pick % blocked.length]
    const ask = async () => (await desk.ask(`/v1/calendars/${id}/availability/check`, { start, end })).body
    assert.deepEqual((await ask()).blocked_by.map(JSON.stringify).sort(), by.map(JSON.stringify).sort())
    const ofBuffers = by.filter(({ kind }: Any) => kind === 'buffer').length
    for (const [n, cause] of by.entries()) {
      if (ofBuffers === 0 && n > 0) assert.equal((await ask()).free, false)
      await desk2.takeAway(id, cause)
    }
    const after = await ask()
    assert.deepEqual([after.free, after.blocked_by], [true, []])
  }
  await fc.assert(fc.asyncProperty(busyCase(1), fc.nat(), holds), { numRuns: 40, endOnFailure: true })
})

test('a check agrees with slots and with require_free', async ({ service, key, desk, desk2: { fill } }) => {
  const holds = async (one: BusyCase, picks: readonly [number, number][]) => {
    const { id, map, query } = await fill(one)
    const { from, to } = one.window
    for (const [at, lasting] of picks) {
      const start = from + (at % (to - from))
      const end = Math.min(to, start + 1 + (lasting % 240))
      const isFree = !map.slice(start - from, end - from).includes(true)
      const times = { start: iso(start), end: iso(end) }
      const { body: check } = await desk.ask(`/v1/calendars/${id}/availability/check`, times)
      assert.deepEqual([check.free, check.blocked_by.length === 0], [isFree, isFree])
      assert.equal(check.free_from === times.start, isFree)
      const made = await service.call('POST', `/v1/calendars/${id}/events?explain=true`, {
        key,
        body: { title: 'E', start_time: times.start, end_time: times.end, require_free: true },
      })
      assert.equal(made.status, isFree ? 201 : 409, JSON.stringify(made.body))
      if (isFree) await service.call('DELETE', `/v1/events/${made.body.id}`, { key })
      else {
        assert.deepEqual(made.body.error.alternatives, check.next_free)
        assert.equal(made.body.error.conflicts, check.blocked_by.length)
      }
    }
    const { slots } = (await desk.askCalendar(id, query)).body
    for (const slot of slots.slice(0, 3)) {
      const { start, end } = slot
      const { body } = await desk.ask(`/v1/calendars/${id}/availability/check`, { start, end })
      assert.deepEqual([body.free, body.next_free[0]], [true, slot])
    }
  }
  const picks = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 4, maxLength: 4 })
  await fc.assert(fc.asyncProperty(busyCase(1), picks, holds), { numRuns: 25, endOnFailure: true })
})
