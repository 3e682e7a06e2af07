import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { A } from '../../parts/a.tsx'
import { Allowed } from '../../parts/allowed.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MetadataFact } from '../../parts/more.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Unread } from '../../parts/unread.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { Decommission, EditAgent, readAgent, setStatus } from './actions.tsx'
import { NewCalendar } from './newCalendar.tsx'
import { typeName } from './types.ts'

export function Agent() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useRead(['one', 'agent', id], () => readAgent(id))
  if (!data) return <Unread error={error} again={refetch} />
  const { name, type, status, description, metadata, createdAt } = data.data
  const isActive = status !== 'decommissioned'

  return (
    <Screen
      heading={name}
      actions={
        isActive && (
          <>
            <DialogButton label={texts.editAgent} className="quiet">
              {(close) => <EditAgent id={id} close={close} />}
            </DialogButton>
            <Allowed>
              <button
                type="button"
                className="quiet"
                onClick={() => setStatus(id, status === 'active' ? 'paused' : 'active')}
              >
                {status === 'active' ? texts.pause : texts.resume}
              </button>
            </Allowed>
            <DialogButton label={texts.decommission} className="quiet dangerous" alert>
              {(close) => <Decommission id={id} name={name} close={close} />}
            </DialogButton>
          </>
        )
      }
    >
      <Facts>
        <Fact name={texts.type}>{typeName(type)}</Fact>
        <Fact name={texts.status}>
          <State of={status} />
        </Fact>
        {description && <Fact name={texts.description}>{description}</Fact>}
        <MetadataFact of={metadata} />
        <Fact name={texts.id}>
          <code>{id}</code>
        </Fact>
        <Fact name={texts.createdAt}>
          <Moment at={createdAt} />
        </Fact>
      </Facts>
      <Calendars id={id} isActive={isActive} />
      <Keys id={id} />
    </Screen>
  )
}

function Calendars({ id, isActive }: { id: string; isActive: boolean }) {
  const { data, error, refetch } = useRead(['list', 'calendar', { agent: id }], (options) =>
    service.calendars.listForAgent(id, { ...options, limit: 100 }),
  )
  const button = useRef<HTMLButtonElement>(null)
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.calendars}</h2>
        <div className="actions">
          {data && data.data.length > 0 && (
            <A to="/calendar" search={{ cal: data.data.map(({ id }) => id).join() }}>
              {texts.openInCalendar}
            </A>
          )}
          {isActive && (
            <DialogButton ref={button} label={texts.newCalendar}>
              {(close) => <NewCalendar agentId={id} close={close} />}
            </DialogButton>
          )}
        </div>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.calendars}
          rows={data.data}
          idOf={({ id }) => id}
          columns={[
            { head: texts.name, cell: ({ id, name }) => <A to={`/calendars/${id}`}>{name}</A> },
            { head: texts.timezone, cell: ({ timezone }) => timezone },
            { head: texts.status, cell: ({ agent_status }) => agent_status, isMinor: true },
          ]}
          empty={<Empty things={texts.calendars} hint={texts.hints.calendars} button={isActive ? button : undefined} />}
        />
      )}
    </section>
  )
}

function Keys({ id }: { id: string }) {
  const { data, error, refetch } = useRead(['list', 'key'], (options) => service.keys.list(options))
  return (
    <section className="part">
      <h2>{texts.keysOfAgent}</h2>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.keysOfAgent}
          rows={data.keys.filter(({ agent_id }) => agent_id === id)}
          idOf={({ id }) => id}
          columns={[
            { head: texts.prefix, cell: ({ key_prefix }) => <code>{key_prefix}</code> },
            { head: texts.label, cell: ({ label }) => label },
            { head: texts.createdAt, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
          ]}
          empty={<Empty things={texts.keysOfAgent} hint={texts.hints.keysOfAgent} />}
        />
      )}
    </section>
  )
}
