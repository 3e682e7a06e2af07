import { usageRecord } from '../../src/usage/schema.ts'
import { usageOf } from '../../src/usage/usage.ts'
import { route } from '../route.ts'

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    tag: 'Plans and usage',
    operationId: 'getUsage',
    summary: 'Read what was used of the plan',
    description:
      "`limit` null is unlimited. Agents, calendars, subscriptions and series count what is there now, the others what this period has consumed, this very call included. A period is 30 days, counted from the organization's creation.",
    access: 'organization',
    success: { status: 200, schema: usageRecord },
    errors: [],
    run: ({ app, actor }) => usageOf(app, actor),
  }),
]
