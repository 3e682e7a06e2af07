// The public feeds of a calendar, with its events or only with its busy time: found by the hash of their token, written when the
// calendar's revision has changed, from the last one that this process has written.
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { digestsOf } from '../connections/digests.ts'
import { notFound } from '../errors.ts'
import { openDetails } from '../events/details.ts'
import { descriptionContext } from '../events/present.ts'
import { systemReminders } from '../events/reminders.ts'
import { isLapsed, shownStatus } from '../events/rules.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { spendLoopTime } from '../quotas/loopShare.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openTurns } from '../shapes/slices.ts'
import { batched } from '../stores/batch.ts'
import { busyForm, busyRow } from './busy.ts'
import { feedCacheOf, type WrittenFeed } from './feedCache.ts'
import { type FeedCalendar, type FeedKind, type FeedRow, type FeedState, feedsByToken, readFeed } from './queries.ts'
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
  const etag = etagOf(calendar)
  if (isKnown(etag)) return { kind: 'unchanged', etag }
  const write = (last: WrittenFeed | undefined) =>
    heavyRead(app, calendar.orgId, 'feed', () => writeFeed(app, calendar, now, last))
  const feed = await feedCacheOf(app)(`${calendar.orgId} ${calendar.id} ${calendar.kind}`, etag, write)
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
const etagOf = ({ kind, revision, lapsedHolds }: Pick<FeedState, 'kind' | 'revision' | 'lapsedHolds'>) =>
  `"${kind === 'busy' ? 'busy-' : ''}${form}-${revision}-${lapsedHolds}"`

/** Changes that arrive in another order than their times: clocks of processes differ, and a change may wait for its turn. */
const disorderMs = 2_000

/** From one snapshot, whose ETag may be later than the one that was looked up. */
async function writeFeed(
  app: App,
  asked: { orgId: Uuid; id: Uuid; kind: FeedKind },
  now: Date,
  last: WrittenFeed | undefined,
): Promise<WrittenFeed> {
  const latest = last && latestChange(last.versions)
  const since = latest && new Date(latest.getTime() - disorderMs)
  const { orgId, id, kind } = asked
  const { calendar, rows } = await readFeed(app.sql, orgId, id, { kind, now, since })
  if (!calendar) throw notFound('feed')
  const { timezone, defaultReminders } = calendar
  const basis = JSON.stringify([timezone, defaultReminders])
  const events = new Map(rows.map((row) => [row.id, row]))
  const linesOf = await writerOf(app, asked, calendar, now)
  const turns = openTurns()
  const feed =
    since && last.basis !== basis
      ? undefined
      : await spliceFeed(since && last, {
          frame: frameOf(framed(calendar, kind), freshSeconds),
          versions: calendar.versions ?? Buffer.alloc(0),
          turns,
          write: (eventId) => {
            const row = events.get(eventId)
            return row && linesOf(row)
          },
        })
  spendLoopTime(app, orgId, turns.tookMs())
  if (!feed) return writeFeed(app, asked, now, undefined)
  const lapsedHolds = rows.filter((row) => isLapsed(row, now)).length
  return { ...feed, etag: etagOf({ kind, revision: calendar.revision, lapsedHolds }), basis }
}

/** The lines of an event; none in the busy feed of one that blocks no time. */
async function writerOf(
  app: App,
  { orgId, kind }: { orgId: Uuid; kind: FeedKind },
  { timezone, defaultReminders }: FeedCalendar,
  now: Date,
): Promise<(row: FeedRow) => string> {
  if (kind === 'whole') return (row) => veventOf(feedEventOf(app, row, defaultReminders, now), timezone)
  const form = busyForm(await digestsOf(app, orgId))
  return (row) => {
    const event = { ...shownNow(row, now), ...busyRow(row) }
    return event.status === 'cancelled' || row.transparent ? '' : veventOf(event, timezone, form)
  }
}

const framed = ({ calendarName, timezone, hasSeries, zones }: FeedCalendar, kind: FeedKind) => ({
  name: kind === 'busy' ? 'Busy' : calendarName,
  timezone: hasSeries ? null : timezone,
  zones: Object.entries(zones ?? {}).map(([zone, since]) => ({ zone, sinceMs: Date.parse(since) })),
})

function feedEventOf({ sealer }: App, row: FeedRow, defaultReminders: number[] | null, now: Date): FeedEvent {
  const shown = shownNow(row, now)
  const isSilent = shown.status === 'cancelled' || row.source === 'external_ical'
  return {
    ...shown,
    title: sealer.unseal(titleContext(row.id), row.titleSealed),
    description: row.descriptionSealed && sealer.unseal(descriptionContext(row.id), row.descriptionSealed),
    ...(row.detailsSealed && { details: openDetails(sealer, row) }),
    reminders: isSilent ? [] : (row.reminders ?? defaultReminders ?? systemReminders),
  }
}

/** Without its texts and reminders. */
function shownNow(row: FeedRow, now: Date) {
  // As its timer will leave it.
  const lapsed = isLapsed(row, now)
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
    status: shownStatus(row, now),
    sequence: row.sequence + (lapsed ? 1 : 0),
    updatedAt: lapsed ? row.holdExpiresAt! : row.updatedAt,
  }
}
