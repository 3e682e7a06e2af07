// The public feed of a calendar: found by the hash of its token, written again when the calendar's revision has changed.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { descriptionPlace, titlePlace } from '../events/present.ts'
import { systemReminders } from '../events/reminders.ts'
import { isLapsed, shownStatus } from '../events/rules.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'
import { batched } from '../stores/batch.ts'
import { type Body, feedCacheOf } from './feedCache.ts'
import { type FeedRow, type FeedState, feedRows, feedsByToken } from './queries.ts'
import { frameOf, veventOf } from './vevent.ts'

/** How long clients and caches may keep it; also the refresh interval that the feed suggests. */
export const freshSeconds = 300
/** Part of the ETag: raise it when the same events are written differently. */
const form = 1

type Feed = { kind: 'unchanged'; etag: string } | { kind: 'feed'; etag: string; body: Buffer }

/** `isKnown` says whether the caller already has the content of an ETag; such a feed takes one look-up and is not written. */
export async function feedByToken(app: App, token: string, isKnown: (etag: string) => boolean): Promise<Feed> {
  const now = app.clock.now()
  const calendar = await lookUpOf(app)(sha256(token).toString('hex'))
  if (!calendar) throw notFound('feed')
  const etag = etagOf(calendar.revision, calendar.lapsedHolds)
  if (isKnown(etag)) return { kind: 'unchanged', etag }
  const write = () => heavyRead(app, calendar.orgId, 'feed', () => writeFeed(app, calendar, now))
  const body = await feedCacheOf(app)(calendar.id, etag, write)
  return { kind: 'feed', ...body }
}

const maxTogether = 100

const openLookUp = (app: App) =>
  batched<string, FeedState | undefined>(maxTogether, async (hashes) => {
    const rows = await feedsByToken(app.sql, [...new Set(hashes)], app.clock.now())
    const byHash = new Map(rows.map((row) => [row.tokenHash, row]))
    return hashes.map((hash) => byHash.get(hash))
  })
/** Requests of one turn of the event loop share a statement. */
const lookUpOf = (app: App) => app.memory(openLookUp)

/** A hold lapses before its timer changes the calendar, so lapsed holds are part of it. */
const etagOf = (revision: number, lapsedHolds: number) => `"${form}-${revision}-${lapsedHolds}"`

/** From one snapshot, whose ETag may be later than the one that was looked up. */
async function writeFeed(app: App, { orgId, id }: { orgId: Uuid; id: Uuid }, now: Date): Promise<Body> {
  const rows = await feedRows(app.sql, orgId, id)
  const [calendar] = rows
  if (!calendar) throw notFound('feed')
  const [head, tail] = frameOf({ name: calendar.calendarName, timezone: calendar.timezone }, freshSeconds)
  const pieces: Buffer[] = []
  let text = head
  const isOver = slicer()
  let lapsedHolds = 0
  for (const row of rows) {
    if (row.id === null) continue
    if (isLapsed(row, now)) lapsedHolds++
    text += veventOf(feedEventOf(app, row, now), calendar.timezone)
    if (!isOver()) continue
    pieces.push(Buffer.from(text))
    text = ''
    await nextTurn()
  }
  pieces.push(Buffer.from(text + tail))
  return { etag: etagOf(calendar.revision, lapsedHolds), body: Buffer.concat(pieces) }
}

type EventRow = FeedRow & { id: Uuid }

function feedEventOf({ sealer }: App, row: FeedRow, now: Date) {
  const { id } = row as EventRow
  // As its timer will leave it.
  const lapsed = isLapsed(row, now)
  const status = shownStatus(row, now)
  const isSilent = status === 'cancelled' || row.source === 'external_ical'
  return {
    ...row,
    id,
    title: sealer.unseal(titlePlace(id), row.titleSealed),
    description: row.descriptionSealed && sealer.unseal(descriptionPlace(id), row.descriptionSealed),
    status,
    reminders: isSilent ? [] : (row.reminders ?? row.defaultReminders ?? systemReminders),
    sequence: row.sequence + (lapsed ? 1 : 0),
    updatedAt: lapsed ? row.holdExpiresAt! : row.updatedAt,
  }
}
