// A daily series on a calendar of its own, and the requests that edit it.

import { decodeId } from '../shapes/ids.ts'
import { asRead } from './eventRecord.ts'
import { makeCalendar, makeEvent, makeOrganization, type OrganizationOptions } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

/** A time of March 2026; the 2nd is a Monday. */
export const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`
export const start = day(2)

export type Series = Awaited<ReturnType<typeof makeSeries>>

/** Thirty occurrences of half an hour; `event` may say otherwise. */
async function makeSeries(service: TestService, event: object = {}, organization: OrganizationOptions = {}) {
  const { key } = await makeOrganization(service, organization)
  const calendar = await makeCalendar(service, key)
  const body = { start_time: start, end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY;COUNT=30', ...event }
  const { id } = await makeEvent(service, key, calendar.id, body)
  const path = `/v1/calendars/${calendar.id}/events/${id}`
  return {
    key,
    id: id as string,
    calendar: calendar as { id: string; ical_url: string },
    path,
    edit: async (body: object) => asRead(await service.call('PATCH', path, { key, body })),
    cancel: async (occurrenceStart: string) =>
      asRead(await service.call('DELETE', `${path}?occurrence_start=${encodeURIComponent(occurrenceStart)}`, { key })),
    read: () => service.call('GET', path, { key }),
    /** `kind offset due`, in the order of time. */
    async timers(): Promise<string[]> {
      const rows = await service.app.sql<{ kind: string; offsetMinutes: number; dueAt: Date }[]>`
        select kind, offset_minutes, due_at from timers where subject_id = ${decodeId('evt', id)!}
        order by due_at, kind`
      return rows.map(
        ({ kind, offsetMinutes, dueAt }) => `${kind} ${offsetMinutes} ${dueAt.toISOString().slice(8, 16)}`,
      )
    },
  }
}

/** `serviceTest` that makes series; each test begins an hour before the first one, and with nothing received. */
export function seriesTest() {
  const test = serviceTest().extend(
    'makeSeries',
    perFile,
    ({ service }) =>
      (event?: object, organization?: OrganizationOptions) =>
        makeSeries(service, event, organization),
  )
  test.beforeEach(async ({ service, receiver }) => {
    await service.clock.set(testStart)
    receiver.received.length = 0
  })
  return test
}
