// The types that only the change feed has. The webhook events, which it has as well, are in `webhooks/catalog.ts`.

export const feedTypes = [
  'event.hold_renewed',
  'agent.decommissioned',
  'calendar.created',
  'calendar.updated',
  'calendar.deleted',
  'calendar.imported',
  'availability_rules.set',
  'availability_rules.removed',
  'booking_page.created',
  'booking_page.updated',
  'booking_page.removed',
  'ical_subscription.created',
  'ical_subscription.updated',
  'ical_subscription.removed',
] as const
export type FeedType = (typeof feedTypes)[number]

const all: ReadonlySet<string> = new Set(feedTypes)
export const isFeedType = (type: string): boolean => all.has(type)
