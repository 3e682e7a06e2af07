// Destinations with copies to write are rung for.
import { ring } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeup } from '../wakeups/jobs.ts'

/** Of effects that return `org_id, destination_id`. */
export const publicationsRing = ring<[orgId: Uuid, destinationId: Uuid][]>('publications', {
  found: (sql, rows) => sql`select jsonb_agg(distinct jsonb_build_array(org_id, destination_id)) from ${rows}`,
  after: (app, pairs) => app.bell.ring(pairs.map(([orgId, id]) => wakeup('publish', { orgId, id }, app.clock.now()))),
})
