// Guardrails between the API and the form, where a number is text and an empty field is no limit. Pure.
import type { KeyGuardrails } from '../../../clients/typescript/src/entry.ts'

const limits = [
  'max_minutes',
  'max_days_ahead',
  'min_notice_minutes',
  'max_hold_priority',
  'max_live_holds',
  'max_events_per_day',
  'max_holds_per_day',
] as const
export type Limit = (typeof limits)[number]

export type GuardrailValues = {
  read_only: boolean
  require_free: boolean
  calendar_ids: readonly string[]
} & Record<Limit, string>

export const guardrailValues = (guardrails: KeyGuardrails = {}): GuardrailValues => ({
  read_only: guardrails.read_only ?? false,
  require_free: guardrails.require_free ?? false,
  calendar_ids: guardrails.calendar_ids ?? [],
  ...(Object.fromEntries(limits.map((name) => [name, String(guardrails[name] ?? '')])) as Record<Limit, string>),
})

/** Those that the form does not show stay. Undefined without any. */
export function guardrailsOf(values: GuardrailValues, before: KeyGuardrails = {}): KeyGuardrails | undefined {
  const { read_only: _r, require_free: _f, calendar_ids: _c, ...rest } = before
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !limits.includes(name as Limit)))
  const numbers = limits.filter((name) => values[name] !== '').map((name) => [name, Number(values[name])])
  const guardrails: KeyGuardrails = {
    ...kept,
    ...(values.read_only && { read_only: true }),
    ...(values.require_free && { require_free: true }),
    ...(values.calendar_ids.length > 0 && { calendar_ids: [...values.calendar_ids] }),
    ...Object.fromEntries(numbers),
  }
  return Object.keys(guardrails).length > 0 ? guardrails : undefined
}
