import { offeredPlans } from '../../src/plans/catalog.ts'
import { planList } from '../../src/plans/schema.ts'
import { conditional } from '../http/conditional.ts'
import { route } from '../http/route.ts'

export const planRoutes = [
  route({
    method: 'get',
    path: '/v1/plans',
    tag: 'Plans and usage',
    operationId: 'listPlans',
    summary: 'List the plans',
    description:
      "May be cached; `If-None-Match` with the current ETag is answered with 304. A null among the limits is unlimited, a null in their place is negotiated; prices are in the currency's smallest unit, a month.",
    access: 'public',
    perAddress: { name: 'plans', most: 60, windowMs: 60_000 },
    success: { status: 200, schema: planList, headers: ['ETag', 'Cache-Control'] },
    also: [{ status: 304, description: 'Nothing has changed.', headers: ['ETag', 'Cache-Control'] }],
    errors: [],
    run: async ({ app, headers }) =>
      conditional(headers, kept, JSON.stringify({ plans: offeredPlans(`${app.config.baseUrl}/docs`) })),
  }),
]

const kept = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400',
}
