// Entries of the change feed: the readers of their organizations are notified.
import { ring } from '../commit/effect.ts'
import { notifyReaders } from '../commit/notifyReaders.ts'
import type { Uuid } from '../shapes/ids.ts'

/** Of effects that return `org_id`. */
export const changesRing = ring<Uuid[]>('changes', {
  found: (sql, rows) => sql`select jsonb_agg(distinct org_id) from ${rows}`,
  after: notifyReaders,
})
