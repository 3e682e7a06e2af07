// Which holds and keys a person should look at. Pure.
import type { EventPage } from '../../../clients/typescript/src/entry.ts'

const keyMs = 7 * 86_400_000

/** Ends within seven days. */
export const endsSoon = (end: string | null | undefined, now: Date): boolean =>
  typeof end === 'string' && Date.parse(end) - now.getTime() <= keyMs

/** Somebody must confirm or release each before it runs out. */
export const holdsOf = (events: EventPage['data']) =>
  events
    .filter(({ status }) => status === 'hold')
    .map(({ id, title, calendarId, startTime }) => ({
      to: '/calendar',
      search: { cal: calendarId, date: startTime.slice(0, 10), event: id },
      label: title,
      state: 'hold',
    }))
