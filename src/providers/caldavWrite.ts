// Writes one copy into a CalDAV calendar: `<key>.ics`, on the condition that nobody else has written meanwhile. If somebody
// has, their additions are kept, and our fields are written over them.

import { accessOf } from './caldavAccess.ts'
import { caldavName, type Dav, type DavTrouble, dav, propfindBody } from './dav.ts'
import { furtherOf, mergeObject, uidOf } from './mergeObject.ts'
import { objectName } from './objectName.ts'
import type { CopyTarget, Deleted, EventCopy, Lost, Rejected, WrittenCopy } from './provider.ts'
import { childOf, textOf } from './xml.ts'

/** The result of a write: the version that it made, whether a human's additions are in it, and what it wrote beyond the usual. */
type Kept = { version: string | null; isMerged: boolean; further?: readonly string[] }

const maxTries = 3
/** Of an object that stands where the copy belongs; it is merged with ours. */
const maxStoredBytes = 256 * 1024

type Outcome = WrittenCopy | Deleted | Rejected | Lost | DavTrouble

export async function putObject(client: Dav, target: CopyTarget, copy: EventCopy): Promise<Outcome> {
  const url = addressOf(target)
  const kept = target.kept === null ? undefined : (JSON.parse(target.kept) as Kept)
  // The calendar has exactly our last write, or nothing.
  if (!kept || (kept.version !== null && !kept.isMerged && isCompared(kept.version))) {
    const condition = kept ? { ifVersion: kept.version } : { ifNone: true as const }
    const answer = await client.write({ url, body: copy.ical, ...condition })
    if (answer.kind === 'done') return written(client, target, answer.version, { copy, isMerged: false })
    if (!isMissed(answer)) return refusedBy(client, target, answer)
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const stored = await client.get(url, maxStoredBytes)
    if (isGone(stored)) {
      const calendar = await calendarOf(client, target)
      if (calendar.kind !== 'open') return calendar
      if (kept) return { kind: 'deleted' }
    } else if (stored.kind !== 'body') return lostBy(stored)
    else if (uidOf(stored.body) !== uidFor(target)) {
      return { kind: 'rejected', message: 'Another object already has the address of this copy.' }
    }
    const body = stored.kind === 'body' ? mergeObject(stored.body, copy.ical, kept?.further) : copy.ical
    const version = stored.kind === 'body' ? (stored.version ?? (await versionAt(client, url))) : null
    const answer = await client.write({
      url,
      body,
      ...(stored.kind === 'body' ? { ifVersion: version } : { ifNone: true }),
    })
    if (answer.kind === 'done') return written(client, target, answer.version, { copy, isMerged: body !== copy.ical })
    if (!isMissed(answer)) return refusedBy(client, target, answer)
  }
  return { kind: 'status', status: 412, retryAfter: undefined }
}

type Removal = { kind: 'removed' } | Lost | DavTrouble

export async function removeObject(client: Dav, target: CopyTarget): Promise<Removal> {
  const url = addressOf(target)
  let version = target.kept === null ? null : (JSON.parse(target.kept) as Kept).version
  for (let tries = 0; tries < maxTries; tries++) {
    if (version === null) {
      const stored = await client.get(url, maxStoredBytes)
      if (isGone(stored)) return absent(client, target)
      if (stored.kind !== 'body') return lostBy(stored)
      if (uidOf(stored.body) !== uidFor(target)) return { kind: 'removed' }
      version = stored.version ?? (await versionAt(client, url))
    }
    const answer = await client.write({ url, body: null, ifVersion: version })
    if (answer.kind === 'done') return { kind: 'removed' }
    if (isGone(answer)) return absent(client, target)
    if (!isMissed(answer)) return lostBy(answer)
    version = null
  }
  return { kind: 'status', status: 412, retryAfter: undefined }
}

/** A copy that shall go is not found: it is gone, if it would be found. */
async function absent(client: Dav, target: CopyTarget): Promise<Removal> {
  const calendar = await calendarOf(client, target)
  return calendar.kind === 'open' ? { kind: 'removed' } : calendar
}

