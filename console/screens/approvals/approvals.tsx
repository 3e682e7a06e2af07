import type { Approval } from '../../../clients/typescript/src/entry.ts'
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
import { useAgentNames } from '../../parts/useAgentNames.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { alarm } from '../../state/notices.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { type Decision, decide, hopedStatuses, refusalOfApproved } from './decide.ts'

const statuses = wordOptions(['pending', 'approved', 'rejected', 'expired', 'failed'])

export function Approvals() {
  const filters = useFilters()
  const { status } = filters.values as { status?: Approval['status'] }
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'approval', { status, offset }], (options) =>
    service.approvals.list({ ...options, status, offset, limit: pageSize }),
  )
  // On a long list, those that wait for a person may stand on later pages.
  const isFirstOfMany = !status && offset === 0 && data !== undefined && data.total > pageSize
  const pending = useRead(
    ['list', 'approval', 'pending'],
    (options) => service.approvals.list({ ...options, status: 'pending', limit: pageSize }),
    { enabled: isFirstOfMany },
  )
  const rows = pendingFirst(data?.data ?? [], isFirstOfMany ? (pending.data?.data ?? []) : [])
  const nameOfAgent = useAgentNames(rows.map(({ agent_id }) => agent_id))
  const hoped = useStore(hopedStatuses)
  const statusOf = ({ id, status }: Approval) => hoped[id] ?? status

  async function act(id: string, decision: Decision) {
    try {
      const refusal = refusalOfApproved(await decide(id, decision, ''))
      if (refusal) alarm(refusal)
    } catch (error) {
      alarm(error)
    }
  }

  return (
    <Screen heading={texts.approvals}>
      <div className="filters">
        <Filter
          label={texts.status}
          value={status}
          options={statuses}
          orAll
          choose={(status) => filters.set({ status })}
        />
        <ShowNew noun="approval" />
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.approvals}
            rows={rows}
            idOf={({ id }) => id}
            nameOf={({ summary }) => summary}
            columns={[
              { head: texts.summary, cell: ({ id, summary }) => <A to={`/approvals/${id}`}>{summary}</A> },
              { head: texts.status, cell: (approval) => <State of={statusOf(approval)} /> },
              {
                head: texts.agent,
                cell: ({ agent_id }) => <A to={`/agents/${agent_id}`}>{nameOfAgent(agent_id)}</A>,
                isMinor: true,
              },
              { head: texts.openUntil, cell: ({ expires_at }) => <Moment at={expires_at} />, isMinor: true },
            ]}
            actions={(approval) =>
              statusOf(approval) === 'pending'
                ? [
                    { label: texts.approve, run: () => act(approval.id, 'approve') },
                    { label: texts.reject, run: () => act(approval.id, 'reject') },
                  ]
                : []
            }
            empty={
              status || offset ? (
                <p>{texts.noMatch}</p>
              ) : (
                <Empty things={texts.approvals} hint={texts.hints.approvals} />
              )
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </Screen>
  )
}

/** The service lists the newest first; here those that wait for a person come before them. */
function pendingFirst(page: readonly Approval[], ofAll: readonly Approval[]): readonly Approval[] {
  const [onPage, others] = [page.filter(isPending), page.filter((one) => !isPending(one))]
  const known = new Set(ofAll.map(({ id }) => id))
  return [...ofAll, ...onPage.filter(({ id }) => !known.has(id)), ...others]
}

const isPending = ({ status }: Approval) => status === 'pending'
