// Writing the difference between a feed and what was imported from it, in blocks. A block is written only while the sync is
// the latest of its subscription.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { bumpGuardedCalendar } from '../calendars/writes.ts'
import { commit } from '../changes/commit.ts'
import { descriptionPlace, titlePlace } from '../events/present.ts'
import { type ImportedRow, insertImported, removeImported, rewriteImported } from '../events/writes.ts'
import type { ImportedEvent } from '../icalendar/feedParser.ts'
import type { Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'
import type { Comparison, ImportItem } from './compare.ts'
import { type ClaimedSync, stillImporting } from './writes.ts'

const blockSize = 2_000

type Block = { added: ImportedRow[]; changed: ImportedRow[] }
const emptyBlock = (): Block => ({ added: [], changed: [] })

/**
 * While Postgres writes a block, the next one is compared and sealed. False: the sync is not the latest any more, and the rest
 * was not written.
 */
export async function writeImport(
  app: App,
  sync: ClaimedSync,
  comparison: Comparison,
  events: readonly ImportedEvent[],
): Promise<boolean> {
  const isOver = slicer()
  let writing = Promise.resolve(true)
  let block = emptyBlock()
  for (const event of events) {
    const change = comparison.changeOf(event)
    if (change) block[change.kind].push(sealed(app, change))
    if (isOver()) await nextTurn()
    if (block.added.length + block.changed.length < blockSize) continue
    if (!(await writing)) return false
    writing = write(app, sync, block)
    // An error is thrown when the next block is due.
    writing.catch(() => undefined)
    block = emptyBlock()
  }
  if (!(await writing)) return false
  const removed = comparison.removed()
  if (block.added.length + block.changed.length + removed.length === 0) return true
  return write(app, sync, { ...block, removed })
}

async function write(app: App, sync: ClaimedSync, change: Block & { removed?: Uuid[] }): Promise<boolean> {
  const { added, changed, removed = [] } = change
  const now = app.clock.now()
  const { matched } = await commit(app, {
    guard: stillImporting(app.sql, sync),
    effects: [
      bumpGuardedCalendar(app),
      added.length > 0 ? insertImported(app, sync.id, added, now) : undefined,
      changed.length > 0 ? rewriteImported(app, changed, now) : undefined,
      removed.length > 0 ? removeImported(app, removed) : undefined,
    ],
  })
  return matched
}

function sealed({ sealer }: App, { id, key, content, event }: ImportItem): ImportedRow {
  return {
    id,
    icalKey: Buffer.from(key, 'hex'),
    icalContent: Buffer.from(content, 'hex'),
    titleSealed: sealer.seal(titlePlace(id), event.title),
    descriptionSealed: event.description === null ? null : sealer.seal(descriptionPlace(id), event.description),
    startTime: event.start,
    endTime: event.end,
    allDay: event.allDay,
    status: event.status,
  }
}
