import postgres from 'postgres'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { descriptionContext } from '../../src/events/present.ts'
import { isoTime } from '../../src/shapes/datetimes.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { copied, openCopy } from '../world/copyRows.ts'
import type { World } from './world.ts'

type NewEvent = { id: Uuid; title: string; description?: string; startMs: number; endMs: number; status?: string }

type Place = { orgId: Uuid; calendarId: Uuid; source?: 'internal' | 'external_ical' }

const columns = [
  ...['org_id', 'id', 'calendar_id', 'title_sealed', 'description_sealed', 'start_time', 'end_time', 'status'],
  ...['source', 'metadata', 'created_at', 'updated_at'],
]

/** Writes events in bulk, sealed as the service seals them. Counts and revisions stay as they are. */
export async function copyEvents({ app }: World, place: Place, events: Iterable<NewEvent>): Promise<void> {
  const { orgId, calendarId, source = 'internal' } = place
  const now = isoTime(new Date())
  const sql = postgres(app.config.databaseUrl, { max: 1 })
  const copy = await openCopy(sql, 'events', columns)
  for (const { id, title, description, startMs, endMs, status = 'confirmed' } of events) {
    const times = [startMs, endMs].map((ms) => isoTime(new Date(ms)))
    await copy.write([
      ...[orgId, id, calendarId, copied(app.sealer.seal(titleContext(id), title))],
      description === undefined ? null : copied(app.sealer.seal(descriptionContext(id), description)),
      ...[...times, status, source, '{}', now, now],
    ])
  }
  await copy.end()
  await sql.end()
}
