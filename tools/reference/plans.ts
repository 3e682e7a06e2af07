import { features, limitNames, type PlanId, plans } from '../../src/plans/plans.ts'
import { code, page, table } from './markdown.ts'

const columns = Object.keys(plans) as PlanId[]

/** A custom plan's limits are agreed with each organization. */
const shown = (plan: PlanId, value: number | null): string => {
  if (value !== null) return value.toLocaleString('en')
  return plan === 'custom' ? 'agreed' : 'unlimited'
}

const waitOf = (seconds: number) => (seconds < 3600 ? `${seconds / 60}m` : `${seconds / 3600}h`)

const row = (name: string, textOf: (plan: PlanId) => string) => [name, ...columns.map(textOf)]

export const plansPage = (): string =>
  page(
    'Plans',
    '`src/plans/plans.ts`',
    'How limits are applied: [API](../api.md#plans). `GET /v1/plans` answers with the public plans, `GET /v1/usage` with what is used.',
    table(
      ['Limit', ...columns.map(code)],
      [
        row('requests per second and key', (plan) => shown(plan, plans[plan].requestsPerSecond)),
        ...limitNames.map((name) => row(code(name), (plan) => shown(plan, plans[plan].limits[name]))),
        row('attempts of a delivery', (plan) => String(plans[plan].retryScheduleSeconds.length + 1)),
        row('waits between them', (plan) => plans[plan].retryScheduleSeconds.map(waitOf).join(', ')),
        row('paid features', (plan) => (plans[plan].isPaid ? 'yes' : 'no')),
      ],
    ),
    `Paid features: ${features.map(code).join(', ')}.`,
    '`free-agent` and `free-agent-unverified` are the plans of agents that sign up by themselves: `free-agent-unverified` (the sandbox) until the address is proven, `free-agent` afterwards. An administrator gives `free`, `pro` and `custom`.',
  )
