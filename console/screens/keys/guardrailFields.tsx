import { Check, Input, PickerField, Select } from '../../parts/fields.tsx'
import { useField } from '../../parts/form.tsx'
import { optionsOf } from '../../parts/options.ts'
import { useChoices } from '../../parts/useChoices.ts'
import { texts } from '../../texts.ts'
import { approvable, type Limit } from './guardrails.ts'

const limits = Object.entries(texts.guardrailLimits) as [Limit, string][]

export function GuardrailFields() {
  const { calendars, findCalendars } = useChoices()
  return (
    <fieldset className="stack">
      <legend>{texts.guardrails}</legend>
      <Check name="read_only" param="guardrails.read_only" label={texts.readOnly} />
      <Check name="require_free" param="guardrails.require_free" label={texts.onlyFree} />
      <div className="row wide">
        {limits.map(([name, label]) => (
          <Input key={name} name={name} param={`guardrails.${name}`} label={label} type="number" min={0} />
        ))}
      </div>
      <PickerField
        name="calendar_ids"
        param="guardrails.calendar_ids"
        label={texts.calendars}
        options={calendars}
        find={findCalendars}
        several
        hint={texts.allIfNone}
      />
      <Approval />
    </fieldset>
  )
}

const kinds = optionsOf(texts.askForApprovalKinds)
const approvers = optionsOf(texts.approvers)

/** Which changes wait for a person. */
function Approval() {
  const { value: kind } = useField<string>('approval')
  const on = useField<readonly string[]>('approval_on', 'guardrails.approval.on')
  return (
    <>
      <div className="row">
        <Select name="approval" label={texts.askForApproval} options={kinds} />
        {kind !== 'never' && (
          <Select name="approver" param="guardrails.approval.approver" label={texts.approvedBy} options={approvers} />
        )}
      </div>
      {kind === 'chosen' && (
        <fieldset className="checks">
          <legend>{texts.chosenChanges}</legend>
          {approvable.map((action) => (
            <label key={action} className="radio">
              <input
                type="checkbox"
                data-param={on.param}
                checked={on.value.includes(action)}
                onChange={(event) =>
                  on.set(event.target.checked ? [...on.value, action] : on.value.filter((one) => one !== action))
                }
              />
              {action}
            </label>
          ))}
          {on.message && <p className="wrong">{on.message}</p>}
        </fieldset>
      )}
    </>
  )
}
