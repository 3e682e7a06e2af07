// One sync of one subscription: claim, fetch, read, compare, write. Each stage is safe to lose: a claim that never ends
// comes due again, and a result of a claim that is not the latest is dropped.
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'
import type { FeedReader } from '../icalendar/readFeed.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { isUnreachable } from '../stores/postgres.ts'
import { fetchFeed, type Validators } from './fetch.ts'
import { digestKeyPlace, urlPlace } from './present.ts'
import { type ClaimedSync, claimSync, failSync, finishSync, type LastBody } from './queries.ts'
import { isExpanded, nextSyncAt, windowAt } from './rules.ts'
import { importEvents } from './write.ts'

/**
 * A sync that is not over by then was lost with its worker. The fetch takes 20 s at most; then every other sync of the
 * process may be before it at the reader, 5 s each; the rest is for the write.
 */
const leaseMs = 5 * 60_000

/** `closed`: our own shutdown; whatever else is due waits for the next start. */
type SyncOutcome = 'done' | 'closed'

type Read =
  /** `last` undefined: the server itself said so. */
  | { kind: 'unchanged'; last?: LastBody }
  | { kind: 'imported'; last: LastBody }
  | { kind: 'failed'; outcome: string; message: string }
  /** Somebody asked for another sync meanwhile, or the subscription is gone. */
  | { kind: 'superseded' }
  | { kind: 'closed' }

export async function syncFeed(app: App, reader: FeedReader, key: { orgId: Uuid; id: Uuid }): Promise<SyncOutcome> {
  const [sync] = await claimSync(app.sql, key, leaseMs)
  if (!sync) return 'done'
  const read = await readInto(app, reader, sync)
  if (read.kind === 'closed') return 'closed'
  app.metrics.icalSyncs.inc({ outcome: read.kind === 'failed' ? read.outcome : read.kind })
  if (read.kind === 'superseded') return 'done'
  const now = app.clock.now()
  const dueAt = nextSyncAt(read.kind === 'failed' ? sync.consecutiveFailures + 1 : 0, now, Math.random())
  if (read.kind === 'failed') await failSync(app.sql, sync, read.message, dueAt)
  else await finishSync(app.sql, sync, read.last, now, dueAt)
  return 'done'
}

/** What goes wrong on our side is told as a failure too, so that one feed that we cannot store is not tried for ever. */
async function readInto(app: App, reader: FeedReader, sync: ClaimedSync): Promise<Read> {
  try {
    return await readFeedInto(app, reader, sync)
  } catch (error) {
    if (isUnreachable(error)) throw error
    app.log.error({ err: error, subscription: encodeId('ics', sync.id) }, 'a feed could not be imported')
    return { kind: 'failed', outcome: 'internal', message: 'The feed could not be imported. It is tried again later.' }
  }
}

async function readFeedInto(app: App, reader: FeedReader, sync: ClaimedSync): Promise<Read> {
  const now = app.clock.now()
  const zone = sync.timezone
  const isCurrent = isExpanded(sync, zone, now)
  const url = app.sealer.unseal(urlPlace(sync.id), sync.urlSealed)
  const fetched = await fetchFeed(app, url, isCurrent ? sync : nothingKnown)
  if (fetched.kind === 'not_modified') return { kind: 'unchanged' }
  if (fetched.kind !== 'fetched') return fetched
  const { body, etag, lastModified } = fetched
  const digestKey = app.sealer.unseal(digestKeyPlace(sync.id), sync.digestKeySealed)
  const bodyDigest = createHmac('sha256', digestKey).update(body).digest()
  const last = { etag, lastModified, bodyDigest, expandedAt: now, expandedZone: zone }
  if (isCurrent && sync.bodyDigest?.equals(bodyDigest)) {
    return { kind: 'unchanged', last: { ...last, expandedAt: sync.expandedAt } }
  }
  const reading = await reader.read(body, { zone, ...windowAt(now) })
  if (reading.kind === 'unreadable') return { kind: 'failed', outcome: 'unreadable', message: reading.reason }
  const isLatest = await importEvents(app, sync, digestKey, reading.events)
  return isLatest ? { kind: 'imported', last } : { kind: 'superseded' }
}

const nothingKnown: Validators = { etag: null, lastModified: null }
