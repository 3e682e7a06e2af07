import type { Route } from '../../http/route.ts'
import { agentRoutes } from '../../routes/agents.ts'
import { auditLogRoutes } from '../../routes/auditLog.ts'
import { availabilityRoutes } from '../../routes/availability.ts'
import { bookingRoutes } from '../../routes/booking.ts'
import { calendarRoutes } from '../../routes/calendars.ts'
import { eventRoutes } from '../../routes/events.ts'
import { feedbackRoutes } from '../../routes/feedback.ts'
import { holdGroupRoutes } from '../../routes/holdGroups.ts'
import { icalRoutes } from '../../routes/ical.ts'
import { keyRoutes } from '../../routes/keys.ts'
import { proposalRoutes } from '../../routes/proposals.ts'
import { trashRoutes } from '../../routes/trash.ts'
import { usageRoutes } from '../../routes/usage.ts'
import { webhookRoutes } from '../../routes/webhooks.ts'

const all: readonly Route[] = [
  ...agentRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...trashRoutes,
  ...holdGroupRoutes,
  ...availabilityRoutes,
  ...keyRoutes,
  ...proposalRoutes,
  ...icalRoutes,
  ...bookingRoutes,
  ...webhookRoutes,
  ...usageRoutes,
  ...auditLogRoutes,
  ...feedbackRoutes,
]

const byName = new Map(all.map((route) => [route.operationId, route]))

/** A REST operation, by its `operationId`. */
export function routeNamed(operationId: string): Route {
  const route = byName.get(operationId)
  if (!route) throw new TypeError(`no route ${operationId}`)
  return route
}
