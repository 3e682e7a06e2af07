// Guardrails as a person reads them in a list. Pure.
import type { KeyGuardrails } from '../../../clients/typescript/src/entry.ts'
import { word } from '../../parts/times.ts'
import { texts } from '../../texts.ts'

type Limit = keyof typeof texts.guardrailLimits

/** One that is off does not guard. */
export const guardrailWords = (guardrails: KeyGuardrails = {}): readonly string[] =>
  Object.entries(guardrails).flatMap(([name, value]) => {
    if (value === false || value === undefined || name === 'timezone') return []
    if (name === 'read_only') return [texts.readOnly]
    if (name === 'require_free') return [texts.onlyFree]
    if (name === 'calendar_ids') return [texts.guardedCalendars((value as readonly string[]).length)]
    if (name === 'approval') return [texts.askForApproval]
    return name in texts.guardrailLimits ? [`${texts.guardrailLimits[name as Limit]}: ${value}`] : [word(name)]
  })
