// Reads the selected calendars of one connection: one read at a time, whose result counts only while it is the latest. A copy
// changes in one statement; until then the old one answers.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { accountOf } from '../connections/account.ts'
import { listedRows } from '../connections/calendarList.ts'
import { replaceCalendars } from '../connections/calendarWrites.ts'
import { type Digests, digestsOf } from '../connections/digests.ts'
import { providerOf } from '../connections/providers.ts'
import { type ConnectionKey, calendarsOf, type ExternalCalendarRow } from '../connections/queries.ts'
import {
  compareEveryMs,
  horizonAt,
  interestMs,
  isRefusalBelieved,
  listEveryMs,
  nextRead,
  type ReadEnd,
  refusalTimeMs,
  wholeEveryMs,
} from '../connections/rules.ts'
import { cursorContext, remoteContext } from '../connections/sealed.ts'
import type { Account, CalendarRead, Closed, Failed, Provider, ReadTask, Refused } from '../providers/provider.ts'
import type { ErrorCategory } from '../providers/rules.ts'
import { encodeId } from '../shapes/ids.ts'
import { isPassing } from '../stores/failures.ts'
import { jobs, wakeup } from '../wakeups/jobs.ts'
import { canBeHeard } from './channels.ts'
import { isWatched } from './channelWrites.ts'
import { isSame, storeCopy, storeSame } from './copy.ts'
import { countRead } from './readCounts.ts'
import { knownVersions } from './readQueries.ts'
import { type ClaimedRead, claimRead, endRead, markFailed, stillListing } from './readWrites.ts'
import { authorizationRefused } from './reauthorizationReminders.ts'

/** `isAsked`: somebody's question wants it, whether or not it is due. */
export async function readConnection(app: App, key: ConnectionKey, isAsked: boolean): Promise<'done' | 'closed'> {
  const [read] = await claimRead(app.sql, key, {
    leaseMs: jobs.read.leaseMs,
    interestMs: isAsked ? interestMs : undefined,
  })
  if (!read) return 'done'
  const startedAt = performance.now()
  const outcome = await readAll(app, read).catch((error: unknown) => internalFailure(app, read, error))
  if (outcome.kind === 'closed') return 'closed'
  countRead(app, read, isAsked, outcome, performance.now() - startedAt)
  if (outcome.kind === 'refused') await refuse(app, read, outcome)
  else if (outcome.kind === 'failed') await fail(app, read, outcome)
  else await end(app, read, { kind: 'read', isWatched: await hasChannels(app, read) }, null)
  return 'done'
}

async function hasChannels(app: App, read: ClaimedRead): Promise<boolean> {
  if (read.provider === 'caldav' || !canBeHeard(app)) return false
  const [row] = await isWatched(app.sql, read, app.clock.now())
  return row?.isWatched ?? false
}

type Outcome = { kind: 'done' } | Closed | Refused | Failed

/** Our own faults count as failures too, so that what cannot be stored is not read for ever. */
function internalFailure(app: App, read: ClaimedRead, error: unknown): Failed {
  if (isPassing(error)) throw error
  app.log.error({ err: error, connection: encodeId('con', read.id) }, 'external calendars could not be read')
  return { kind: 'failed', category: 'provider_error', message: 'The calendars could not be stored.' }
}

async function readAll(app: App, read: ClaimedRead): Promise<Outcome> {
  const usable = await accountOf(app, read)
  if (usable.kind !== 'account') return withoutAccount(app, read, usable)
  const outcome = await readThrough(app, read, usable.account)
  if (outcome.kind !== 'refused' || outcome.reason !== undefined || usable.isNew) return outcome
  // A token may end early. Only a new one that is refused too says that the human's consent has ended.
  const renewed = await accountOf(app, read, { version: usable.version })
  return renewed.kind === 'account' ? readThrough(app, read, renewed.account) : withoutAccount(app, read, renewed)
}

/** Without tokens nothing is read: each calendar says so. */
async function withoutAccount<Ending extends Failed | Refused | Closed>(
  app: App,
  read: ClaimedRead,
  ending: Ending,
): Promise<Ending> {
  if (ending.kind === 'closed') return ending
  const all = await calendarsOf(app.sql, read.orgId, read.id)
  const category = ending.kind === 'failed' ? ending.category : 'unauthorized'
  const ids = all.map(({ id }) => id)
  await markFailed(app.sql, read, ids, { category })
  return ending
}

async function readThrough(app: App, read: ClaimedRead, account: Account): Promise<Outcome> {
  const provider = providerOf(app, read.provider, read.orgId)!
  const digests = await digestsOf(app, read.orgId)
  if (read.beganAt.getTime() - read.listedAt.getTime() >= listEveryMs) {
    const listed = await list(app, read, provider, account, digests)
    if (listed.kind !== 'done') return listed
  }
  return readCalendars(app, read, provider, account, digests)
}

async function list(
  app: App,
  read: ClaimedRead,
  provider: Provider,
  account: Account,
  digests: Digests,
): Promise<Outcome> {
  const listed = await provider.listCalendars(account)
  if (listed.kind !== 'listed') return listed
  const known = await calendarsOf(app.sql, read.orgId, read.id)
  const rows = listedRows(app, digests, listed.calendars, known)
  await commit(app, {
    guard: stillListing(app.sql, read, read.beganAt),
    effects: replaceCalendars(app.sql, read, rows, read.beganAt),
  })
  return { kind: 'done' }
}

