// Stores a read: a changed calendar in a statement of its own, the unchanged ones together.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import type { ExternalCalendarRow } from '../connections/queries.ts'
import { cursorContext } from '../connections/sealed.ts'
import { totalOf } from '../icalendar/unread.ts'
import type { CalendarRead, ReadObject, ReadTask } from '../providers/provider.ts'
import { maxIntervals } from '../providers/rules.ts'
import { busyCount } from './readQueries.ts'
import { type ClaimedRead, changeCopy, markRead, markSame, stillReading } from './readWrites.ts'

type Busy = { objectDigest: Buffer; startTime: Date; endTime: Date }

const isChange = ({ isWhole, objects, removed }: CalendarRead): boolean =>
  isWhole || objects.length + removed.length > 0

/** Nothing is to be stored but when it was read. */
export const isSame = (result: CalendarRead): boolean =>
  !isChange(result) && result.cursor === null && result.isCompared

/** Many unchanged calendars, in one statement. */
export async function storeSame(app: App, read: ClaimedRead, calendars: readonly ExternalCalendarRow[]): Promise<void> {
  if (calendars.length === 0) return
  const ids = calendars.map(({ id }) => id)
  await commit(app, { guard: stillReading(app.sql, read), effects: [markSame(app.sql, read, ids)] })
}

/**
 * False: with this change the copy would be too large, or something of it is or was not known, so that it must be read whole.
 */
export async function storeCopy(
  app: App,
  read: ClaimedRead,
  calendar: ExternalCalendarRow,
  task: ReadTask,
  result: CalendarRead,
): Promise<boolean> {
  const isChanged = isChange(result)
  const all = busyRows(result)
  if (!result.isWhole && isChanged) {
    if (calendar.isCut || calendar.hasUnread || result.objects.some(isPartial)) return false
    const [before] = await busyCount(app.sql, read.orgId, calendar.id)
    if ((before?.count ?? 0) + all.length > maxIntervals) return false
  }
  const { busy, until, isCut } = cut(all, knownUntil(result, task.horizon.until), task.horizon.until)
  await commit(app, {
    guard: stillReading(app.sql, read),
    effects: [
      ...(isChanged
        ? changeCopy(app.sql, read, {
            calendarId: calendar.id,
            isWhole: result.isWhole,
            objects: result.objects.map(({ digest, version }) => ({
              objectDigest: Buffer.from(digest, 'hex'),
              versionDigest: Buffer.from(version, 'hex'),
            })),
            removed: result.removed.map((digest) => Buffer.from(digest, 'hex')),
            busy,
          })
        : []),
      markRead(app.sql, read, {
        calendarId: calendar.id,
        beganAt: read.beganAt,
        cursorSealed: result.cursor === null ? null : app.sealer.seal(cursorContext(calendar.id), result.cursor),
        comparedAt: result.isCompared ? read.beganAt : undefined,
        whole: result.isWhole
          ? { from: task.horizon.from, until, isCut, hasUnread: result.objects.some(hasUnread) }
          : undefined,
        isChanged,
      }),
    ],
  })
  countUnread(app, result.objects)
  return true
}

const hasUnread = ({ unread = {} }: ReadObject): boolean => totalOf(unread) > 0
const isPartial = (object: ReadObject): boolean => object.knownUntilMs !== undefined || hasUnread(object)

function countUnread({ metrics }: App, objects: readonly ReadObject[]): void {
  for (const { unread = {} } of objects) {
    for (const [reason, count] of Object.entries(unread)) metrics.unreadComponents.inc({ reason }, count)
  }
}

const busyRows = ({ objects }: CalendarRead): Busy[] =>
  objects.flatMap(({ digest, busy }) => {
    const objectDigest = Buffer.from(digest, 'hex')
    return busy.map(({ startMs, endMs }) => ({
      objectDigest,
      startTime: new Date(startMs),
      endTime: new Date(endMs),
    }))
  })

const knownUntil = ({ objects }: CalendarRead, horizon: Date): Date =>
  new Date(objects.reduce((until, { knownUntilMs = until }) => Math.min(until, knownUntilMs), horizon.getTime()))

/** Cut at the end: the covered window is known completely. */
function cut(
  busy: readonly Busy[],
  known: Date,
  horizon: Date,
): { busy: readonly Busy[]; until: Date; isCut: boolean } {
  if (busy.length <= maxIntervals) return { busy, until: known, isCut: known < horizon }
  const ordered = busy.toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime())
  const next = ordered[maxIntervals]!.startTime
  return { busy: ordered.slice(0, maxIntervals), until: next < known ? next : known, isCut: true }
}
