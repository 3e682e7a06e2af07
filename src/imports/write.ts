// Writes the difference between a feed and its earlier imports, in blocks. A block is written only while the sync is the latest
// of its subscription. The last block reports all of them to the change feed.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { bumpGuardedCalendar } from '../calendars/writes.ts'
import { byItself } from '../changeLog/origin.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { commit } from '../commit/commit.ts'
import { planDetails } from '../events/details.ts'
import { labelKeysOf } from '../events/labels.ts'
import { descriptionContext } from '../events/present.ts'
import { type ImportedRow, insertImported, removeImported, rewriteImported } from '../events/writes.ts'
import type { ImportedEvent } from '../icalendar/feedParser.ts'
import type { Uuid } from '../shapes/ids.ts'
import { sliceTimer } from '../shapes/slices.ts'
import { emit } from '../webhooks/emit.ts'
import type { Comparison, ImportItem } from './compare.ts'
import { hasWritten, importEmission, nothingWritten } from './unreported.ts'
import { type ClaimedSync, keepUnreported, stillImporting, type Written } from './writes.ts'

const blockSize = 2_000

type Block = { added: ImportedRow[]; changed: ImportedRow[]; removed: Uuid[]; isLast: boolean }
const emptyBlock = (): Block => ({ added: [], changed: [], removed: [], isLast: false })

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
  const isOver = sliceTimer()
  const write = openWriter(app, sync)
  let writing = Promise.resolve(true)
  let block = emptyBlock()
  for (const event of events) {
    if (isOver()) await nextTurn()
    const change = comparison.changeOf(event)
    if (!change) continue
    // A full block waits until there is more, because the last one has more to write.
    if (block.added.length + block.changed.length === blockSize) {
      if (!(await writing)) return false
      writing = write(block)
      // An error is thrown when the next block is due.
      writing.catch(() => undefined)
      block = emptyBlock()
    }
    const labels = event.details?.labels
    const labelKeys = labels && (await labelKeysOf(app, sync.orgId, labels))
    block[change.kind].push(sealed(app, change, labelKeys))
  }
  if (!(await writing)) return false
  return write({ ...block, removed: comparison.removed(), isLast: true })
}

/** Writes one block after the other. */
function openWriter(app: App, sync: ClaimedSync): (block: Block) => Promise<boolean> {
  let unreported: Written = { added: sync.untoldAdded, changed: sync.untoldChanged, removed: sync.untoldRemoved }
  return async ({ added, changed, removed, isLast }) => {
    const hasKept = hasWritten(unreported)
    const written = {
      added: unreported.added + added.length,
      changed: unreported.changed + changed.length,
      removed: unreported.removed + removed.length,
    }
    if (!hasWritten(written)) return true
    unreported = isLast ? nothingWritten : written
    const now = app.clock.now()
    const { matched } = await commit(app, {
      guard: stillImporting(app.sql, sync),
      effects: [
        bumpGuardedCalendar(app),
        added.length > 0 ? insertImported(app, sync.id, added, now) : undefined,
        changed.length > 0 ? rewriteImported(app, changed, now) : undefined,
        removed.length > 0 ? removeImported(app, removed) : undefined,
        hasKept || !isLast ? keepUnreported(app.sql, sync, unreported) : undefined,
        ...(isLast ? emit(app, byItself(sync.orgId, 'import'), [importEmission(sync, written)]) : []),
      ],
    })
    return matched
  }
}

function sealed(
  { sealer }: App,
  { id, key, content, event }: ImportItem,
  labelKeys: Buffer[] | undefined,
): ImportedRow {
  return {
    ...planDetails(sealer, id, { ...event.details, transparency: event.transparent && 'transparent', labelKeys })
      .columns,
    id,
    icalKey: Buffer.from(key, 'hex'),
    icalContent: Buffer.from(content, 'hex'),
    titleSealed: sealer.seal(titleContext(id), event.title),
    descriptionSealed: event.description === null ? null : sealer.seal(descriptionContext(id), event.description),
    startTime: event.start,
    endTime: event.end,
    allDay: event.allDay,
    status: event.status,
  }
}