/** SOGo takes any version for one of an object that is gone, and would bring back what the human deleted. */
const isCompared = (version: string): boolean => !/^"gcs\d+"$/.test(version)

const uidFor = ({ key }: CopyTarget): string => `${key}@agent-calendar`

const addressOf = ({ remote, key }: CopyTarget): string =>
  new URL(`${key}.ics`, remote.endsWith('/') ? remote : `${remote}/`).href

async function written(
  client: Dav,
  target: CopyTarget,
  version: string | null,
  { copy, isMerged }: { copy: EventCopy; isMerged: boolean },
): Promise<WrittenCopy | DavTrouble> {
  const url = addressOf(target)
  const further = furtherOf(copy.ical)
  const known = version ?? (await versionAt(client, url))
  const kept: Kept = { version: known, isMerged, ...(further.length > 0 && { further }) }
  return { kind: 'written', kept: JSON.stringify(kept), object: objectName(url), uid: uidFor(target) }
}

/** A server need not name the version of a stored object. Null: it never does, so nothing can be compared. */
async function versionAt(client: Dav, url: string): Promise<string | null> {
  const answer = await client.request('PROPFIND', url, { depth: '0', body: propfindBody('d:getetag') })
  if (answer.kind !== 'multistatus') return null
  return textOf(childOf(answer.responses[0]?.props, dav('getetag'))) ?? null
}

type Answer = DavTrouble | { kind: 'body' } | { kind: 'done' }

const isMissed = (answer: Answer): boolean => answer.kind === 'status' && answer.status === 412
const isGone = (answer: Answer): boolean => answer.kind === 'status' && (answer.status === 404 || answer.status === 410)

const forbidden: Lost = { kind: 'lost', category: 'forbidden' }
const notFound: Lost = { kind: 'lost', category: 'not_found' }

/** 403, and 405 of servers on which the calendar can only be read. */
const lostBy = (trouble: DavTrouble): Lost | DavTrouble =>
  trouble.kind === 'status' && (trouble.status === 403 || trouble.status === 405) ? forbidden : trouble

/** Of one object, not of the calendar. */
const ofObject = new Set(
  ['valid-calendar-data', 'valid-calendar-object-resource', 'supported-calendar-component', 'supported-calendar-data']
    .concat(['max-resource-size', 'max-instances', 'min-date-time', 'max-date-time', 'no-uid-conflict'])
    .map(caldavName),
)

/** If the calendar itself is gone, servers answer 404 or 409, Cyrus 403, DAViCal 405. */
const maybeLost = new Set([403, 404, 405, 409, 410])

/** The meaning of a refused write. */
async function refusedBy(client: Dav, target: CopyTarget, answer: DavTrouble): Promise<Outcome> {
  if (answer.kind !== 'status') return answer
  const { status, condition } = answer
  const rejected: Rejected = { kind: 'rejected', message: 'The calendar server does not accept this event.' }
  if (condition !== undefined && ofObject.has(condition)) return rejected
  if (status === 400 || status === 413 || status === 415 || status === 422) return rejected
  if (!maybeLost.has(status)) return answer
  const calendar = await calendarOf(client, target)
  if (calendar.kind === 'lost') return calendar
  if (!isGone(answer) || target.kept === null) return lostBy(answer)
  // If the calendar is there, the copy that was written is not.
  return calendar.kind === 'open' ? { kind: 'deleted' } : calendar
}

/** Whether the calendar is there and may be written to: an object that the account may not see is absent, too. */
async function calendarOf(client: Dav, { remote }: CopyTarget): Promise<{ kind: 'open' } | Lost | DavTrouble> {
  const body = propfindBody('d:resourcetype', 'd:current-user-privilege-set')
  const answer = await client.request('PROPFIND', remote, { depth: '0', body })
  if (answer.kind !== 'multistatus') return isGone(answer) ? notFound : lostBy(answer)
  const privileges = childOf(answer.responses[0]?.props, dav('current-user-privilege-set'))
  return privileges && !accessOf(privileges).isWritable ? forbidden : { kind: 'open' }
}
