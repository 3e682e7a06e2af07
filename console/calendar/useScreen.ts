import { useState } from 'react'
import { useFilters } from '../parts/useFilters.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/useStore.ts'
import { readAddress } from './address.ts'
import { clockAt, daysShown } from './dates.ts'
import { useCalendars } from './useEvents.ts'
import { useNow } from './useNow.ts'

const phone = '(max-width: 47.99rem)'

/** The days, calendars and zones of the screen: as the address says, else as the person has set. */
export function useScreen() {
  const filters = useFilters()
  const { timezone, secondTimezone, weekStart, clock } = useStore(settings)
  const [isPhone] = useState(() => matchMedia(phone).matches)
  const calendars = useCalendars()
  const now = useNow()
  const known = calendars.data ?? []
  const read = (today: string) =>
    readAddress(filters.values, {
      ...{ view: isPhone ? 'day' : 'week', today, tz: timezone, tz2: secondTimezone },
      calendars: known.map(({ id }) => id),
    })
  const { tz } = read('')
  const today = clockAt(now, tz)
  const address = read(today.date)
  return {
    ...{ address, calendars, known, today, filters },
    days: daysShown(address.view, address.date, weekStart),
    shown: { timezone: tz, clock },
  }
}
