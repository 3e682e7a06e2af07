import { Check, Input, PickerField } from '../../parts/fields.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { texts } from '../../texts.ts'
import type { Limit } from './guardrails.ts'

const limits = Object.entries(texts.guardrailLimits) as [Limit, string][]

export function GuardrailFields() {
  const { calendars } = useChoices()
  return (
    <fieldset className="stack">
      <legend>{texts.guardrails}</legend>
      <Check name="read_only" param="guardrails.read_only" label={texts.readOnly} />
      <Check name="require_free" param="guardrails.require_free" label={texts.onlyFree} />
      <div className="row">
        {limits.map(([name, label]) => (
          <Input key={name} name={name} param={`guardrails.${name}`} label={label} type="number" min={0} />
        ))}
      </div>
      <PickerField
        name="calendar_ids"
        param="guardrails.calendar_ids"
        label={texts.calendars}
        options={calendars}
        several
        hint={texts.allIfNone}
      />
    </fieldset>
  )
}
