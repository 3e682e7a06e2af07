import type { AuditEntry } from '../../../clients/typescript/src/entry.ts'
import { Resource } from '../../frame/resource.tsx'
import { A } from '../../parts/a.tsx'
import { CursorPages } from '../../parts/cursorPages.tsx'
import { Filter } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { pageSize } from '../../parts/pages.tsx'
import { PickerFilter } from '../../parts/pickerFilter.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import type { Filters } from '../../parts/useFilters.ts'
import { windowOf } from '../../parts/window.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { auditActions } from './actions.ts'

const actions = auditActions.map((value) => ({ value, label: value }))

export function AuditLog({ filters: { values, set }, filters }: { filters: Filters }) {
  const { timezone } = useStore(settings)
  const { request_id, actor_key_prefix, action, agent_id, resource, from, to, cursor } = values
  const asked = {
    request_id,
    actor_key_prefix,
    action,
    agent_id,
    resource,
    cursor,
    ...windowOf({ from, to }, timezone),
  }
  const { data, error, refetch } = useRead(['list', 'audit', asked], (options) =>
    service.auditLog.list({ ...options, ...asked, limit: pageSize }),
  )
  const { agents, findAgents } = useChoices({ withCalendars: false })
  return (
    <>
      <div className="filters">
        <TextFilter label={texts.requestIdField} value={request_id} choose={(request_id) => set({ request_id })} />
        <TextFilter
          label={texts.keyPrefix}
          value={actor_key_prefix}
          choose={(actor_key_prefix) => set({ actor_key_prefix })}
        />
        <Filter label={texts.action} value={action} options={actions} orAll choose={(action) => set({ action })} />
        <PickerFilter
          label={texts.agent}
          options={agents}
          find={findAgents}
          value={agent_id}
          choose={(agent_id) => set({ agent_id })}
        />
        <TextFilter label={texts.from} type="date" value={from} choose={(from) => set({ from })} />
        <TextFilter label={texts.to} type="date" value={to} choose={(to) => set({ to })} />
        <button type="button" className="quiet" onClick={() => refetch()}>
          {texts.showNew}
        </button>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.auditLog}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.action, cell: ({ action }) => action },
              { head: texts.who, cell: (entry) => <Who of={entry} /> },
              { head: texts.resource, cell: ({ resource }) => resource && <Resource id={resource} /> },
              { head: texts.status, cell: ({ status }) => status, isNumber: true },
              { head: texts.at, cell: ({ created_at }) => <Moment at={created_at} /> },
              {
                head: texts.requestIdField,
                cell: ({ request_id }) =>
                  request_id && (
                    <A to="/logs" search={{ request_id }}>
                      <code>{request_id}</code>
                    </A>
                  ),
                isMinor: true,
              },
            ]}
            empty={<p>{texts.noMatch}</p>}
          />
          <CursorPages next={data.pagination.next_cursor} filters={filters} />
          <p className="muted after">
            {data.retention_days === null ? texts.keptForEver : texts.keptFor(data.retention_days)}
          </p>
        </>
      )}
    </>
  )
}

const Who = ({ of: { actor_account, actor_key_prefix } }: { of: AuditEntry }) =>
  actor_account ?? (actor_key_prefix ? <code>{actor_key_prefix}</code> : texts.nobody)
