import type { Proposal } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filter } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { wordOptions } from '../../parts/options.ts'
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

const statuses = wordOptions(['pending', 'confirmed', 'expired', 'cancelled'])

export function Proposals() {
  const filters = useFilters()
  const { status } = filters.values as { status?: Proposal['status'] }
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'proposal', { status, offset }], (options) =>
    service.proposals.list({ ...options, status, offset, limit: pageSize }),
  )
  return (
    <Screen heading={texts.proposals}>
      <div className="filters">
        <Filter
          label={texts.status}
          value={status}
          options={statuses}
          orAll
          choose={(status) => filters.set({ status })}
        />
        <ShowNew noun="proposal" />
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.proposals}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.title_, cell: ({ id, title }) => <A to={`/proposals/${id}`}>{title}</A> },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              {
                head: texts.time,
                cell: ({ resolved_slot }) =>
                  resolved_slot ? <Moment at={resolved_slot.start_time} end={resolved_slot.end_time} /> : '–',
                isMinor: true,
              },
              { head: texts.createdAt, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
            ]}
            empty={
              status || offset ? (
                <p>{texts.noMatch}</p>
              ) : (
                <>
                  <Empty things={texts.proposals} hint={texts.hints.proposals} />
                  <A to="/find-a-time">{texts.hints.findTime}</A>
                </>
              )
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </Screen>
  )
}
