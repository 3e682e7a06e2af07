// One sync of one subscription: claim, fetch, parse, compare, write. Each stage is safe to lose: a claim that never ends
// comes due again, and a result of a claim that is not the latest is dropped.
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'
import type { FeedParser } from '../icalendar/feedParser.ts'
import { totalOf } from '../icalendar/unread.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { isPassing } from '../stores/failures.ts'
import { jobs } from '../wakeups/jobs.ts'
import { openComparison } from './compare.ts'
import { publishedUids } from './copies.ts'
import { fetchFeed, type Validators } from './fetch.ts'
import { digestKeyContext, urlContext } from './present.ts'
import { keptImports, keptStarts } from './queries.ts'
import { isExpanded, nextSyncAt, windowAt } from './rules.ts'
import { writeImport } from './write.ts'
import { type ClaimedSync, claimSync, failSync, finishSync, type LastBody } from './writes.ts'

/** `closed`: our own shutdown; what else is due waits for the next start. */
type SyncOutcome = 'done' | 'closed'

type Imported =
  /** `last` is undefined if the server itself said so. */
  | { kind: 'unchanged'; last?: LastBody }
  /** `unread`: parts of the feed that could not be read. */
  | { kind: 'imported'; last: LastBody; unread: number }
  /** `outcome` is a label of the metric, `message` one line for people. */
  | { kind: 'failed'; outcome: string; message: string }
  /** Another sync was requested in the meantime, or the subscription was removed. */
  | { kind: 'superseded' }
  | { kind: 'closed' }

export async function syncFeed(
  app: App,
  parser: Pick<FeedParser, 'parse'>,
  key: { orgId: Uuid; id: Uuid },
): Promise<SyncOutcome> {
  const [sync] = await claimSync(app.sql, key, jobs.sync.leaseMs)
  if (!sync) return 'done'
  const imported = await importFeed(app, parser, sync).catch((error: unknown) => internalFailure(app, sync, error))
  if (imported.kind === 'closed') return 'closed'
  app.metrics.icalSyncs.inc({ outcome: imported.kind === 'failed' ? imported.outcome : imported.kind })
  if (imported.kind === 'superseded') return 'done'
  const now = app.clock.now()
  const dueAt = nextSyncAt(imported.kind === 'failed' ? sync.consecutiveFailures + 1 : 0, now, Math.random())
  if (imported.kind === 'failed') await failSync(app.sql, sync, imported.message, dueAt)
  else await finishSync(app.sql, sync, imported, now, dueAt)
  return 'done'
}

/** Our own faults count as failures of the sync too, so that a feed that we cannot store is not tried for ever. */
function internalFailure(app: App, sync: ClaimedSync, error: unknown): Imported {
  if (isPassing(error)) throw error
  app.log.error({ err: error, subscription: encodeId('ics', sync.id) }, 'a feed could not be imported')
  return { kind: 'failed', outcome: 'internal', message: 'The feed could not be imported. It is tried again later.' }
}

async function importFeed(app: App, parser: Pick<FeedParser, 'parse'>, sync: ClaimedSync): Promise<Imported> {
  const now = app.clock.now()
  const zone = sync.timezone
  const isCurrent = isExpanded(sync, zone, now)
  const url = app.sealer.unseal(urlContext(sync.id), sync.urlSealed)
  const fetched = await fetchFeed(app, url, isCurrent ? sync : nothingKnown)
  if (fetched.kind === 'not_modified') return { kind: 'unchanged' }
  if (fetched.kind !== 'fetched') return fetched
  const { body, charset, etag, lastModified } = fetched
  const digestKey = app.sealer.unseal(digestKeyContext(sync.id), sync.digestKeySealed)
  // The same bytes are another text in another character set.
  const bodyDigest = createHmac('sha256', digestKey)
    .update(body)
    .update(charset ?? '')
    .digest()
  const last = { etag, lastModified, bodyDigest, expandedAt: now, expandedZone: zone }
  if (isCurrent && sync.bodyDigest?.equals(bodyDigest)) {
    return { kind: 'unchanged', last: { ...last, expandedAt: sync.expandedAt } }
  }
  // A kept import changes no more: every other sync of this subscription is superseded.
  const [parsed, kept] = await Promise.all([
    parser.parse(body, { zone, charset, keep: sync.keep ?? [], ...windowAt(now) }),
    keptImports(app.sql, sync),
  ])
  if (parsed.kind === 'unreadable') return { kind: 'failed', outcome: 'unreadable', message: parsed.reason }
  const { copies, isSettled } = await publishedUids(app, sync.orgId, parsed.events)
  const comparison = openComparison(digestKey, kept, copies)
  if (parsed.lost.length > 0) comparison.keep(parsed.lost, await keptStarts(app.sql, sync))
  for (const [reason, count] of Object.entries(parsed.unread)) app.metrics.unreadComponents.inc({ reason }, count)
  if (!(await writeImport(app, sync, comparison, parsed.events))) return { kind: 'superseded' }
  return { kind: 'imported', last: isSettled ? last : nothingRead, unread: totalOf(parsed.unread) }
}

const nothingKnown: Validators = { etag: null, lastModified: null }
/** The next sync compares everything, even if the feed is the same. */
const nothingRead: LastBody = { ...nothingKnown, bodyDigest: null, expandedAt: null, expandedZone: null }
