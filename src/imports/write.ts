// Writing the difference between a feed and what was imported from it, in blocks. A block is written only while the sync is
// the latest of its subscription.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { bumpGuardedCalendar } from '../calendars/writes.ts'
import { commit } from '../changes/commit.ts'
import { descriptionPlace, titlePlace } from '../events/present.ts'
import { type ImportedRow, insertImported, removeImported, rewriteImported } from '../events/writes.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'
import type { compare, ImportItem } from './compare.ts'
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

type Change = { added?: ImportedRow[]; changed?: ImportedRow[]; removed?: Uuid[] }

async function write(app: App, sync: ClaimedSync, { added, changed, removed }: Change): Promise<boolean> {
  const now = app.clock.now()
  const { matched } = await commit(app, {
    guard: stillImporting(app.sql, sync),
    effects: [
      bumpGuardedCalendar(app),
      added && insertImported(app, sync.id, added, now),
      changed && rewriteImported(app, changed, now),
      removed && removeImported(app, removed),
    ],
  })
  return matched
}

const blocksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / blockSize) }, (_, nth) =>
    items.slice(nth * blockSize, (nth + 1) * blockSize),
  )

async function sealed({ sealer }: App, items: readonly (ImportItem & { id: Uuid })[]): Promise<ImportedRow[]> {
  const isOver = slicer()
  const rows: ImportedRow[] = []
  for (const { id, key, content, event } of items) {
    rows.push({
      id,
      icalKey: Buffer.from(key, 'hex'),
      icalContent: Buffer.from(content, 'hex'),
      titleSealed: sealer.seal(titlePlace(id), event.title),
      descriptionSealed: event.description === null ? null : sealer.seal(descriptionPlace(id), event.description),
      startTime: event.start,
      endTime: event.end,
      allDay: event.allDay,
      status: event.status,
    })
    if (isOver()) await nextTurn()
  }
  return rows
}
