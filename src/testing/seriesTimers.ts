// Series whose occurrences remind, start and end while the clock goes from day to day.
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar, makeEvent, makeOrganization, makeWebhook } from './factories.ts'
import { testStart } from './harness.ts'
import { openReceiver, type Received } from './receiver.ts'
import { serviceTest } from './test.ts'

export const moments = ['event.started', 'event.ended', 'event.reminder']

export const day = (nth: number, time = '10:00:00.000') =>
  new Date(Date.parse(`2026-03-01T${time}Z`) + (nth - 1) * 86_400_000).toISOString()

/** `kind occurrence` of what was received. */
export const told = (received: readonly Received[]) =>
  received.map(({ type, payload }) => `${type} ${payload.occurrence_start}`)

/** When what a payload tells of happened. */
export const momentOf = ({ type, payload }: Received): number => {
  if (type === 'event.ended') return Date.parse(payload.end_time)
  return Date.parse(payload.start_time) - (payload.reminder_minutes ?? 0) * 60_000
}

/** `serviceTest` with a receiver per test, and series that each have an organization of their own. */
export const seriesTest = () =>
  serviceTest()
    .extend('hook', async ({ service }, { onCleanup }) => {
      const hook = await openReceiver()
      await service.clock.set(testStart)
      onCleanup(async () => {
        // The next test starts from the same time again: what this one left would be due in it.
        await service.app.sql`update webhook_subscriptions set active = false`
        await service.app.sql`delete from timers`
        await hook.close()
      })
      return hook
    })
    .extend('desk', async ({ service, hook }) => {
      /** A daily series without end at ten from the 2nd, half an hour each, unless told otherwise; every moment is told of. */
      async function makeSeries(event: object = {}) {
        const { key } = await makeOrganization(service, { plan: 'custom' })
        await makeWebhook(service, key, hook.url, moments)
        const calendar = await makeCalendar(service, key)
        const body = { start_time: day(2), end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY', ...event }
        const { id } = await makeEvent(service, key, calendar.id, body)
        const path = `/v1/calendars/${calendar.id}/events/${id}`
        return { key, id, calendar, path }
      }

      /** `kind offset due occurrence` of what waits. */
      async function timersOf({ id }: { id: string }): Promise<string[]> {
        const rows = await service.app.sql<
          { kind: string; offsetMinutes: number; dueAt: Date; occurrenceStart: Date }[]
        >`
        select kind, offset_minutes, due_at, occurrence_start from timers where subject_id = ${decodeId('evt', id)!}
        order by due_at, kind`
        return rows.map((row) =>
          [row.kind, row.offsetMinutes, row.dueAt.toISOString(), row.occurrenceStart.toISOString()].join(' '),
        )
      }

      /** In the order in which they were emitted: delivery ids are made in the order of time. */
      const emitted = (): Received[] => hook.received.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))

      return { makeSeries, timersOf, emitted }
    })
