import { usageOf } from '../../src/export/usage.ts'
import { usageRecord } from '../../src/export/usageSchema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    tag: 'Plans and usage',
    operationId: 'getUsage',
    summary: 'Read the usage of the plan',
    description: prose(
      'A null `limit` means unlimited.',
      '`events`, `api_calls`, `webhooks` (deliveries), `availability_queries` and `proposals`',
      'count what this period has used,',
      'this call included; the others count what exists now.',
      "A period is 30 days, counted from the organization's creation.",
    ),
    access: 'organization',
    success: { status: 200, schema: usageRecord },
    errors: [],
    run: ({ app, actor }) => usageOf(app, actor),
  }),
]
