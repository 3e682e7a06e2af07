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

/** Changes that a person may have to approve. */
export const approvable = [
  'event.create',
  'event.update',
  'event.delete',
  'hold.create',
  'hold.confirm',
  'calendar.update',
  'calendar.delete',
] as const
type Approvable = (typeof approvable)[number]

export type GuardrailValues = {
  read_only: boolean
  require_free: boolean
  calendar_ids: readonly string[]
  approval: 'never' | 'all' | 'chosen'
  approval_on: readonly Approvable[]
  approver: 'session' | 'link'
} & Record<Limit, string>

export const guardrailValues = (guardrails: KeyGuardrails = {}): GuardrailValues => ({
  read_only: guardrails.read_only ?? false,
  require_free: guardrails.require_free ?? false,
  calendar_ids: guardrails.calendar_ids ?? [],
  approval: !guardrails.approval ? 'never' : guardrails.approval.on === 'all' ? 'all' : 'chosen',
  approval_on: guardrails.approval && guardrails.approval.on !== 'all' ? guardrails.approval.on : [],
  approver: guardrails.approval?.approver ?? 'session',
  ...(Object.fromEntries(limits.map((name) => [name, String(guardrails[name] ?? '')])) as Record<Limit, string>),
})

/** As the API takes them: how long a person may take has a usual value. */
type Guardrails = Omit<KeyGuardrails, 'approval'> & {
  approval?: Pick<NonNullable<KeyGuardrails['approval']>, 'on' | 'approver'> & { expires_in_minutes?: number }
}

/** Those that the form does not show stay. Undefined without any. */
export function guardrailsOf(values: GuardrailValues, before: KeyGuardrails = {}): Guardrails | undefined {
  const { read_only: _r, require_free: _f, calendar_ids: _c, approval: _a, ...rest } = before
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !limits.includes(name as Limit)))
  const numbers = limits.filter((name) => values[name] !== '').map((name) => [name, Number(values[name])])
  const guardrails: Guardrails = {
    ...kept,
    ...(values.read_only && { read_only: true }),
    ...(values.require_free && { require_free: true }),
    ...(values.calendar_ids.length > 0 && { calendar_ids: [...values.calendar_ids] }),
    ...(values.approval !== 'never' && {
      approval: {
        // How long a person may take stays as it was.
        ...before.approval,
        on: values.approval === 'all' ? 'all' : [...values.approval_on],
        approver: values.approver,
      },
    }),
    ...Object.fromEntries(numbers),
  }
  return Object.keys(guardrails).length > 0 ? guardrails : undefined
}
