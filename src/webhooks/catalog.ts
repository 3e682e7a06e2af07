// The webhook events of the service.

export const eventTypes = [
  'agent.created',
  'agent.updated',
  'event.created',
  'event.updated',
  'event.deleted',
  'event.started',
  'event.ended',
  'event.reminder',
  'event.hold_created',
  'event.hold_expired',
  'event.hold_released',
  'event.hold_confirmed',
  'proposal.created',
  'proposal.responded',
  'proposal.confirmed',
  'proposal.cancelled',
  'proposal.expired',
  'webhook.deactivated',
  'approval.requested',
  'approval.decided',
  'hold_group.created',
  'hold_group.confirmed',
  'hold_group.released',
  'hold_group.expired',
] as const
export type EventType = (typeof eventTypes)[number]
