// One page of the feed. The entries that a snapshot does not see are a batch; its pages follow the order of the feed, and a
// reader who has the last one has all that the batch's own snapshot sees.
import type { App } from '../app.ts'
import { overloaded } from '../errors.ts'
import { heavyRead, nextPiece } from '../quotas/heavyReads.ts'
import { isOverShare } from '../quotas/loopShare.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Batch, type ChangeKey, type Position, positionAt } from './cursor.ts'
import { type Filter, isEverything } from './filter.ts'
import { type History, historyOf, isOn } from './history.ts'
import { boundsSince, currentSnapshot, type EntryRow, keptNews, newsSince, walkBatch } from './queries.ts'
import { beforeAll, isEarlier, type Snapshot } from './snapshot.ts'

type Change = { key: ChangeKey; entries: EntryRow[] }

export type Page = {
  changes: Change[]
  /** Of a reader who has nothing of this page yet. */
  start: Position
  /** Of a reader who has this page. */
  position: Position
  hasMore: boolean
  /** Of a reader who has this page up to a change of it. */
  positionAfter(change: Change): Position
}

/** `isAnswer`: the page is the answer, and may be refused; otherwise its reader has waited for it. */
export type PageOptions = { filter: Filter; withPayload: boolean; limit: number; isAnswer: boolean }

/** A filter that matches little makes a page walk over many rows: it ends here, and its cursor moves on. */
const maxRows = 2_000
const maxWalks = 10
/** Of payloads: beyond them a page ends, but for its first change. */
const maxBytes = 512 * 1024
/** Payloads of more rows than these may be large. */
const maxLightRows = 20

/** The first walk of a page is shorter where it hardly meets a row that the page does not want. */
const rowsOfFirst = ({ filter, limit }: PageOptions): number =>
  isEverything(filter) ? Math.min(maxRows, 4 * limit) : maxRows

/** Below every change of its number. */
const lowestId = '00000000-0000-0000-0000-000000000000' as Uuid

/** From now on. */
export async function currentPosition(app: App, orgId: Uuid): Promise<Position> {
  const now = app.clock.now()
  const [row] = await currentSnapshot(app.sql, orgId)
  return positionAt(requirePrimary(row!.database), row!.now, now)
}

/** Before the oldest change that is kept. */
export async function oldestPosition(app: App, orgId: Uuid, keptSince: Date): Promise<Position> {
  const now = app.clock.now()
  const [row] = await keptNews(app.sql, orgId, keptSince)
  return batchPosition({ ...positionAt(requirePrimary(row!.database), beforeAll, now), from: keptSince }, row!, now)
}

/** The database is on another history than this position: its snapshots may mean nothing here. */
type Restored = 'restored'

export async function readPage(app: App, orgId: Uuid, start: Position, options: PageOptions): Promise<Page | Restored> {
  if (start.batch) {
    const page = await inPlace(app, orgId, options, () => walkOn(app, orgId, start, options))
    return page === 'restored' || page.hasMore ? page : withNewer(app, orgId, page, options)
  }
  const begun = await beginBatch(app, orgId, start)
  if (begun === 'restored') return begun
  // A poll that finds nothing takes no place.
  if (!begun.position.batch) return emptyPage(begun.position)
  const isLight = begun.rows <= maxLightRows && !isOverShare(app, orgId)
  const read = () => walkOn(app, orgId, begun.position, options)
  return isLight ? read() : inPlace(app, orgId, options, read)
}

/** Large payloads are read in one of the organization's places. */
function inPlace<T>(app: App, orgId: Uuid, { withPayload, isAnswer }: PageOptions, read: () => Promise<T>): Promise<T> {
  if (!withPayload) return read()
  return isAnswer ? heavyRead(app, orgId, 'changes', read) : nextPiece(app, orgId, read)
}

async function walkOn(app: App, orgId: Uuid, start: Position, options: PageOptions): Promise<Page | Restored> {
  let position = start
  for (let walks = 1; ; walks++) {
    if (!position.batch) return emptyPage(position)
    const most = walks === 1 ? rowsOfFirst(options) : maxRows
    const page = await walk(app, orgId, { ...position, batch: position.batch }, options, most)
    if (page === 'restored' || page.changes.length > 0 || !page.hasMore || walks === maxWalks) return page
    position = page.position
  }
}

