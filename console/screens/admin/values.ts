// The plan of an organization as the form of the administrator has it. Pure.
import type { OrganizationDetail } from '../../../clients/typescript/src/entry.ts'
import { numberOf } from '../../parts/numbers.ts'
import { wordOptions } from '../../parts/options.ts'

type Limits = OrganizationDetail['limits']
export type LimitName = keyof Limits

export type PlanValues = { plan: string; rate: string; limits: Record<LimitName, string> }

const given = ['free', 'pro', 'custom'] as const

/** An organization that an agent signed up has a plan that is never given by hand. */
export const planOptions = (current?: string) => wordOptions([...new Set([...(current ? [current] : []), ...given])])

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))
const orNull = (text: string): number | null => (text.trim() === '' ? null : numberOf(text))

const mapped = <A, B>(limits: Record<LimitName, A>, to: (value: A) => B) =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, to(value as A)])) as Record<LimitName, B>

export const valuesOf = ({ org, rate_limit_per_second, limits }: OrganizationDetail): PlanValues => ({
  plan: org.plan,
  rate: textOf(rate_limit_per_second),
  limits: mapped(limits, textOf),
})

/** Limits belong to a custom plan. The API replaces them as a whole. */
export function bodyOf({ plan, rate, limits }: Partial<PlanValues>, before: OrganizationDetail) {
  const isCustom = (plan ?? before.org.plan) === 'custom'
  return {
    ...(plan !== undefined && { plan: plan as (typeof given)[number] }),
    ...(rate !== undefined && { rate_limit_per_second: orNull(rate) }),
    ...(isCustom && (plan ?? limits) !== undefined && { limits: limits ? mapped(limits, orNull) : before.limits }),
  }
}
