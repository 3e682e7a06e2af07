import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import type { ShownCalendar } from './items.ts'

const calendarsInAnswer = 100
const calendarsInRequest = 50
const eventsInAnswer = 2_000
const maxPages = 5
const hues = 6

type Read = { signal: AbortSignal }

async function readCalendars({ signal }: Read): Promise<ShownCalendar[]> {
  const found: ShownCalendar[] = []
  let pages = 0
  for await (const { data } of service.calendars.list({ signal, limit: calendarsInAnswer, include: 'all' }).pages()) {
    for (const { id, name, timezone } of data) found.push({ id, name, timezone, hue: found.length % hues })
    if (++pages === maxPages) break
  }
  return found
}

/** All calendars of the organization, with a colour for each. */
export const useCalendars = () => useRead(['live', 'calendar', 'all'], readCalendars)

type Window = { start: string; end: string }

async function readWindow(ids: readonly string[], window: Window, { signal }: Read): Promise<EventInstance[]> {
  const found: EventInstance[] = []
  for (let at = 0; at < ids.length; at += calendarsInRequest) {
    const calendar_ids = ids.slice(at, at + calendarsInRequest)
    let cursor: string | null | undefined
    for (let page = 0; page < maxPages && cursor !== null; page++) {
      const answer = await service.events.listOverlapping({
        ...{ signal, ...window, calendar_ids, limit: eventsInAnswer },
        ...(cursor && { cursor }),
      })
      found.push(...answer.data)
      cursor = answer.next_cursor
    }
  }
  return found
}

/** The events of the window. An import is a change of the calendar. */
export const useEvents = (ids: readonly string[], window: Window) =>
  useRead(['live', ['event', 'calendar'], ids, window], (options) =>
    ids.length > 0 ? readWindow(ids, window, options) : Promise.resolve([]),
  )
