// Groups that end by themselves: their time is up, or too few of their calendars are left.
import type { App } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { type GroupRow, heldGroups } from '../holdGroups/queries.ts'
import { memberIds } from '../holdGroups/read.ts'
import { type GroupReason, hasEnough, isGroupLapsed } from '../holdGroups/rules.ts'
import { seenGroup } from '../holdGroups/writes.ts'
import type { DueTimer, Fired } from '../timers/timers.ts'
import { setOnlyTimer } from '../timers/writes.ts'
import { emitOverCalendars } from '../webhooks/emit.ts'
import { changeMany, type EndedHold } from './manyCalendars.ts'
import { type CalendarEvent, eventsWithCalendars } from './queries.ts'
import { endEmissions, groupEmission, isHeld, membersOf } from './yielding.ts'

type WholeGroup = { group: GroupRow; members: readonly CalendarEvent[] }

/** A group of which too few calendars are left. False: it has changed since it was read. */
export const endGoneGroup = (app: App, whole: WholeGroup, now: Date): Promise<boolean> =>
  endByItself(app, whole, 'calendar_gone', now)

async function endByItself(app: App, { group, members }: WholeGroup, reason: GroupReason, now: Date): Promise<boolean> {
  const after: GroupRow = { ...group, status: 'expired', reason, updatedAt: now }
  const ended = members.filter(isHeld).map((hold): EndedHold => ({ hold, outcome: 'expired' }))
  const { steps, guard, effects } = changeMany(app, {
    orgId: group.orgId,
    calendars: ended.map(({ hold }) => ({ id: hold.calendarId, mustBeOpen: false })),
    groups: [{ before: group, after }],
    ended,
    now,
  })
  const emissions =
    ended.length > 0
      ? endEmissions(app, ended, [{ after, own: members }], now)
      : [groupEmission(app, 'hold_group.expired', after, members, now)]
  const { matched } = await commit(app, {
    ...{ steps, guard },
    effects: [...effects, ...emitOverCalendars(app, byItself(group.orgId, 'timer'), emissions)],
  })
  return matched
}

const maxAtOnce = 8

/** Judges a block of groups whose timers are due. A group that another change has locked at this moment is judged later. */
export async function expireHoldGroups(app: App, due: readonly DueTimer[]): Promise<Fired> {
  const groups = new Map((await heldGroups(app.sql, due)).map((group) => [group.id, group]))
  const live = due.filter(({ subjectId }) => groups.has(subjectId))
  const fired: DueTimer[] = []
  const later: DueTimer[] = []
  for (let from = 0; from < live.length; from += maxAtOnce) {
    const block = live.slice(from, from + maxAtOnce)
    const outcomes = await Promise.all(block.map((timer) => judgeGroup(app, groups.get(timer.subjectId)!, timer)))
    for (const [nth, isDone] of outcomes.entries()) (isDone ? fired : later).push(block[nth]!)
  }
  return { fired, later, stale: due.filter(({ subjectId }) => !groups.has(subjectId)) }
}

/** False: it has changed since it was read. */
async function judgeGroup(app: App, group: GroupRow, timer: DueTimer): Promise<boolean> {
  const now = app.clock.now()
  const members = membersOf(group, await eventsWithCalendars(app.sql, group.orgId, memberIds(group)))
  const isUp = timer.dueAt >= group.holdExpiresAt! || isGroupLapsed(group, now)
  if (isUp) return endByItself(app, { group, members }, 'lapsed', now)
  const isLiving = (id: string) => members.some((one) => one.id === id && isHeld(one) && one.isOpen)
  if (!hasEnough(group.requirements, isLiving)) return endGoneGroup(app, { group, members }, now)
  const { matched } = await commit(app, {
    guard: seenGroup(app.sql, group),
    effects: [setOnlyTimer(app, { ...group, calendarId: timer.calendarId }, 'hold_group_expiry', group.holdExpiresAt!)],
  })
  return matched
}
