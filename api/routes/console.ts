// For the first screens of a console: which ways to sign in there are, and what a newcomer has done.
import { providerList, providersOf } from '../../src/accounts/providers.ts'
import { checklist, checklistOf } from '../../src/export/checklist.ts'
import { route } from '../http/route.ts'

const tag = 'Accounts'

export const consoleRoutes = [
  route({
    method: 'get',
    path: '/v1/auth/providers',
    tag,
    operationId: 'listProviders',
    summary: 'List the providers that are set up',
    description: 'Those that sign people in, and those whose calendars people can connect.',
    access: 'public',
    perAddress: { name: 'providers', max: 600, windowMs: 60_000 },
    success: { status: 200, schema: providerList },
    errors: [],
    run: async ({ app }) => providersOf(app),
  }),
  route({
    method: 'get',
    path: '/v1/auth/checklist',
    tag,
    operationId: 'getChecklist',
    summary: 'Read the first steps of the organization',
    description: 'Each step is true once it is done, by what exists now.',
    access: 'session',
    success: { status: 200, schema: checklist },
    errors: [],
    run: ({ app, actor }) => checklistOf(app, actor),
  }),
]
