import { once } from 'node:events'
import postgres from 'postgres'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { descriptionContext } from '../../src/events/present.ts'
import { isoTime } from '../../src/shapes/datetimes.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import type { World } from './world.ts'

type NewEvent = { id: Uuid; title: string; description?: string; startMs: number; endMs: number; status?: string }

type Place = { orgId: Uuid; calendarId: Uuid; source?: 'internal' | 'external_ical' }

/** Writes events in bulk, sealed as the service seals them. Counts and revisions stay as they are. */
export async function copyEvents({ app }: World, place: Place, events: Iterable<NewEvent>): Promise<void> {
  const { orgId, calendarId, source = 'internal' } = place
  const sealed = (where: ReturnType<typeof titleContext | typeof descriptionContext>, text: string) =>
    `\\\\x${app.sealer.seal(where, text).toString('hex')}`
  const now = isoTime(new Date())
  const sql = postgres(app.config.databaseUrl, { max: 1 })
  const copy = await sql`
    copy events (org_id, id, calendar_id, title_sealed, description_sealed, start_time, end_time, status, source,
      metadata, created_at, updated_at) from stdin`.writable()
  for (const { id, title, description, startMs, endMs, status = 'confirmed' } of events) {
    const texts = [
      sealed(titleContext(id), title),
      description === undefined ? '\\N' : sealed(descriptionContext(id), description),
    ]
    const times = [startMs, endMs].map((ms) => isoTime(new Date(ms)))
    const line = [orgId, id, calendarId, ...texts, ...times, status, source, '{}', now, now].join('\t')
    if (!copy.write(`${line}\n`)) await once(copy, 'drain')
  }
  copy.end()
  await once(copy, 'finish')
  await sql.end()
}
