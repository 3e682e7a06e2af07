// Compares a parsed feed with the earlier imports from it. Events are compared by digests under a key of the subscription,
// because the stored ones are sealed.
import { createHmac } from 'node:crypto'
import { importedSuffix } from '../feeds/uid.ts'
import type { ImportedEvent } from '../icalendar/feedParser.ts'
import { newId, type Uuid } from '../shapes/ids.ts'

/** Identity and content of an event, as digests in hexadecimal. */
type Digests = { key: string; content: string }
export type Kept = Digests & { id: Uuid }
/** An event to be written, under the id that it has or will have. */
export type ImportItem = Kept & { event: ImportedEvent }

type ImportChange = ImportItem & { kind: 'added' | 'changed' }

/** Identities that are worked out for what cannot be read: a tenth of a second. With more, nothing is removed. */
const maxRemembered = 20_000

/** Of a copy that was published into a CalDAV calendar of a human: its event is here already. */
const copyUid = /^[0-9a-v]{26}@agent-calendar$/

export type Comparison = {
  /**
   * Undefined if the event has not changed since its import, or has the identity of an earlier one, or if this service
   * published it after importing it: importing that too would let two calendars copy each other for ever.
   */
  changeOf(event: ImportedEvent): ImportChange | undefined
  /**
   * UIDs with unreadable parts: their imports are not removed; no import is removed if an unreadable UID is unknown (null).
   * `starts` are those of the imports, by which the instances of a series are found.
   */
  keep(lost: readonly (string | null)[], starts: readonly { startTime: Date }[]): void
  /** Imports that no event of the feed matched and that are not kept. */
  removed(): Uuid[]
}

/** `copies` are UIDs of copies that were published where the provider names its events itself. */
export function openComparison(
  digestKey: string,
  kept: readonly Kept[],
  copies: ReadonlySet<string> = new Set(),
): Comparison {
  const missing = new Map(kept.map((one) => [one.key, one]))
  const seen = new Set<string>()
  const remembered = new Set<string>()
  let isAllRemembered = false
  return {
    changeOf(event) {
      if (event.uid.endsWith(importedSuffix) || copyUid.test(event.uid) || copies.has(event.uid)) return undefined
      const { key, content } = digestsOf(digestKey, event)
      if (seen.has(key)) return undefined
      seen.add(key)
      const known = missing.get(key)
      missing.delete(key)
      // An unreadable end leaves the event unchanged.
      if (known && (known.content === content || event.isEndUnknown)) return undefined
      return { kind: known ? 'changed' : 'added', id: known?.id ?? newId(), key, content, event }
    },
    keep(lost, starts) {
      isAllRemembered = lost.includes(null) || lost.length * (starts.length + 1) > maxRemembered
      if (isAllRemembered) return
      const instances = [null, ...starts.map(({ startTime }) => startTime.toISOString())]
      for (const uid of lost) for (const instance of instances) remembered.add(keyOf(digestKey, uid!, instance))
    },
    removed: () =>
      isAllRemembered ? [] : [...missing.values()].filter(({ key }) => !remembered.has(key)).map(({ id }) => id),
  }
}

const digest = (digestKey: string, value: unknown): string =>
  createHmac('sha256', digestKey).update(JSON.stringify(value)).digest('hex')

const keyOf = (digestKey: string, uid: string, recurrenceId: string | null): string =>
  digest(digestKey, [uid, recurrenceId])

function digestsOf(digestKey: string, event: ImportedEvent): Digests {
  const { uid, recurrenceId, title, description, start, end, allDay, status, details, transparent } = event
  const kept = details || transparent ? [details ?? null, transparent ?? false] : []
  return {
    key: keyOf(digestKey, uid, recurrenceId),
    content: digest(digestKey, [title, description, start, end, allDay, status, ...kept]),
  }
}
