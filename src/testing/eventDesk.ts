// Fixtures of event tests: a calendar for each test, and requests for the events of a calendar.

import { titleContext } from '../changeLog/sealed.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { asRead } from './eventRecord.ts'
import { makeCalendar } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import { serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

export const start = '2026-03-02T10:00:00.000Z'
export const end = '2026-03-02T10:30:00.000Z'
export const minimal = { title: 'Standup', start_time: start, end_time: end }

export function openDesk({ call }: TestService, key: string, calendar: Any) {
  const pathOf = (eventId?: string, calendarId: string = calendar.id) =>
    `/v1/calendars/${calendarId}/events${eventId ? `/${eventId}` : ''}`
  const post = async (body: unknown, path = pathOf()) => asRead(await call('POST', path, { key, body }))
  const get = (eventId: string) => call('GET', pathOf(eventId), { key })
  const patch = async (eventId: string, body: unknown) => asRead(await call('PATCH', pathOf(eventId), { key, body }))
  const remove = async (eventId: string, query = '') => asRead(await call('DELETE', pathOf(eventId) + query, { key }))
  const confirm = async (eventId: string) => asRead(await call('PUT', `/v1/events/${eventId}/confirm`, { key }))
  const release = async (eventId: string) => asRead(await call('PUT', `/v1/events/${eventId}/release`, { key }))
  return { calendar, pathOf, post, get, patch, remove, confirm, release }
}

/** `serviceTest` with a desk for each test: at the time of the start, a new calendar and the requests for its events. */
export const deskTest = (options: Parameters<typeof serviceTest>[0] = {}) =>
  serviceTest(options).extend('desk', async ({ service, key }) => {
    await service.clock.set(testStart)
    return openDesk(service, key, await makeCalendar(service, key))
  })

type Imported = { start: string; end: string; title?: string; status?: string }

/** As an import would leave it: the API makes no event that comes from a feed. */
export async function importEvent(
  { app: { sql, sealer } }: TestService,
  orgId: string,
  calendarId: string,
  { start, end, title = 'Imported', status = 'confirmed' }: Imported,
): Promise<string> {
  const id = newId()
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata,
      created_at, updated_at)
    values (${decodeId('org', orgId)!}, ${id}, ${decodeId('cal', calendarId)!}, ${sealer.seal(titleContext(id), title)},
      ${new Date(start)}, ${new Date(end)}, ${status}, 'external_ical', '{}', ${testStart}, ${testStart})`
  return encodeId('evt', id)
}
