import { A } from '../../parts/a.tsx'
import { CopyButton } from '../../parts/copyButton.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'

/** The addresses from which other programs read calendars. They are not shown: everybody who has one can read. */
export function CalendarFeeds() {
  const filters = useFilters('calendar_offset')
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'calendar', 'feeds', { offset }], (options) =>
    service.calendars.list({ ...options, offset, limit: pageSize, include: 'all' }),
  )
  return (
    <section className="part">
      <h2>{texts.calendarFeeds}</h2>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.calendarFeeds}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.calendar, cell: ({ id, name }) => <A to={`/calendars/${id}`}>{name}</A> },
              { head: texts.timezone, cell: ({ timezone }) => timezone, isMinor: true },
              {
                head: texts.feed,
                cell: ({ ical_url }) => <CopyButton text={ical_url} label={texts.copyFeedAddress} />,
              },
            ]}
            empty={<Empty things={texts.calendarFeeds} hint={texts.hints.calendarFeeds} />}
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </section>
  )
}
