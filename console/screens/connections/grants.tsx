import { useRef } from 'react'
import type { AvailabilityGrant, CalendarConnectionDetail } from '../../../clients/typescript/src/entry.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useAgentNames } from '../../parts/useAgentNames.ts'
import { useChoices } from '../../parts/useChoices.ts'
import { forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { removeWithUndo } from '../../state/undo.ts'
import { texts } from '../../texts.ts'
import { NewGrant } from './newGrant.tsx'

const limit = 100

/** Which agents may see when the calendars of this account are busy. */
export function Grants({ connection }: { connection: CalendarConnectionDetail }) {
  const { data, error, refetch } = useRead(['list', 'grant'], (options) =>
    service.availabilityGrants.list({ ...options, limit }),
  )
  const button = useRef<HTMLButtonElement>(null)
  const { agents, findAgents } = useChoices({ withCalendars: false })
  const nameOfAgent = useAgentNames(data?.data.flatMap(({ agent_ids }) => agent_ids) ?? [])
  const names = new Map(connection.calendars.map(({ id, name }) => [id, name]))
  const ofThis = ({ external_calendar_ids }: AvailabilityGrant) => external_calendar_ids.some((id) => names.has(id))
  const calendarsOf = ({ external_calendar_ids }: AvailabilityGrant) =>
    external_calendar_ids.map((id) => names.get(id) ?? id).join(', ')
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.grants}</h2>
        <DialogButton ref={button} label={texts.newGrant} least="viewer">
          {(close) => <NewGrant connection={connection} agents={agents} findAgents={findAgents} close={close} />}
        </DialogButton>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.grants}
          rows={data.data.filter(ofThis)}
          idOf={({ id }) => id}
          nameOf={calendarsOf}
          least="viewer"
          columns={[
            { head: texts.calendars, cell: calendarsOf },
            {
              head: texts.audience,
              cell: ({ audience, agent_ids }) =>
                audience === 'selected_agents' ? agent_ids.map(nameOfAgent).join(', ') : texts.audiences[audience],
            },
            {
              head: texts.status,
              cell: ({ active }) => (active ? <State of="active" /> : <State of="disabled" label={texts.notActive} />),
              isMinor: true,
            },
            { head: texts.createdAt, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
          ]}
          actions={({ id }) => [{ label: texts.removeFeed, run: () => remove(id), isDangerous: true }]}
          empty={<Empty things={texts.grants} hint={texts.hints.grants} button={button} least="viewer" />}
        />
      )}
    </section>
  )
}

const remove = (id: string) =>
  removeWithUndo(id, texts.grant, async () => {
    await service.availabilityGrants.delete(id)
    await forget('grant', id)
  })
