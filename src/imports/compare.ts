// Comparing a parsed feed with what was imported from it so far. Events are compared by digests under a key of the
// subscription, because what is stored is sealed.
import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { importedSuffix } from '../feeds/uid.ts'
import type { ImportedEvent } from '../icalendar/feedParser.ts'
import type { Uuid } from '../shapes/ids.ts'
import { slicer } from '../shapes/slices.ts'

/** Identity and content of an event, as digests in hexadecimal. */
type Digests = { key: string; content: string }
export type Kept = Digests & { id: Uuid }
export type ImportItem = Digests & { event: ImportedEvent }

type ImportDiff<Item extends Digests> = {
  added: Item[]
  changed: (Item & { id: Uuid })[]
  removed: Uuid[]
}

/** The events of a feed with their digests, those left out that this service published after importing them. */
export async function digestEvents(digestKey: string, events: readonly ImportedEvent[]): Promise<ImportItem[]> {
  const isOver = slicer()
  const digest = (value: unknown) => createHmac('sha256', digestKey).update(JSON.stringify(value)).digest('hex')
  const items: ImportItem[] = []
  for (const event of events.filter(isFirstHand)) {
    const { uid, recurrenceId, title, description, start, end, allDay, status } = event
    const key = digest([uid, recurrenceId])
    items.push({ key, content: digest([title, description, start, end, allDay, status]), event })
    if (isOver()) await nextTurn()
  }
  return items
}

/** Importing those too would let two calendars copy each other for ever. */
const isFirstHand = ({ uid }: ImportedEvent): boolean => !uid.endsWith(importedSuffix)

/** If two items have one identity, the last one counts. */
export function compare<Item extends Digests>(kept: readonly Kept[], parsed: readonly Item[]): ImportDiff<Item> {
  const missing = new Map(kept.map((one) => [one.key, one]))
  const items = new Map(parsed.map((item) => [item.key, item]))
  const diff: ImportDiff<Item> = { added: [], changed: [], removed: [] }
  for (const item of items.values()) {
    const known = missing.get(item.key)
    missing.delete(item.key)
    if (!known) diff.added.push(item)
    else if (known.content !== item.content) diff.changed.push({ ...item, id: known.id })
  }
  diff.removed = [...missing.values()].map(({ id }) => id)
  return diff
}
