// Reads one CalDAV calendar: its changes by `sync-collection`, or by comparing all versions where tokens do not help; then the
// objects themselves, of which only the times are kept.

import type { Reader } from '../foreign/foreign.ts'
import { readBusyTimes } from '../icalendar/feedParser.ts'
import { caldavName, type Dav, type DavTrouble, dav, isLimit, multigetBody, propfindBody, syncBody } from './dav.ts'
import { isSameResource, objectName } from './objectName.ts'
import type { CalendarRead, ReadObject, ReadTask } from './provider.ts'
import { maxIntervals } from './rules.ts'
import { childOf, textOf } from './xml.ts'

const objectsAtOnce = 50
const maxPages = 200
const maxObjects = 20_000
/** A copy keeps the first of them. */
const maxTimes = 3 * maxIntervals

/** The existing or changed objects, by address, with their version; null: the server does not say. */
type Listing = { isWhole: boolean; versions: Map<string, string | null>; removed: Set<string>; cursor: string | null }

export async function readCalendar(
  client: Dav,
  reader: Reader,
  addresses: readonly string[],
  task: ReadTask,
): Promise<CalendarRead | DavTrouble> {
  const listing = await listChanges(client, task)
  if (!('versions' in listing)) return listing
  const { known } = task
  const digest = (href: string) => task.digest(objectName(href))
  const changedPaths = [...listing.versions].filter(
    ([href, version]) => version === null || known?.versions.get(digest(href)) !== task.digest(version),
  )
  if (changedPaths.length > maxObjects) return { kind: 'too_large' }
  const objects: ReadObject[] = []
  let isEachAnswered = true
  let times = 0
  const removed = new Set([...listing.removed].map(digest))
  for (let at = 0; at < changedPaths.length; at += objectsAtOnce) {
    const hrefs = changedPaths.slice(at, at + objectsAtOnce).map(([href]) => href)
    const stored = await readObjects(client, task.remote, hrefs)
    if (!(stored instanceof Map)) return stored
    for (const href of hrefs) {
      const object = stored.get(href)
      if (object === undefined) {
        removed.add(digest(href))
        continue
      }
      if (object === 'withheld') {
        isEachAnswered = false
        // Without its version it is asked for again.
        objects.push({ digest: digest(href), version: task.digest(''), ...unread(task) })
        continue
      }
      const read = await busyOf(reader, object.data, addresses, task)
      if (read === 'closed') return { kind: 'closed' }
      times += read.busy.length
      if (times > maxTimes) return { kind: 'too_large' }
      objects.push({
        digest: digest(href),
        version: task.digest(object.version ?? listing.versions.get(href) ?? ''),
        ...read,
      })
    }
  }
  if (listing.isWhole && known) {
    const there = new Set([...listing.versions.keys()].map(digest))
    for (const one of known.versions.keys()) if (!there.has(one)) removed.add(one)
  }
  const isWhole = known === undefined
  const cursor = isEachAnswered ? listing.cursor : null
  return { kind: 'read', isWhole, isCompared: listing.isWhole, objects, removed: [...removed], cursor }
}

async function listChanges(client: Dav, { remote, known }: ReadTask): Promise<Listing | DavTrouble> {
  const cursor = known && !known.isCompared ? null : (known?.cursor ?? null)
  if (known && cursor !== null && cursor !== '') {
    const changes = await sync(client, remote, cursor)
    if ('versions' in changes) return changes
    if (!isRefusedToken(changes)) return changes
  }
  // The token is taken before the versions are listed: changes in between are read twice, and never missed.
  const token = await currentToken(client, remote)
  if (token !== null && typeof token !== 'string') return token
  const versions = await listVersions(client, remote)
  return 'versions' in versions ? { ...versions, cursor: token } : versions
}

/**
 * A token is refused in many ways: 403 and 409 by the book, 400, 412, 415, 500 and others by servers. 507: it is too much at
 * once. Only a server that wants fewer requests gets no other one.
 */
const isRefusedToken = (trouble: DavTrouble): boolean =>
  trouble.kind === 'malformed' || (trouble.kind === 'status' && !isLimit(trouble))

/** All pages of what changed since a token. */
async function sync(client: Dav, remote: string, cursor: string): Promise<Listing | DavTrouble> {
  const versions = new Map<string, string | null>()
  const removed = new Set<string>()
  let token = cursor
  for (let page = 0; page < maxPages; page++) {
    const answer = await client.request('REPORT', remote, { body: syncBody(token) })
    if (answer.kind !== 'multistatus') return answer
    let isMore = false
    for (const { href, status, props } of answer.responses) {
      // 507 of the collection itself: there is more.
      if (status === 507) isMore = true
      else if (isSameResource(href, remote)) continue
      else if (status === 404 || status === 410) {
        removed.add(href)
        versions.delete(href)
      } else {
        versions.set(href, textOf(childOf(props, dav('getetag'))) ?? null)
        removed.delete(href)
      }
    }
    const next = textOf(childOf(answer.root, dav('sync-token')))
    if (next === undefined) return { kind: 'malformed' }
    if (!isMore) return { isWhole: false, versions, removed, cursor: next }
    if (next === token) return { kind: 'malformed' }
    token = next
  }
  return { kind: 'too_large' }
}

