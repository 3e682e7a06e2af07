// Comparing a parsed feed with what was imported from it so far. Events are compared by digests under a key of the
// subscription, because what is stored is sealed.
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

/** Of a copy that was published into a CalDAV calendar of a human: its event is here already. */
const copyUid = /^[0-9a-v]{26}@agent-calendar$/

export type Comparison = {
  /**
   * Undefined if the event is as it was imported, or has the identity of an earlier one, or if this service published it
   * after importing it: importing that too would let two calendars copy each other for ever.
   */
  changeOf(event: ImportedEvent): ImportChange | undefined
  /** What no event was asked about so far. */
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
  return {
    changeOf(event) {
      if (event.uid.endsWith(importedSuffix) || copyUid.test(event.uid) || copies.has(event.uid)) return undefined
      const { key, content } = digestsOf(digestKey, event)
      if (seen.has(key)) return undefined
      seen.add(key)
      const known = missing.get(key)
      missing.delete(key)
      if (known?.content === content) return undefined
      return { kind: known ? 'changed' : 'added', id: known?.id ?? newId(), key, content, event }
    },
    removed: () => [...missing.values()].map(({ id }) => id),
  }
}

function digestsOf(digestKey: string, event: ImportedEvent): Digests {
  const digest = (value: unknown) => createHmac('sha256', digestKey).update(JSON.stringify(value)).digest('hex')
  const { uid, recurrenceId, title, description, start, end, allDay, status } = event
  return {
    key: digest([uid, recurrenceId]),
    content: digest([title, description, start, end, allDay, status]),
  }
}
