import { useState } from 'react'
import type { Change } from '../../../clients/typescript/src/entry.ts'
import { Resource } from '../../frame/resource.tsx'
import { CopyButton } from '../../parts/copyButton.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PickerFilter } from '../../parts/pickerFilter.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Table } from '../../parts/table.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { texts } from '../../texts.ts'
import { type ChangeFilter, changeTypes, isShown, nameOf } from './types.ts'
import { useTail } from './useTail.ts'

export function Changes() {
  const { values, set } = useFilters()
  const { types, calendar_ids, agent_ids } = values
  const filter: ChangeFilter = {
    ...(types && { types }),
    ...(calendar_ids && { calendar_ids }),
    ...(agent_ids && { agent_ids }),
  }
  const [isLive, setIsLive] = useState(true)
  const { entries, error, readOn, readOldest } = useTail(filter, isLive)
  const { agents, calendars, findAgents, findCalendars } = useChoices()
  return (
    <Screen
      heading={texts.changes}
      actions={
        <>
          <Switch label={texts.live} isOn={isLive} least="viewer" turn={async (next) => setIsLive(next)} />
          <button type="button" className="quiet" onClick={() => readOldest()}>
            {texts.fromTheOldest}
          </button>
        </>
      }
    >
      <div className="filters">
        <PickerFilter
          label={texts.types}
          options={changeTypes}
          several
          value={types}
          choose={(types) => set({ types })}
        />
        <PickerFilter
          label={texts.calendars}
          options={calendars}
          find={findCalendars}
          several
          value={calendar_ids}
          choose={(calendar_ids) => set({ calendar_ids })}
        />
        <PickerFilter
          label={texts.agents}
          options={agents}
          find={findAgents}
          several
          value={agent_ids}
          choose={(agent_ids) => set({ agent_ids })}
        />
      </div>
      {error !== undefined && <Refused error={error} again={() => readOldest()} />}
      {readOn && (
        <p>
          <button type="button" className="quiet" onClick={readOn}>
            {texts.readOn}
          </button>
        </p>
      )}
      <Table
        label={texts.changes}
        rows={entries.filter((entry) => isShown(entry, filter))}
        idOf={({ id }) => id}
        columns={[
          { head: texts.type, cell: ({ type }) => type },
          { head: texts.resource, cell: ({ resource }) => <Resource id={resource.id} /> },
          { head: texts.at, cell: ({ at }) => <Moment at={at} /> },
          { head: texts.cause, cell: ({ cause }) => cause, isMinor: true },
          { head: texts.who, cell: ({ actor }) => actor?.key_prefix && <code>{actor.key_prefix}</code>, isMinor: true },
          { head: texts.payload, cell: (entry) => <Payload of={entry} /> },
        ]}
        empty={
          <>
            <p>{texts.none(texts.changes)}</p>
            <p className="hint">{texts.waitingForChanges}</p>
          </>
        }
      />
    </Screen>
  )
}

const Payload = ({ of }: { of: Change }) => (
  <DialogButton label={texts.showPayload(nameOf(of))} shown={texts.payload} least="viewer" className="quiet small">
    {(close) => {
      const text = of.payload ? JSON.stringify(of.payload, null, 2) : ''
      return (
        <div className="stack">
          {text ? <pre>{text}</pre> : <p>{texts.noPayload}</p>}
          <div className="actions">
            {text && <CopyButton text={text} />}
            <button type="button" className="quiet" onClick={close}>
              {texts.cancel}
            </button>
          </div>
        </div>
      )
    }}
  </DialogButton>
)
