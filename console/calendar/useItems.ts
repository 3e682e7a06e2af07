import { useEffect, useMemo, useState } from 'react'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import type { Shown } from '../parts/times.ts'
import { removed } from '../state/undo.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { hasLapsed, nextLapse } from './holds.ts'
import { type Item, isGone, itemOf, keyOf, type ShownCalendar, type Times } from './items.ts'

const longestTimerMs = 3_600_000

/** Becomes another number whenever a hold has run out. */
function useLapses(events: readonly EventInstance[]): number {
  const [now, setNow] = useState(() => Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: one lapse is followed by the next one
  useEffect(() => {
    const next = nextLapse(events, Date.now())
    if (next === undefined) return
    const wait = Math.min(longestTimerMs, Math.max(0, next - Date.now() + 50))
    const timer = setTimeout(() => setNow(Date.now()), wait)
    return () => clearTimeout(timer)
  }, [events, now])
  return now
}

/** Events as the calendar shows them: without those that are gone, and moved ones where they are going. */
export function useItems(
  events: readonly EventInstance[],
  calendars: readonly ShownCalendar[],
  { timezone, clock }: Shown,
  moved: ReadonlyMap<string, Times>,
): readonly Item[] {
  const gone = useStore(removed)
  const now = useLapses(events)
  // An event that has not changed is the same object as before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the kept items were made with
  const kept = useMemo(() => new WeakMap<EventInstance, Item>(), [calendars, timezone, clock])
  return useMemo(() => {
    const words = { states: texts.eventStates, series: texts.series, allDay: texts.inWords.allDay }
    const byId = new Map(calendars.map((calendar) => [calendar.id, calendar]))
    return events.flatMap((event) => {
      const calendar = byId.get(event.calendarId)
      if (!calendar || hasLapsed(event, now)) return []
      const going = moved.get(keyOf(event))
      const item = (!going && kept.get(event)) || itemOf(event, calendar, { timezone, clock }, words, going)
      if (!going) kept.set(event, item)
      return isGone(gone, item) ? [] : [item]
    })
  }, [events, calendars, timezone, clock, kept, gone, moved, now])
}
