import { webhookTypes } from '../../../clients/typescript/src/entry.ts'
import { Input, PickerField, SwitchField } from '../../parts/fields.tsx'
import { useField } from '../../parts/form.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { texts } from '../../texts.ts'
import type { EventType } from './values.ts'

/** The fields of a webhook, new or not. */
export function WebhookFields() {
  const { calendars, agents, findAgents, findCalendars } = useChoices()
  return (
    <>
      <Input name="url" label={texts.address} type="url" autoFocus />
      <Events />
      <PickerField
        name="calendar_ids"
        label={texts.calendars}
        options={calendars}
        find={findCalendars}
        several
        hint={texts.allIfNone}
      />
      <PickerField
        name="agent_ids"
        label={texts.agents}
        options={agents}
        find={findAgents}
        several
        hint={texts.allIfNone}
      />
      <SwitchField name="standard" label={texts.standardHeaders} />
    </>
  )
}

function Events() {
  const { value, set, message } = useField<readonly EventType[]>('events')
  const toggle = (type: EventType, isOn: boolean) =>
    set(webhookTypes.filter((one) => (one === type ? isOn : value.includes(one))))
  return (
    <fieldset className="stack" aria-describedby={message ? 'events-wrong' : undefined}>
      <legend>{texts.eventTypes}</legend>
      <label className="check">
        <input
          type="checkbox"
          data-param="events"
          aria-invalid={message ? true : undefined}
          checked={webhookTypes.every((type) => value.includes(type))}
          onChange={(event) => set(event.target.checked ? webhookTypes : [])}
        />
        {texts.allEvents}
      </label>
      <div className="checks">
        {webhookTypes.map((type) => (
          <label key={type} className="check">
            <input
              type="checkbox"
              checked={value.includes(type)}
              onChange={(event) => toggle(type, event.target.checked)}
            />
            {type}
          </label>
        ))}
      </div>
      {message && (
        <p id="events-wrong" className="wrong">
          {message}
        </p>
      )}
    </fieldset>
  )
}
