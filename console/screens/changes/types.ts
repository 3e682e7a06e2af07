// The types of changes, and which of them a person looks at. Pure.
import type { Change } from '../../../clients/typescript/src/entry.ts'

/** Each type stands here, or it does not compile. */
const all: Record<Change['type'], true> = {
  'agent.created': true,
  'agent.updated': true,
  'agent.decommissioned': true,
  'approval.decided': true,
  'approval.requested': true,
  'availability_source.interrupted': true,
  'availability_source.restored': true,
  'availability_rules.removed': true,
  'availability_rules.set': true,
  'booking_page.created': true,
  'booking_page.removed': true,
  'booking_page.updated': true,
  'calendar.created': true,
  'calendar.deleted': true,
  'calendar.imported': true,
  'calendar.updated': true,
  'connection_link.completed': true,
  'connection_link.ended': true,
  'event.created': true,
  'event.deleted': true,
  'event.ended': true,
  'event.hold_confirmed': true,
  'event.hold_created': true,
  'event.hold_expired': true,
  'event.hold_released': true,
  'event.hold_renewed': true,
  'event.reminder': true,
  'event.started': true,
  'event.updated': true,
  'hold_group.confirmed': true,
  'hold_group.created': true,
  'hold_group.expired': true,
  'hold_group.released': true,
  'ical_subscription.created': true,
  'ical_subscription.removed': true,
  'ical_subscription.updated': true,
  'proposal.cancelled': true,
  'proposal.confirmed': true,
  'proposal.created': true,
  'proposal.expired': true,
  'proposal.responded': true,
  'webhook.deactivated': true,
}

export const changeTypes = Object.keys(all)
  .toSorted()
  .map((value) => ({ value, label: value }))

/** Lists with commas, as in the address. */
export type ChangeFilter = { types?: string; calendar_ids?: string; agent_ids?: string }

/** As the API filters: every list that is given must name it. */
export function isShown({ type, calendar_id, agent_id }: Change, filter: ChangeFilter): boolean {
  const names = (list: string | undefined, one: string | null) => !list || list.split(',').includes(one ?? '')
  return names(filter.types, type) && names(filter.calendar_ids, calendar_id) && names(filter.agent_ids, agent_id)
}

/** Newest first. */
export const maxKept = 500
export const withNewer = (kept: readonly Change[], newer: readonly Change[]): readonly Change[] => {
  const known = new Set(kept.map(({ id }) => id))
  return [...newer.filter(({ id }) => !known.has(id)).toReversed(), ...kept].slice(0, maxKept)
}

/** The name of an entry: the id of its change, with a place only where the change has several. */
export const nameOf = ({ id, change_id, position }: Change): string => (position === 0 ? change_id : id)
