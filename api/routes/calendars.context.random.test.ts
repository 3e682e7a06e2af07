// The context of random calendars, compared with a sorted list of everything.
import assert from 'node:assert/strict'
import { contextTest } from '../../src/testing/contexts.ts'
import { testStart } from '../../src/testing/harness.ts'

const test = contextTest()

const hour = 60
const day = 24 * hour

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

test(`random calendars show what a sorted list of everything shows (SEED=${seed})`, async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const random = randomFrom(seed)
  for (let round = 0; round < 12; round++) {
    await service.clock.set(testStart)
    const { key, calendar, add, context } = await makeCalendarOf()
    type Placed = { key: string; startMs: number; endMs: number }
    const all: Placed[] = []
    const minute = 60_000
    // Of some calendars all but a few are series, which are mostly over and whose last occurrences are mostly cancelled.
    const singlesInTen = [3, 7, 1][round % 3]!
    for (let made = 0; made < 10 + random(20); made++) {
      const from = (random(60) - 40) * 12 * hour
      const length = [30, 12 * hour, day, 5 * day, 7 * day, 9 * day, 30 * day][random(7)]!
      const count = random(10) < singlesInTen ? undefined : 1 + random(20)
      const kept = random(2) === 0 ? count : random(8)
      const { id } = await add(
        'event',
        from,
        from + length,
        count ? { recurrence_rule: `FREQ=DAILY;COUNT=${count}` } : {},
      )
      for (let nth = 0; nth < (count ?? 1); nth++) {
        const startMs = testStart.getTime() + from * minute + nth * day * minute
        if (count && nth >= kept!) {
          const path = `/v1/calendars/${calendar.id}/events/${id}?occurrence_start=${new Date(startMs).toISOString()}`
          assert.equal((await service.call('DELETE', path, { key })).status, 200)
          continue
        }
        all.push({ key: `${id} ${new Date(startMs).toISOString()}`, startMs, endMs: startMs + length * minute })
      }
    }
    for (const at of [0, 6 * hour, 12 * hour, -3 * day]) {
      const nowMs = testStart.getTime() + at * minute
      await service.clock.set(new Date(nowMs))
      const byStart = all.toSorted((a, b) => a.startMs - b.startMs || (a.key < b.key ? -1 : 1))
      const byEnd = all.toSorted((a, b) => b.endMs - a.endMs || b.startMs - a.startMs || (a.key < b.key ? 1 : -1))
      const coming = byStart.filter(({ startMs }) => startMs > nowMs)
      const keyOf = (item: { id: string; startTime: string } | null) => (item ? `${item.id} ${item.startTime}` : null)
      const body = await context()
      const seen = {
        current: keyOf(body.current_event),
        next: keyOf(body.next_event),
        recent: body.recent_events.map(keyOf),
        upcoming: body.upcoming.map(keyOf),
      }
      assert.deepEqual(seen, {
        current: byStart.filter(({ startMs, endMs }) => startMs <= nowMs && endMs > nowMs).at(-1)?.key ?? null,
        next: coming[0]?.key ?? null,
        recent: byEnd
          .filter(({ endMs }) => endMs <= nowMs)
          .slice(0, 3)
          .map(({ key }) => key),
        upcoming: coming
          .filter(({ startMs }) => startMs <= nowMs + day * minute)
          .slice(0, 5)
          .map(({ key }) => key),
      })
    }
  }
})