/** Null if the server has none. */
async function currentToken(client: Dav, remote: string): Promise<string | null | DavTrouble> {
  const answer = await client.request('PROPFIND', remote, { depth: '0', body: propfindBody('d:sync-token') })
  if (answer.kind === 'status' || answer.kind === 'malformed') return null
  if (answer.kind !== 'multistatus') return answer
  return textOf(childOf(answer.responses[0]?.props, dav('sync-token'))) ?? null
}

async function listVersions(client: Dav, remote: string): Promise<Omit<Listing, 'cursor'> | DavTrouble> {
  const body = propfindBody('d:getetag', 'd:resourcetype', 'd:getcontenttype')
  const answer = await client.request('PROPFIND', remote, { depth: '1', body })
  if (answer.kind !== 'multistatus') return answer
  const versions = new Map<string, string | null>()
  for (const { href, status, props } of answer.responses) {
    if (isSameResource(href, remote) || (status !== undefined && status >= 400)) continue
    if (childOf(props, dav('resourcetype'), dav('collection'))) continue
    versions.set(href, textOf(childOf(props, dav('getetag'))) ?? null)
  }
  return { isWhole: true, versions, removed: new Set() }
}

/** Servers do not agree on which characters of a path are escaped. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** `withheld`: the server lists it, and does not give it. */
type StoredObject = { data: string; version: string | null } | 'withheld'

/** By the addresses that were asked for; one that is missing is gone. */
async function readObjects(
  client: Dav,
  remote: string,
  hrefs: readonly string[],
): Promise<Map<string, StoredObject> | DavTrouble> {
  const asked = new Map(hrefs.map((href) => [decoded(href), href]))
  const paths = hrefs.map((href) => (new URL(href).origin === client.origin ? new URL(href).pathname : href))
  const answer = await client.request('REPORT', remote, { depth: '1', body: multigetBody(paths) })
  if (answer.kind !== 'multistatus') return answer
  const found = new Map<string, StoredObject>()
  for (const { href, props } of answer.responses) {
    const name = asked.get(decoded(href))
    if (name === undefined) continue
    const data = childOf(props, caldavName('calendar-data'))?.text
    if (data !== undefined && data.trim() !== '') {
      found.set(name, { data, version: textOf(childOf(props, dav('getetag'))) ?? null })
    }
  }
  // An object that a report skips, or has no data of, may still exist.
  const missing: string[] = []
  for (const href of hrefs) {
    if (found.has(href)) continue
    const got = await client.get(href)
    if (got.kind === 'body') found.set(href, { data: got.body, version: null })
    else if (got.kind === 'status' && (got.status === 404 || got.status === 410)) missing.push(href)
    else if (isOfObject(got)) found.set(href, 'withheld')
    else return got
  }
  if (missing.length === 0) return found
  const listed = await listVersions(client, remote)
  if (!('versions' in listed)) return listed
  const there = new Set([...listed.versions.keys()].map(decoded))
  for (const href of missing) if (there.has(decoded(href))) found.set(href, 'withheld')
  return found
}

/** Trouble with one object, not with the server. */
const isOfObject = (trouble: DavTrouble): boolean =>
  trouble.kind === 'malformed' ||
  trouble.kind === 'too_large' ||
  (trouble.kind === 'status' && trouble.status !== 429 && trouble.status !== 503)

type ObjectTimes = Omit<ReadObject, 'digest' | 'version'>

/** It is not known when its owner is busy. */
const unread = ({ horizon }: ReadTask): ObjectTimes => ({
  ...{ busy: [], knownUntilMs: horizon.from.getTime(), unread: { object: 1 } },
})

async function busyOf(
  reader: Reader,
  data: string,
  addresses: readonly string[],
  task: ReadTask,
): Promise<ObjectTimes | 'closed'> {
  const { zone, horizon } = task
  const owner = { addresses, maxInstances: maxIntervals }
  const read = await readBusyTimes(reader, Buffer.from(data), { zone, ...horizon, owner })
  if (read.kind === 'closed') return 'closed'
  if (read.kind === 'unreadable') return unread(task)
  const { times, knownUntilMs } = read
  const busy = Array.from({ length: times.length / 2 }, (_, nth) => ({
    startMs: times[2 * nth]!,
    endMs: times[2 * nth + 1]!,
  }))
  return { busy, unread: read.unread, ...(knownUntilMs !== undefined && { knownUntilMs }) }
}
