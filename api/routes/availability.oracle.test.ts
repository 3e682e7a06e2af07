// Answers over HTTP, compared with a map of single minutes.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { availabilityTest } from '../../src/testing/availability.ts'
import { type BusyCase, busyCase, ruleOf } from '../../src/testing/busyCases.ts'
import { ahead, makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { busyOf, type MappedCalendar, mapBusy, slotsOf, union } from '../../src/testing/minuteMap.ts'
import { perFile } from '../../src/testing/test.ts'

const test = availabilityTest().extend(
  'oracle',
  perFile,
  ({ service, desk: { askCalendar, askAgent, askAgents, insertEvent } }) => {
    /** Inserts them as they are; some lapsed holds, cancelled and deleted events besides, which count for nothing. */
    async function fill(calendarId: string, orgId: string, { events, series }: MappedCalendar) {
      const iso = (minute: number) => new Date(minute * 60_000).toISOString()
      const expires = (minutes: number) => ahead(service, minutes)
      for (const [i, { start, end }] of events.entries()) {
        const times = { start_time: iso(start), end_time: iso(end) }
        const variants: Record<string, unknown>[] = [
          { status: 'confirmed' },
          { status: 'tentative' },
          { status: 'hold', hold_expires_at: expires(10) },
        ]
        await insertEvent(calendarId, { ...times, ...variants[i % 3] }, orgId)
        const ghosts: Record<string, unknown>[] = [
          { status: 'cancelled' },
          { deleted_at: iso(start) },
          { status: 'hold', hold_expires_at: expires(0) },
        ]
        const moved = { start_time: iso(start + 60), end_time: iso(end + 90) }
        await insertEvent(calendarId, { ...moved, ...ghosts[i % 3] }, orgId)
      }
      for (const one of series) {
        await insertEvent(
          calendarId,
          {
            start_time: iso(one.start),
            end_time: iso(one.end),
            recurrence_rule: ruleOf(one),
            recurrence_exdates: one.cancelled.map(iso),
          },
          orgId,
        )
      }
    }
    async function agrees({ window, calendars, slotMinutes, duration }: BusyCase) {
      const org = await makeOrganization(service)
      const agents = [await makeAgent(service, org.key), await makeAgent(service, org.key)]
      const owned: { id: string; agent: number; mapped: MappedCalendar }[] = []
      for (const [i, mapped] of calendars.entries()) {
        const { id } = await makeCalendar(service, org.key, agents[i % 2].id)
        owned.push({ id, agent: i % 2, mapped })
        const body = {
          buffer_before_minutes: mapped.before,
          buffer_after_minutes: mapped.after,
          working_hours: mapped.hours,
          timezone: mapped.zone,
        }
        await service.call('PUT', `/v1/calendars/${id}/availability-rules`, { key: org.key, body })
        await fill(id, org.id, mapped)
      }
      const times = {
        start: new Date(window.from * 60_000).toISOString(),
        end: new Date(window.to * 60_000).toISOString(),
      }
      const query = { ...times, duration, include_busy: 'true' }
      const mapsOf = (of: typeof owned) =>
        mapBusy(
          of.map(({ mapped }) => mapped),
          window,
        )

      for (const one of owned) {
        const { body } = await askCalendar(one.id, query, org.key)
        const map = mapsOf([one])
        assert.deepEqual([body.busy, body.slots], [busyOf(map, window), slotsOf(map, window, slotMinutes)])
      }
      const agentMaps = agents.map((_, agent) => mapsOf(owned.filter((one) => one.agent === agent)))
      const ids = agents.map(({ id }) => id)
      const all = union(agentMaps)
      for (const include_busy of ['true', 'false', 'true']) {
        const { body } = await askAgents(ids, { ...query, include_busy }, org.key)
        assert.deepEqual(body.slots, slotsOf(all, window, slotMinutes))
        const expected = Object.fromEntries(ids.map((id, i) => [id, busyOf(agentMaps[i]!, window)]))
        assert.deepEqual(body.per_agent_busy, include_busy === 'true' ? expected : undefined)
      }
      const { body } = await askAgent(ids[0], query, org.key)
      assert.deepEqual(body.slots, slotsOf(agentMaps[0]!, window, slotMinutes))
    }
    return { agrees }
  },
)

test('answers over HTTP equal those of a map of single minutes', async ({ oracle: { agrees } }) => {
  await fc.assert(fc.asyncProperty(busyCase(4), agrees), { numRuns: 25, endOnFailure: true })
})
