import { webhookTypes } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { CursorPages } from '../../parts/cursorPages.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filter } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { wordOptions } from '../../parts/options.ts'
import { pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import { word } from '../../parts/times.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { windowOf } from '../../parts/window.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { resend } from './resend.ts'
import type { EventType } from './values.ts'

const statuses = wordOptions(['pending', 'delivered', 'failed'])
const types = webhookTypes.map((value) => ({ value, label: value }))

type Chosen = {
  status?: (typeof statuses)[number]['value']
  event_type?: EventType
  from?: string
  to?: string
  cursor?: string
}

export function Deliveries({ id }: { id: string }) {
  const filters = useFilters()
  const { timezone } = useStore(settings)
  const { status, event_type, from, to, cursor = '' } = filters.values as Chosen
  const query = {
    ...(status && { status }),
    ...(event_type && { event_type }),
    ...windowOf({ from, to }, timezone),
  }
  const isFiltered = Object.keys(query).length > 0 || cursor !== ''
  const { data, error, refetch } = useRead(['list', 'delivery', id, { ...query, cursor }], (options) =>
    service.webhooks.listDeliveries(id, { ...options, ...query, cursor, limit: pageSize, include_attempt: true }),
  )

  return (
    <>
      <div className="filters">
        <Filter
          label={texts.status}
          value={status}
          options={statuses}
          orAll
          choose={(status) => filters.set({ status })}
        />
        <Filter
          label={texts.eventType}
          value={event_type}
          options={types}
          orAll
          choose={(event_type) => filters.set({ event_type })}
        />
        <TextFilter label={texts.from} type="date" value={from} choose={(from) => filters.set({ from })} />
        <TextFilter label={texts.to} type="date" value={to} choose={(to) => filters.set({ to })} />
        <button type="button" className="quiet" onClick={() => refetch()}>
          {texts.showNew}
        </button>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.deliveries}
            rows={data.data}
            idOf={({ id }) => id}
            nameOf={({ id }) => id}
            columns={[
              {
                head: texts.id,
                cell: ({ id: whd }) => (
                  <A to={`/webhooks/${id}/deliveries/${whd}`}>
                    <code>{whd}</code>
                  </A>
                ),
              },
              { head: texts.type, cell: ({ event_type }) => event_type },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              { head: texts.attempts, cell: ({ attempts }) => attempts, isNumber: true },
              { head: texts.outcome, cell: ({ last_attempt }) => last_attempt && outcomeOf(last_attempt) },
              {
                head: texts.milliseconds,
                cell: ({ last_attempt }) => last_attempt?.duration_ms,
                isNumber: true,
                isMinor: true,
              },
              {
                head: texts.nextAttempt,
                cell: ({ next_retry_at }) => next_retry_at && <Moment at={next_retry_at} />,
                isMinor: true,
              },
            ]}
            actions={(delivery) => [{ label: texts.resend, run: () => resend(id, delivery.id) }]}
            empty={
              isFiltered ? <p>{texts.noMatch}</p> : <Empty things={texts.deliveries} hint={texts.hints.deliveries} />
            }
          />
          <CursorPages
            next={data.next_cursor}
            counted={{ total: data.total, count: data.data.length }}
            filters={filters}
          />
        </>
      )}
    </>
  )
}

const outcomeOf = ({ outcome, http_status }: { outcome: string; http_status: number | null }) =>
  http_status === null ? word(outcome) : `${word(outcome)}, ${http_status}`
