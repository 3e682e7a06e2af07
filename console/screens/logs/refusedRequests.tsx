import { A } from '../../parts/a.tsx'
import { CursorPages } from '../../parts/cursorPages.tsx'
import { Moment } from '../../parts/moment.tsx'
import { pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import type { Filters } from '../../parts/useFilters.ts'
import { windowOf } from '../../parts/window.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'

/** Requests that the service answered with a status from 400 to 499. */
export function RefusedRequests({ filters: { values, set }, filters }: { filters: Filters }) {
  const { timezone } = useStore(settings)
  const { request_id, code, key_prefix, from, to, cursor } = values
  const status = /^4\d\d$/.test(values.status ?? '') ? Number(values.status) : undefined
  const asked = { request_id, status, code, key_prefix, cursor, ...windowOf({ from, to }, timezone) }
  const { data, error, refetch } = useRead(['list', 'refused', asked], (options) =>
    service.refusedRequests.list({ ...options, ...asked, limit: pageSize }),
  )
  return (
    <>
      <div className="filters">
        <TextFilter label={texts.requestIdField} value={request_id} choose={(request_id) => set({ request_id })} />
        <TextFilter label={texts.status} value={values.status} choose={(status) => set({ status })} />
        <TextFilter label={texts.codeOfError} value={code} choose={(code) => set({ code })} />
        <TextFilter label={texts.keyPrefix} value={key_prefix} choose={(key_prefix) => set({ key_prefix })} />
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
            label={texts.refusedRequests}
            rows={data.data}
            idOf={({ request_id }) => request_id}
            columns={[
              { head: texts.at, cell: ({ at }) => <Moment at={at} /> },
              { head: texts.method, cell: ({ method }) => method },
              { head: texts.path, cell: ({ path }) => <code>{path}</code> },
              { head: texts.status, cell: ({ status }) => status, isNumber: true },
              { head: texts.codeOfError, cell: ({ type, code }) => code ?? type },
              {
                head: texts.key,
                cell: ({ key_prefix, actor_account }) => (key_prefix ? <code>{key_prefix}</code> : actor_account),
              },
              {
                head: texts.requestIdField,
                cell: ({ request_id }) => (
                  <A to="/logs" search={{ tab: 'refused', request_id }}>
                    <code>{request_id}</code>
                  </A>
                ),
                isMinor: true,
              },
            ]}
            empty={<p>{texts.noMatch}</p>}
          />
          <CursorPages next={data.pagination.next_cursor} filters={filters} />
          <p className="muted after">{texts.keptForHours(data.retention_hours)}</p>
        </>
      )}
    </>
  )
}
