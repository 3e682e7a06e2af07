import { useRef, useState } from 'react'
import type { CalendarConnection } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { Disconnect, pause, resume } from './actions.tsx'
import { ConnectCalendar } from './connectCalendar.tsx'

export function Connections() {
  const filters = useFilters()
  const { offset } = filters
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useRead(['list', 'connection', { offset }], (options) =>
    service.connections.list({ ...options, offset, limit: pageSize }),
  )
  const [ended, setEnded] = useState<CalendarConnection>()
  const close = () => setEnded(undefined)
  return (
    <Screen
      heading={texts.connectionsScreen}
      actions={
        <DialogButton ref={button} label={texts.connectCalendar} least="viewer">
          {(close) => <ConnectCalendar close={close} />}
        </DialogButton>
      }
    >
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.connectionsScreen}
            rows={data.data}
            idOf={({ id }) => id}
            nameOf={nameOf}
            least="viewer"
            columns={[
              {
                head: texts.account,
                // Another member's connection can be ended, not opened.
                cell: (one) => (one.member_id ? nameOf(one) : <A to={`/connections/${one.id}`}>{nameOf(one)}</A>),
              },
              { head: texts.provider, cell: ({ provider }) => texts.providers[provider] },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              {
                head: texts.calendarsChosen,
                cell: ({ selected_calendar_count }) => selected_calendar_count,
                isNumber: true,
                isMinor: true,
              },
              {
                head: texts.lastSignIn,
                cell: ({ last_authenticated_at }) => <Moment at={last_authenticated_at} />,
                isMinor: true,
              },
            ]}
            actions={(one) => [
              ...(one.status === 'active' ? [{ label: texts.pause, run: () => pause(one.id) }] : []),
              ...(one.status === 'paused' && !one.member_id
                ? [{ label: texts.resume, run: () => resume(one.id) }]
                : []),
              { label: texts.disconnect, run: () => setEnded(one), isDangerous: true },
            ]}
            empty={
              <Empty things={texts.connectionsScreen} hint={texts.hints.connections} button={button} least="viewer" />
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
      {ended && (
        <Dialog title={texts.disconnect} role="alertdialog" close={close}>
          <Disconnect id={ended.id} account={nameOf(ended)} close={close} />
        </Dialog>
      )}
    </Screen>
  )
}

const nameOf = ({ account_label, provider, member_id }: CalendarConnection): string =>
  account_label ?? (member_id ? texts.accountOfMember : texts.providers[provider])
