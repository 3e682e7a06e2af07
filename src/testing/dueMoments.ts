// Many moments that are due at once, written straight into the tables.

import { titleContext } from '../changeLog/sealed.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import type { TestService } from './harness.ts'
import { momentsTest } from './moments.ts'

type Place = { organizationId: string; calendarId: string }

/** Writes confirmed events whose start is due right now; returns their public ids. */
export async function insertDueMoments(
  { app, clock }: TestService,
  { organizationId, calendarId }: Place,
  count: number,
  minutesAgo = 0,
): Promise<string[]> {
  const { sql, sealer } = app
  const rows = Array.from({ length: count }, () => {
    const id = newId()
    return { id, title: sealer.seal(titleContext(id), 'Due').toString('base64') }
  })
  const start = new Date(clock.now().getTime() - minutesAgo * 60_000)
  await sql`
    with written as (
      insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
      select ${decodeId('org', organizationId)!}::uuid, r.id, ${decodeId('cal', calendarId)!}::uuid, decode(r.title, 'base64'),
        ${start}, ${start}::timestamptz + interval '1 hour', 'confirmed', '{}', ${start}, ${start}
      from jsonb_to_recordset(${sql.json(rows)}) as r (id uuid, title text)
      returning org_id, id, calendar_id)
    insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation)
    select org_id, id, calendar_id, 'event_start', ${start}, 1
    from written`
  return rows.map(({ id }) => encodeId('evt', id))
}

/** `momentsTest` with due moments on the calendar of its desk. */
export const dueMomentsTest = () =>
  momentsTest().extend(
    'insertDue',
    async ({ service, organization, desk }) =>
      (count: number, { minutesAgo = 0 }: { minutesAgo?: number } = {}) =>
        insertDueMoments(service, { organizationId: organization.id, calendarId: desk.calendar.id }, count, minutesAgo),
  )
