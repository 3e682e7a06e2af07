// The public feed of a calendar: found by the hash of its token, written when the calendar's revision has changed, from
// the last one that this process has written.
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { notFound } from '../errors.ts'
import { descriptionContext } from '../events/present.ts'
import { systemReminders } from '../events/reminders.ts'
import { isLapsed, shownStatus } from '../events/rules.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { spendLoopTime } from '../quotas/loopShare.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openTurns } from '../shapes/slices.ts'
import { batched } from '../stores/batch.ts'
import { feedCacheOf, type WrittenFeed } from './feedCache.ts'
import { type FeedCalendar, type FeedRow, type FeedState, feedsByToken, readFeed } from './queries.ts'
import { spliceFeed } from './splice.ts'
import { latestChange } from './versions.ts'
import { type FeedEvent, frameOf, veventOf } from './vevent.ts'

/** How long clients and caches may keep it; also the refresh interval that the feed suggests. */
export const freshSeconds = 300
/** Part of the ETag: raise it when the same events are written differently. */
const form = 2

type Feed = { kind: 'unchanged'; etag: string } | { kind: 'feed'; etag: string; body: Buffer }

/** `isKnown` says whether the caller already has the content of an ETag; such a feed takes one look-up and is not written. */
export async function feedByToken(app: App, token: string, isKnown: (etag: string) => boolean): Promise<Feed> {
  const now = app.clock.now()
  const calendar = await lookUpOf(app)(sha256(token).toString('hex'))
  if (!calendar) throw notFound('feed')
  const etag = etagOf(calendar.revision, calendar.lapsedHolds)
  if (isKnown(etag)) return { kind: 'unchanged', etag }
  const write = (last: WrittenFeed | undefined) =>
    heavyRead(app, calendar.orgId, 'feed', () => writeFeed(app, calendar, now, last))
  const feed = await feedCacheOf(app)(`${calendar.orgId} ${calendar.id}`, etag, write)
  return { kind: 'feed', etag: feed.etag, body: feed.body }
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

/** Changes that arrive in another order than their times: clocks of processes differ, and a change may wait for its turn. */
const disorderMs = 2_000

/** From one snapshot, whose ETag may be later than the one that was looked up. */
async function writeFeed(
  app: App,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  now: Date,
  last: WrittenFeed | undefined,
): Promise<WrittenFeed> {
  const latest = last && latestChange(last.versions)
  const since = latest && new Date(latest.getTime() - disorderMs)
  const { calendar, rows } = await readFeed(app.sql, orgId, id, now, since)
  if (!calendar) throw notFound('feed')
  const { timezone, defaultReminders } = calendar
  const basis = JSON.stringify([timezone, defaultReminders])
  const events = new Map(rows.map((row) => [row.id, row]))
  const turns = openTurns()
  const feed =
    since && last.basis !== basis
      ? undefined
      : await spliceFeed(since && last, {
          frame: frameOf(framed(calendar), freshSeconds),
          versions: calendar.versions ?? Buffer.alloc(0),
          turns,
          write: (eventId) => {
            const row = events.get(eventId)
            return row && veventOf(feedEventOf(app, row, defaultReminders, now), timezone)
          },
        })
  spendLoopTime(app, orgId, turns.tookMs())
  if (!feed) return writeFeed(app, { orgId, id }, now, undefined)
  const lapsedHolds = rows.filter((row) => isLapsed(row, now)).length
  return { ...feed, etag: etagOf(calendar.revision, lapsedHolds), basis }
}

const framed = ({ calendarName: name, timezone, hasSeries, zones }: FeedCalendar) => ({
  name,
  timezone: hasSeries ? null : timezone,
  zones: Object.entries(zones ?? {}).map(([zone, since]) => ({ zone, sinceMs: Date.parse(since) })),
})

function feedEventOf({ sealer }: App, row: FeedRow, defaultReminders: number[] | null, now: Date): FeedEvent {
  // As its timer will leave it.
  const lapsed = isLapsed(row, now)
  const status = shownStatus(row, now)
  const isSilent = status === 'cancelled' || row.source === 'external_ical'
  return {
    ...row,
    occurrence: row.seriesId && {
      seriesId: row.seriesId,
      originalStart: row.originalStart!,
      zone: row.seriesTimezone,
      allDay: row.seriesAllDay!,
      seriesStart: row.seriesStart!,
      rule: row.seriesRule!,
      skippedMs: row.seriesSkippedMs!,
    },
    title: sealer.unseal(titleContext(row.id), row.titleSealed),
    description: row.descriptionSealed && sealer.unseal(descriptionContext(row.id), row.descriptionSealed),
    status,
    reminders: isSilent ? [] : (row.reminders ?? defaultReminders ?? systemReminders),
    sequence: row.sequence + (lapsed ? 1 : 0),
    updatedAt: lapsed ? row.holdExpiresAt! : row.updatedAt,
  }
}
