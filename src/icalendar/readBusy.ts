// When the events of one object make their owner busy. Runs in the thread that reads bytes from outside. Pure.
import type { BusyTimes, ParseOptions } from './feedParser.ts'
import { parseCalendar } from './parseCalendar.ts'

export function readBusy(object: Uint8Array, options: ParseOptions): BusyTimes {
  const parsed = parseCalendar(object, options)
  if (parsed.kind === 'unreadable') return { kind: 'unreadable' }
  const busy = parsed.events.filter(({ start, end, isFree }) => !isFree && start < options.until && end > options.from)
  return {
    kind: 'busy',
    times: Float64Array.from(busy.flatMap(({ start, end }) => [start.getTime(), end.getTime()])),
    knownUntilMs: parsed.knownUntil?.getTime(),
    unread: parsed.unread,
  }
}
