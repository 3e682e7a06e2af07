// Writing what a feed says: only what is new, changed or gone. Large imports go in blocks; each block, and the end, is
// written only while the sync is still the latest of its subscription.
import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { descriptionPlace, titlePlace } from '../events/present.ts'
import { type ImportedRow, insertImported, removeImported, rewriteImported } from '../events/writes.ts'
import { importedSuffix } from '../feeds/uid.ts'
import type { ImportedEvent } from '../icalendar/readFeed.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'
import { type ClaimedSync, keptImports, stillImporting } from './queries.ts'
import { type Digests, diffOf } from './rules.ts'

const blockSize = 2_000

type ImportItem = Digests & { event: ImportedEvent }

/** False: the sync is not the latest any more, and what was left to write was not written. */
export async function importEvents(
  app: App,
  sync: ClaimedSync,
  digestKey: string,
  events: readonly ImportedEvent[],
): Promise<boolean> {
  const items = await digested(digestKey, events.filter(isFirstHand))
  const diff = diffOf(await keptImports(app.sql, sync), items)
  const added = blocksOf(diff.added.map((item) => ({ ...item, id: newId() })))
  const changed = blocksOf(diff.changed)
  for (const block of added) if (!(await write(app, sync, { added: await sealed(app, block) }))) return false
  for (const block of changed) if (!(await write(app, sync, { changed: await sealed(app, block) }))) return false
  return diff.removed.length === 0 || write(app, sync, { removed: diff.removed })
}

type Change = { added?: ImportedRow[]; changed?: ImportedRow[]; removed?: Uuid[] }

async function write(app: App, sync: ClaimedSync, { added, changed, removed }: Change): Promise<boolean> {
  const { sql } = app
  const now = app.clock.now()
  const { matched } = await commitParts(app, stillImporting(sql, sync), {
    calendar: sql`
      update calendars c set revision = c.revision + 1 from guard where c.org_id = guard.org_id and c.id = guard.calendar_id`,
    added: added && insertImported(app, sync.id, added, now),
    changed: changed && rewriteImported(app, changed, now),
    removed: removed && removeImported(app, removed),
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

async function digested(digestKey: string, events: readonly ImportedEvent[]): Promise<ImportItem[]> {
  const isOver = slicer()
  const digest = (value: unknown) => createHmac('sha256', digestKey).update(JSON.stringify(value)).digest('hex')
  const items: ImportItem[] = []
  for (const event of events) {
    const { uid, recurrenceId, title, description, start, end, allDay, status } = event
    const key = digest([uid, recurrenceId])
    items.push({ key, content: digest([title, description, start, end, allDay, status]), event })
    if (isOver()) await nextTurn()
  }
  return items
}

/** A feed of this service passes on what it imported; taking that too would let two calendars copy each other for ever. */
const isFirstHand = ({ uid }: ImportedEvent): boolean => !uid.endsWith(importedSuffix)
