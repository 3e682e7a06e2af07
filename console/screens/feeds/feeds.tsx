import { Screen } from '../../parts/screen.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { CalendarFeeds } from './calendarFeeds.tsx'
import { Subscriptions } from './subscriptions.tsx'

const limit = 100

/** Feeds that calendars read, and the feeds that they offer. */
export function Feeds() {
  const { data, error, refetch } = useRead(['list', 'calendar', 'choices'], (options) =>
    service.calendars.list({ ...options, limit, include: 'all' }),
  )
  const calendars = data?.data ?? []
  return (
    <Screen heading={texts.feeds}>
      <Subscriptions calendars={calendars} />
      <CalendarFeeds calendars={data && calendars} error={error} again={refetch} />
    </Screen>
  )
}
