// A calendar whose events remind, start and end while the clock goes from minute to minute.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar, makeEvent } from './factories.ts'
import { testStart } from './harness.ts'
import { serviceTest } from './test.ts'

export const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()

/** `serviceTest` with a calendar per test; the receiver hears of the moments of its events and of holds that expire. */
export const momentsTest = () =>
  serviceTest({
    plan: 'custom',
    receives: ['event.started', 'event.ended', 'event.reminder', 'event.hold_expired'],
  }).extend('desk', async ({ service, key, receiver }) => {
    await service.clock.set(testStart)
    const calendar = await makeCalendar(service, key)
    await service.app.sql`delete from timers`
    receiver.received.length = 0

    const pathOf = (eventId: string) => `/v1/calendars/${calendar.id}/events/${eventId}`
    /** From minute 60 to minute 90 of the test, unless told otherwise. */
    const event = (body: object = {}, calendarId = calendar.id) =>
      makeEvent(service, key, calendarId, { start_time: at(60), end_time: at(90), ...body })
    async function change(path: string, body: object) {
      const answer = await service.call('PATCH', path, { key, body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    const patch = (eventId: string, body: object) => change(pathOf(eventId), body)
    const patchCalendar = (body: object) => change(`/v1/calendars/${calendar.id}`, body)
    const goTo = (minutes: number) => service.clock.set(at(minutes))

    /** Goes to these minutes of the test one after the other; returns what fired at each. */
    async function firedAt(...minutes: number[]): Promise<Record<number, string[]>> {
      const fired: Record<number, string[]> = {}
      for (const minute of minutes) {
        receiver.received.length = 0
        await goTo(minute)
        await service.drain()
        const types = receiver.received.map(({ type, payload }) =>
          type === 'event.reminder' ? `${type} ${payload.reminder_minutes}` : type,
        )
        if (types.length > 0) fired[minute] = types.sort()
      }
      return fired
    }

    /** `kind offset due` of what waits. */
    async function timersOf(eventId: string) {
      const rows = await service.app.sql<{ kind: string; offsetMinutes: number; dueAt: Date }[]>`
        select kind, offset_minutes, due_at from timers where subject_id = ${decodeId('evt', eventId)!}
        order by due_at, kind`
      return rows.map(({ kind, offsetMinutes, dueAt }) => `${kind} ${offsetMinutes} ${dueAt.toISOString()}`)
    }

    /** The events whose start the receiver was told of. */
    const startedIds = () =>
      receiver.received.filter(({ type }) => type === 'event.started').map(({ payload }) => payload.event_id)

    return { calendar, pathOf, event, patch, patchCalendar, goTo, firedAt, timersOf, startedIds }
  })
