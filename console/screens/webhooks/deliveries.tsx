import { Filter } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { word } from '../../parts/times.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { alarm, notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const statuses = ['pending', 'delivered', 'failed'] as const

export function Deliveries({ id }: { id: string }) {
  const filters = useFilters()
  const { status } = filters.values as { status?: (typeof statuses)[number] }
  const offset = Number(filters.values.offset ?? 0) || 0
  const { data, error, refetch } = useRead(['list', 'delivery', id, { status, offset }], (options) =>
    service.webhooks.listDeliveries(id, { ...options, status, offset, limit: pageSize, include_attempt: true }),
  )

  async function resend(whd: string) {
    try {
      await service.webhooks.resendDelivery(id, whd)
      await acted('delivery')
      notify(texts.sentAgain)
    } catch (error) {
      alarm(error)
    }
  }

  return (
    <>
      <div className="filters">
        <Filter
          label={texts.status}
          value={status ?? ''}
          options={[{ value: '', label: texts.all }, ...statuses.map((value) => ({ value, label: word(value) }))]}
          choose={(status) => filters.set({ status })}
        />
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
              { head: texts.id, cell: ({ id }) => <code>{id}</code> },
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
            actions={(delivery) => [{ label: texts.resend, run: () => resend(delivery.id) }]}
            empty={<p>{status ? texts.noMatch : texts.none(texts.deliveries)}</p>}
          />
          <Pages total={data.total} offset={offset} count={data.data.length} filters={filters} />
        </>
      )}
    </>
  )
}

const outcomeOf = ({ outcome, http_status }: { outcome: string; http_status: number | null }) =>
  http_status === null ? word(outcome) : `${word(outcome)}, ${http_status}`
