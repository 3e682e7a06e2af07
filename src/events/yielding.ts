// Holds that yield to a higher one. One of a group ends alone while every requirement of its group has enough others; otherwise it
// takes the whole group along, whatever calendars that is on.
import type { App } from '../app.ts'
import type { SeenCalendar } from '../calendars/writes.ts'
import { again } from '../commit/decide.ts'
import { presentGroup } from '../holdGroups/present.ts'
import { type GroupRow, groupsById } from '../holdGroups/queries.ts'
import { memberIds } from '../holdGroups/read.ts'
import { hasEnough } from '../holdGroups/rules.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Emission } from '../webhooks/emit.ts'
import { afterEnd, type ChangedGroup, type EndedHold } from './manyCalendars.ts'
import { type CalendarEvent, eventsWithCalendars } from './queries.ts'

export type Yielding = {
  ended: readonly EndedHold[]
  groups: readonly ChangedGroup[]
  /** Where they lie. */
  calendars: readonly SeenCalendar[]
  /** In the order in which they leave. */
  emissions: readonly Emission[]
}

const nothing: Yielding = { ended: [], groups: [], calendars: [], emissions: [] }

/** Everything that ends with these holds. `again`: one of them has ended meanwhile. */
export async function yieldingHolds(
  app: App,
  orgId: Uuid,
  ids: readonly Uuid[],
  now: Date,
): Promise<Yielding | typeof again> {
  if (ids.length === 0) return nothing
  const { sql } = app
  const losers = await eventsWithCalendars(sql, orgId, ids)
  if (losers.length < ids.length || !losers.every(isHeld)) return again
  const groupIds = [...new Set(losers.flatMap(({ holdGroupId }) => holdGroupId ?? []))]
  const groups = groupIds.length === 0 ? [] : await groupsById(sql, orgId, groupIds)
  const members = groups.length === 0 ? [] : await eventsWithCalendars(sql, orgId, groups.flatMap(memberIds))
  if (groups.some(({ status }) => status !== 'held')) return again
  const lost = new Set(ids)
  const changed = groups.map((group) => {
    const own = membersOf(group, members)
    const isLiving = (id: Uuid) => own.some((one) => one.id === id && isHeld(one) && one.isOpen && !lost.has(id))
    const isKept = hasEnough(group.requirements, isLiving)
    const after: GroupRow = isKept
      ? { ...group, updatedAt: now }
      : { ...group, status: 'expired', reason: 'preempted', updatedAt: now }
    return { before: group, after, own, isKept }
  })
  const along = changed.filter(({ isKept }) => !isKept).flatMap(({ own }) => own.filter(isHeld))
  const ended = [...new Map([...losers, ...along].map((hold) => [hold.id, hold])).values()]
    .sort((a, b) => a.startTime.getTime() - b.startTime.getTime() || (a.id < b.id ? -1 : 1))
    .map((hold): EndedHold => ({ hold, outcome: 'preempted' }))
  return {
    ended,
    groups: changed,
    calendars: [...new Set(ended.map(({ hold }) => hold.calendarId))].map((id) => ({ id, mustBeOpen: false })),
    emissions: endEmissions(app, ended, changed, now),
  }
}

export const isHeld = ({ status, isRemoved }: CalendarEvent): boolean => status === 'hold' && !isRemoved

export const membersOf = (group: GroupRow, events: readonly CalendarEvent[]): CalendarEvent[] => {
  const byId = new Map(events.map((event) => [event.id, event]))
  return memberIds(group).flatMap((id) => byId.get(id) ?? [])
}

type EndedGroup = { after: GroupRow; own: readonly CalendarEvent[] }

/** The end of each hold; that of a group follows the end of its last member. */
export function endEmissions(
  app: App,
  ended: readonly EndedHold[],
  groups: readonly EndedGroup[],
  now: Date,
): Emission[] {
  const settled = new Map(ended.map((one) => [one.hold.id, afterEnd(one, now)]))
  const left = new Map(ended.map(({ hold }) => [hold.id, hold.holdGroupId]))
  const endOf = (groupId: Uuid | null): Emission[] => {
    const group = groups.find(({ after }) => after.id === groupId && after.status !== 'held')
    if (!group || [...left.values()].includes(groupId)) return []
    return [
      groupEmission(
        app,
        'hold_group.expired',
        group.after,
        group.own.map((one) => settled.get(one.id) ?? one),
        now,
      ),
    ]
  }
  return ended.flatMap(({ hold }) => {
    left.delete(hold.id)
    return [expired(hold), ...endOf(hold.holdGroupId)]
  })
}

const expired = ({ id, calendarId }: CalendarEvent): Emission => ({
  type: 'event.hold_expired',
  payload: { calendar_id: encodeId('cal', calendarId), event_id: encodeId('evt', id) },
})

type GroupEvent = 'hold_group.created' | 'hold_group.confirmed' | 'hold_group.released' | 'hold_group.expired'

export const groupEmission = (
  app: App,
  type: GroupEvent,
  group: GroupRow,
  members: readonly CalendarEvent[],
  now: Date,
): Emission => ({
  type,
  payload: { hold_group: presentGroup(app, group, members, now) },
  agentId: group.agentId,
  participantIds: [...new Set(members.flatMap(({ agentId }) => agentId ?? []))],
})
