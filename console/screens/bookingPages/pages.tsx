import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { A } from '../../parts/a.tsx'
import { Allowed } from '../../parts/allowed.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { ShowNew } from '../../parts/showNew.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'

export function BookingPages() {
  const filters = useFilters()
  const navigate = useNavigate()
  const { offset } = filters
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useRead(['list', 'booking_page', { offset }], (options) =>
    service.bookingPages.list({ ...options, offset, limit: pageSize }),
  )
  return (
    <Screen
      heading={texts.booking.heading}
      actions={
        <Allowed>
          <button ref={button} type="button" onClick={() => navigate({ to: '/booking-pages/new' })}>
            {texts.booking.new}
          </button>
        </Allowed>
      }
    >
      <ShowNew noun="booking_page" />
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.booking.heading}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.title_, cell: ({ id, title }) => <A to={`/booking-pages/${id}`}>{title}</A> },
              { head: texts.status, cell: ({ active }) => <State of={active ? 'active' : 'off'} /> },
              {
                head: texts.booking.durationMinutes,
                cell: (page) => page.duration_minutes,
                isNumber: true,
                isMinor: true,
              },
              { head: texts.booking.bookings, cell: ({ bookings_count }) => bookings_count, isNumber: true },
              { head: texts.createdAt, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
            ]}
            empty={<Empty things={texts.booking.heading} hint={texts.hints.bookingPages} button={button} />}
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </Screen>
  )
}
