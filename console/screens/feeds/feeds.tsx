import { Screen } from '../../parts/screen.tsx'
import { useCalendarChoices } from '../../parts/useChoices.ts'
import { texts } from '../../texts.ts'
import { CalendarFeeds } from './calendarFeeds.tsx'
import { Subscriptions } from './subscriptions.tsx'

/** Feeds that calendars read, and the feeds that they offer. */
export function Feeds() {
  const { data } = useCalendarChoices()
  const calendars = data?.data ?? []
  return (
    <Screen heading={texts.feeds}>
      <Subscriptions calendars={calendars} isWhole={!data || data.total <= calendars.length} />
      <CalendarFeeds />
    </Screen>
  )
}