async function readCalendars(
  app: App,
  read: ClaimedRead,
  provider: Provider,
  account: Account,
  digests: Digests,
): Promise<Outcome> {
  const all = await calendarsOf(app.sql, read.orgId, read.id)
  // A copy that was never made goes first, then the oldest.
  const selected = all
    .filter((one) => one.isSelected && one.isReadable)
    .sort((a, b) => (a.lastReadAt?.getTime() ?? 0) - (b.lastReadAt?.getTime() ?? 0))
  if (selected.length === 0) return { kind: 'done' }
  const tasks = await tasksOf(app, read, selected, digests)
  const left = new Set(selected.map(({ id }) => id))
  const again: number[] = []
  const same: ExternalCalendarRow[] = []
  const take = async (nth: number, result: CalendarRead | Failed) => {
    const calendar = selected[nth]!
    left.delete(calendar.id)
    if (result.kind === 'failed') await markFailed(app.sql, read, [calendar.id], result)
    else if (isSame(result)) same.push(calendar)
    else if (!(await storeCopy(app, read, calendar, tasks[nth]!, result))) again.push(nth)
  }
  const outcome = await provider.read(account, tasks, take)
  await storeSame(app, read, same)
  if (outcome.kind === 'failed') await markFailed(app.sql, read, [...left], outcome)
  if (outcome.kind === 'refused') await markFailed(app.sql, read, [...left], { category: 'unauthorized' })
  if (outcome.kind !== 'done' || again.length === 0) return outcome
  // Above the limit: the calendar is read in full and truncated.
  const whole = again.map((nth) => ({ ...tasks[nth]!, known: undefined }))
  return provider.read(account, whole, async (nth, result) => {
    const calendar = selected[again[nth]!]!
    if (result.kind === 'failed') await markFailed(app.sql, read, [calendar.id], result)
    else await storeCopy(app, read, calendar, whole[nth]!, result)
  })
}

async function tasksOf(
  app: App,
  read: ClaimedRead,
  calendars: readonly ExternalCalendarRow[],
  digests: Digests,
): Promise<ReadTask[]> {
  const isWithin = (at: Date | null, ms: number) => at !== null && read.beganAt.getTime() - at.getTime() < ms
  const isKnown = ({ readWholeAt }: ExternalCalendarRow) => isWithin(readWholeAt, wholeEveryMs)
  const known = calendars.filter(isKnown).map(({ id }) => id)
  const versions = Map.groupBy(await knownVersions(app.sql, read.orgId, known), ({ calendarId }) => calendarId)
  return calendars.map((calendar) => ({
    remote: app.sealer.unseal(remoteContext(calendar.id), calendar.remoteSealed),
    zone: calendar.timezone ?? read.timezone,
    horizon: horizonAt(read.beganAt),
    known: isKnown(calendar)
      ? {
          cursor: calendar.cursorSealed && app.sealer.unseal(cursorContext(calendar.id), calendar.cursorSealed),
          versions: new Map((versions.get(calendar.id) ?? []).map(({ object, version }) => [object, version])),
          isCompared: isWithin(calendar.comparedAt, compareEveryMs),
        }
      : undefined,
    digest: (text) => digests('object', text),
  }))
}

/** Through a password a refusal is believed when it comes again: a server that restarts may refuse anything. */
async function refuse(app: App, read: ClaimedRead, { reason }: Refused): Promise<void> {
  const now = app.clock.now()
  if (read.provider !== 'caldav') return authorizationRefused(app, read, reason ?? 'grant_revoked', now)
  if (isRefusalBelieved(read.refusedAt, now)) return authorizationRefused(app, read, 'credentials_rejected', now)
  const refusedAt = read.refusedAt ?? now
  const at = new Date(refusedAt.getTime() + refusalTimeMs)
  await endRead(app.sql, read, { at, isThrottled: false, failures: read.consecutiveFailures + 1, refusedAt, now })
}

const fail = (app: App, read: ClaimedRead, { category, retryAfterMs }: Failed): Promise<void> => {
  const failures = read.consecutiveFailures + 1
  return category === 'rate_limited'
    ? end(app, read, { kind: 'rate_limited', failures, retryAfterMs }, category)
    : end(app, read, { kind: 'failed', failures }, category)
}

async function end(app: App, read: ClaimedRead, ending: ReadEnd, category: ErrorCategory | null): Promise<void> {
  const now = app.clock.now()
  const { at, isThrottled } = nextRead(ending, now, Math.random())
  const failures = category === null ? 0 : read.consecutiveFailures + 1
  const [row] = await endRead(app.sql, read, {
    at,
    isThrottled,
    failures,
    refusedAt: category === null ? null : read.refusedAt,
    now,
  })
  const nextReadAt = row?.nextReadAt as Date | undefined
  if (nextReadAt && nextReadAt <= now) app.bell.ring([wakeup('read', { orgId: read.orgId, id: read.id }, nextReadAt)])
}
