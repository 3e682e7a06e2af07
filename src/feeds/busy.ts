// An event in the busy feed: its times, and nothing that says what it is.
import type { Digests } from '../connections/digests.ts'
import type { Uuid } from '../shapes/ids.ts'
import { timeValue } from './contentLine.ts'
import { importedSuffix } from './uid.ts'
import { type FeedEvent, type Form, wholeDay } from './vevent.ts'

/**
 * Its UID is a digest that stays. An import keeps its suffix: a calendar that imports the feed skips it, or two calendars would
 * copy each other for ever.
 */
export const busyForm = (digests: Digests): Form => ({
  uid: ({ id, source }: { id: Uuid; source: FeedEvent['source'] }) =>
    digests('busy', id).slice(0, 40) + (source === 'internal' ? '@busy.agent-calendar' : importedSuffix),
  component: (event, times, uid) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:${timeValue(event.updatedAt)}\r\n${times.replace(wholeDay, '')}` +
    `SUMMARY:Busy\r\nTRANSP:OPAQUE\r\nCLASS:PRIVATE\r\nEND:VEVENT\r\n`,
})

type Series = { recurrenceExdates: readonly Date[]; idleStarts?: readonly Date[] }

/** Occurrences that block no time are left out, so their series excludes them. */
export const busyRow = ({ recurrenceExdates, idleStarts = [] }: Series) => ({
  title: 'Busy',
  description: null,
  reminders: [],
  recurrenceExdates: [...recurrenceExdates, ...idleStarts],
})
