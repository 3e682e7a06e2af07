// Every route of the service.
import type { Route } from './route.ts'
import { adminRoutes } from './routes/admin.ts'
import { agentRoutes } from './routes/agents.ts'
import { availabilityRoutes } from './routes/availability.ts'
import { calendarRoutes } from './routes/calendars.ts'
import { eventRoutes } from './routes/events.ts'
import { keyRoutes } from './routes/keys.ts'
import { proposalRoutes } from './routes/proposals.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export const routes: readonly Route[] = [
  ...agentRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...availabilityRoutes,
  ...keyRoutes,
  ...proposalRoutes,
  ...webhookRoutes,
  ...adminRoutes,
]
