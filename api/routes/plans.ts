import { offeredPlans } from '../../src/plans/catalog.ts'
import { planList } from '../../src/plans/schema.ts'
import { conditional } from '../http/conditional.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const planRoutes = [
  route({
    method: 'get',
    path: '/v1/plans',
    tag: 'Plans and usage',
    operationId: 'listPlans',
    summary: 'List the plans',
    description: prose(
      'May be cached; `If-None-Match` with the current ETag gets 304.',
      'A limit that is null is unlimited; `limits` that are null are negotiated.',
      "Prices are per month, in the currency's smallest unit.",
    ),
    access: 'public',
    perAddress: { name: 'plans', max: 60, windowMs: 60_000 },
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