/** The last page of a batch that began with an earlier page: more may have come in the meantime. */
async function withNewer(app: App, orgId: Uuid, page: Page, { filter }: PageOptions): Promise<Page | Restored> {
  const begun = await beginBatch(app, orgId, page.position)
  if (begun === 'restored') return begun
  const { position } = begun
  const newer = await walkOn(app, orgId, position, { filter, withPayload: false, limit: 1, isAnswer: false })
  if (newer === 'restored') return newer
  const isFound = newer.changes.length > 0
  return { ...page, position: isFound ? position : newer.position, hasMore: isFound || newer.hasMore }
}

const emptyPage = (position: Position): Page => ({
  ...{ changes: [], start: position, position, hasMore: false },
  positionAfter: () => position,
})

/** `rows`: the number of new entries, as far as they were counted. */
type Begun = { position: Position; rows: number }

async function beginBatch(app: App, orgId: Uuid, position: Position): Promise<Begun | Restored> {
  const now = app.clock.now()
  const [row] = await newsSince(app.sql, orgId, position, maxRows)
  const history = requirePrimary(row!.database)
  if (!isOn(position, history)) return 'restored'
  // A cold copy of the same history, from before the cursor.
  if (isEarlier(row!.now, position.base)) return 'restored'
  app.metrics.feedScannedRows.observe(row!.rows)
  const { rows } = row!
  if (rows < maxRows) return { position: batchPosition({ ...position, ...history }, row!, now), rows }
  const [bounds] = await boundsSince(app.sql, orgId, position)
  app.metrics.feedScannedRows.observe(bounds!.rows)
  return { position: batchPosition({ ...position, ...history }, { ...row!, ...bounds! }, now), rows }
}

type News = { now: Snapshot; first: number | null; last: number | null }

/** Without news the position is simply a later one. */
const batchPosition = (position: Position, { now: target, first, last }: News, targetAt: Date): Position =>
  first === null || last === null
    ? positionAt(position, target, targetAt)
    : { ...position, batch: { target, targetAt, after: { seq: first, changeId: lowestId }, lastSeq: last } }

type Batched = Position & { batch: Batch }

/** Goes over `most` rows at most. */
async function walk(
  app: App,
  orgId: Uuid,
  position: Batched,
  options: PageOptions,
  most: number,
): Promise<Page | Restored> {
  const { batch } = position
  // One change more than is wanted shows that there is more.
  const rows = await walkBatch(app.sql, orgId, {
    position,
    ...options,
    limit: options.limit + 1,
    maxBytes,
    maxRows: most,
  })
  const { database, walked, walkedSeq, walkedId } = rows[0]!
  if (!isOn(position, requirePrimary(database))) return 'restored'
  app.metrics.feedScannedRows.observe(walked ?? 0)
  const all = changesOf(rows.filter((row) => row.seq !== null) as unknown as EntryRow[])
  const beyond = all.findIndex(({ entries }) => entries[0]!.isBeyond)
  const changes = all.slice(0, beyond === -1 ? options.limit : Math.min(beyond, options.limit))
  const positionAfter = ({ key }: Pick<Change, 'key'>): Position => ({
    ...position,
    batch: { ...batch, after: key },
  })
  const page = (next: Position, hasMore: boolean): Page => ({
    ...{ changes, start: position, position: next, hasMore },
    positionAfter,
  })
  if (all.length > changes.length) return page(positionAfter(changes.at(-1)!), true)
  if (walked === most) return page(positionAfter({ key: { seq: walkedSeq!, changeId: walkedId! } }), true)
  return page(positionAt(position, batch.target, batch.targetAt), false)
}

function changesOf(rows: readonly EntryRow[]): Change[] {
  const changes: Change[] = []
  for (const row of rows) {
    const last = changes.at(-1)
    if (last?.key.changeId === row.changeId && last.key.seq === row.seq) last.entries.push(row)
    else changes.push({ key: { seq: row.seq, changeId: row.changeId }, entries: [row] })
  }
  return changes
}

/** Of an answer. */
export function requirePrimary(database: string | null): History {
  if (database === null)
    throw overloaded('The change feed can be read on the primary only, and this database is a standby.')
  return historyOf(database)
}
