import { useRef, useState } from 'react'
import type { Agent } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filter } from '../../parts/fields.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { Moment } from '../../parts/moment.tsx'
import { wordOptions } from '../../parts/options.ts'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { ShowNew } from '../../parts/showNew.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { Decommission, EditAgent, setStatus } from './actions.tsx'
import { NewAgent } from './newAgent.tsx'
import { agentTypes, typeName } from './types.ts'

type Opened = { kind: 'edit' | 'decommission'; agent: Agent }

const statuses = wordOptions(['active', 'paused', 'decommissioned'])

type Chosen = { type?: Agent['type']; status?: Agent['status']; query?: string }

export function Agents() {
  const filters = useFilters()
  const { type, status, query = '' } = filters.values as Chosen
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'agent', { type, status, query, offset }], (options) =>
    service.agents.list({ ...options, type, status, offset, limit: pageSize, ...(query && { query }) }),
  )
  const [opened, setOpened] = useState<Opened | undefined>()
  const close = () => setOpened(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const create = (
    <DialogButton
      key={filters.values.new}
      ref={button}
      label={texts.newAgent}
      isOpenAtFirst={filters.values.new === 'agent'}
    >
      {(close) => <NewAgent close={close} />}
    </DialogButton>
  )
  const isFiltered = Boolean(type || status || query || offset)

  return (
    <Screen heading={texts.agents} actions={create}>
      <div className="filters">
        <TextFilter type="search" label={texts.searchAgents} value={query} choose={(query) => filters.set({ query })} />
        <Filter label={texts.type} value={type} options={agentTypes} orAll choose={(type) => filters.set({ type })} />
        <Filter
          label={texts.status}
          value={status}
          options={statuses}
          orAll
          choose={(status) => filters.set({ status })}
        />
        <ShowNew noun="agent" />
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.agents}
            rows={data.data}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            columns={[
              { head: texts.name, cell: ({ id, name }) => <A to={`/agents/${id}`}>{name}</A> },
              { head: texts.type, cell: ({ type }) => typeName(type) },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              { head: texts.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
            ]}
            actions={(agent) => actionsOf(agent, setOpened)}
            empty={
              isFiltered ? (
                <p>{texts.noMatch}</p>
              ) : (
                <Empty things={texts.agents} hint={texts.hints.agents} button={button} />
              )
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
      {opened?.kind === 'edit' && (
        <Dialog title={texts.edit} close={close}>
          <EditAgent id={opened.agent.id} close={close} />
        </Dialog>
      )}
      {opened?.kind === 'decommission' && (
        <Dialog title={texts.decommission} role="alertdialog" close={close}>
          <Decommission id={opened.agent.id} name={opened.agent.name} close={close} />
        </Dialog>
      )}
    </Screen>
  )
}

function actionsOf(agent: Agent, open: (opened: Opened) => void): MenuItem[] {
  const { id, status } = agent
  if (status === 'decommissioned') return []
  return [
    { label: texts.edit, run: () => open({ kind: 'edit', agent }) },
    status === 'active'
      ? { label: texts.pause, run: () => setStatus(id, 'paused') }
      : { label: texts.resume, run: () => setStatus(id, 'active') },
    { label: texts.decommission, run: () => open({ kind: 'decommission', agent }), isDangerous: true },
  ]
}
