import { usageRecord } from '../../src/usage/schema.ts'
import { usageOf } from '../../src/usage/usage.ts'
import { route } from '../route.ts'

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    tag: 'Plans and usage',
    summary: 'Read what was used of the plan',
    access: 'organization',
    success: { status: 200, schema: usageRecord },
    errors: [],
    run: ({ app, actor }) => usageOf(app, actor),
  }),
]
