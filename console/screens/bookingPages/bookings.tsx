import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PageBooking } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { ShowNew } from '../../parts/showNew.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const calendar = '/calendar'
const searchOf = ({ event_id, start }: PageBooking) => ({ event: event_id, date: start.slice(0, 10) })

export function Bookings({ id }: { id: string }) {
  const filters = useFilters()
  const navigate = useNavigate()
  const [cancelling, setCancelling] = useState<PageBooking>()
  const { query = '' } = filters.values
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'event', 'bookings', id, { query, offset }], (options) =>
    service.bookingPages.listPageBookings(id, { ...options, offset, limit: pageSize, ...(query && { query }) }),
  )

  function actionsOf(booking: PageBooking): MenuItem[] {
    if (booking.status === 'cancelled') return []
    const open = () => navigate({ to: calendar, search: searchOf(booking) as never })
    return [
      { label: texts.booking.openEvent, run: open },
      { label: texts.booking.cancelBooking, run: () => setCancelling(booking), isDangerous: true },
    ]
  }

  return (
    <section className="part" aria-labelledby="bookings">
      <h2 id="bookings">{texts.booking.bookings}</h2>
      <div className="filters">
        <TextFilter
          type="search"
          label={texts.booking.searchBookings}
          value={query}
          choose={(query) => filters.set({ query })}
        />
        <ShowNew noun="event" />
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.booking.bookings}
            rows={data.data}
            idOf={({ event_id }) => event_id}
            nameOf={({ name }) => name}
            columns={[
              {
                head: texts.booking.guest,
                cell: (booking) =>
                  booking.status === 'confirmed' ? (
                    <A to={calendar} search={searchOf(booking)}>
                      {booking.name}
                    </A>
                  ) : (
                    booking.name
                  ),
              },
              { head: texts.email, cell: ({ email }) => email, isMinor: true },
              { head: texts.time, cell: ({ start, end }) => <Moment at={start} end={end} /> },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              { head: texts.booking.notes, cell: ({ notes }) => notes, isMinor: true },
            ]}
            actions={actionsOf}
            empty={
              query || offset ? (
                <p>{texts.noMatch}</p>
              ) : (
                <Empty things={texts.booking.bookings} hint={texts.hints.bookings} />
              )
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
      {cancelling && (
        <Dialog title={texts.booking.cancelBooking} role="alertdialog" close={() => setCancelling(undefined)}>
          <CancelBooking booking={cancelling} close={() => setCancelling(undefined)} />
        </Dialog>
      )}
    </section>
  )
}

/** The guest hears of it by mail, as of every change of their booking. */
function CancelBooking({ booking: { event_id, name }, close }: { booking: PageBooking; close: () => void }) {
  const act = useAct<void, unknown>(
    (_, sent) => service.events.deleteById(event_id, sent),
    async () => {
      await acted('event')
      notify(texts.booking.cancelled)
    },
  )
  return (
    <Confirm label={texts.booking.cancelBooking} act={act} close={close}>
      <p>
        {name}: {texts.booking.cancelHint}
      </p>
    </Confirm>
  )
}
