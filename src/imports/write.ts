// Writing the difference between a feed and what was imported from it, in blocks. A block is written only while the sync is
// the latest of its subscription.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { descriptionPlace, titlePlace } from '../events/present.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'
import type { compare, ImportItem } from './compare.ts'
import { type ImportRow, insertImported, removeImported, rewriteImported } from './queries.ts'
import { type ClaimedSync, stillImporting } from './writes.ts'

const blockSize = 2_000

/** False: the sync is not the latest any more, and the rest was not written. */
export async function writeImport(
  app: App,
  sync: ClaimedSync,
  diff: ReturnType<typeof compare<ImportItem>>,
): Promise<boolean> {
  const added = blocksOf(diff.added.map((item) => ({ ...item, id: newId() })))
  const changed = blocksOf(diff.changed)
  for (const block of added) if (!(await write(app, sync, { added: await sealed(app, block) }))) return false
  for (const block of changed) if (!(await write(app, sync, { changed: await sealed(app, block) }))) return false
  return diff.removed.length === 0 || write(app, sync, { removed: diff.removed })
}

type Change = { added?: ImportRow[]; changed?: ImportRow[]; removed?: Uuid[] }

async function write(app: App, sync: ClaimedSync, { added, changed, removed }: Change): Promise<boolean> {
  const { sql } = app
  const now = app.clock.now()
  const { matched } = await commitParts(app, stillImporting(sql, sync), {
    calendar: sql`
      update calendars c set revision = c.revision + 1 from guard where c.org_id = guard.org_id and c.id = guard.calendar_id`,
    added: added && insertImported(sql, sync, added, now),
    changed: changed && rewriteImported(sql, changed, now),
    removed: removed && removeImported(sql, removed),
  })
  return matched
}

const blocksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / blockSize) }, (_, nth) =>
    items.slice(nth * blockSize, (nth + 1) * blockSize),
  )

async function sealed({ sealer }: App, items: readonly (ImportItem & { id: Uuid })[]): Promise<ImportRow[]> {
  const isOver = slicer()
  const rows: ImportRow[] = []
  for (const { id, key, content, event } of items) {
    rows.push({
      id,
      key,
      content,
      title: sealer.seal(titlePlace(id), event.title).toString('base64'),
      description:
        event.description === null ? null : sealer.seal(descriptionPlace(id), event.description).toString('base64'),
      start_time: event.start,
      end_time: event.end,
      all_day: event.allDay,
      status: event.status,
    })
    if (isOver()) await nextTurn()
  }
  return rows
}
