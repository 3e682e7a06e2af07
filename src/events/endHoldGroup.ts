// Confirming and releasing a hold group: every member ends in the one statement.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { onCalendars } from '../calendars/onCalendar.ts'
import { byActor } from '../changeLog/origin.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { again } from '../commit/decide.ts'
import { conflict, invalid } from '../errors.ts'
import { type GroupRecord, presentGroup } from '../holdGroups/present.ts'
import type { GroupRow } from '../holdGroups/queries.ts'
import { memberIds, requireGroup } from '../holdGroups/read.ts'
import { chooseMembers, decideEndOfGroup, hasEnough } from '../holdGroups/rules.ts'
import type { ConfirmGroupBody } from '../holdGroups/schema.ts'
import { countDay, withinDay } from '../quotas/keyDays.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { type Emission, emitOverCalendars } from '../webhooks/emit.ts'
import { endGoneGroup } from './expireHoldGroups.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { afterEnd, changeMany, type EndedHold } from './manyCalendars.ts'
import { presentEvent } from './present.ts'
import { type CalendarEvent, eventsWithCalendars } from './queries.ts'
import { judgeEvent, notFree } from './requireFree.ts'
import { groupEmission, isHeld, membersOf } from './yielding.ts'

export const releaseHoldGroup = (app: App, actor: Actor, id: string): Promise<GroupRecord> =>
  onHeldGroup(app, actor, id, async ({ group, members }, now) => {
    const ended = members.filter(isHeld).map((hold): EndedHold => ({ hold, outcome: 'released' }))
    return writeEnd(app, actor, { group, members, ended, status: 'released' }, now)
  })

export const confirmHoldGroup = (
  app: App,
  actor: Actor,
  id: string,
  { choose }: ConfirmGroupBody,
  { explain }: { explain: boolean },
): Promise<GroupRecord> => withinDay(app, actor, 'events', () => confirm(app, actor, id, choose, explain))

const confirm = (
  app: App,
  actor: Actor,
  id: string,
  choose: readonly string[] | undefined,
  explain: boolean,
): Promise<GroupRecord> =>
  onHeldGroup(app, actor, id, async ({ group, members }, now) => {
    const living = members.filter((one) => isHeld(one) && one.isOpen)
    if (!hasEnough(group.requirements, (eventId) => living.some(({ id: one }) => one === eventId))) {
      if (!actor.request.dryRun && !(await endGoneGroup(app, { group, members }, now))) return again
      throw conflict(refusals.not_a_hold, 'not_a_hold')
    }
    const confirmed = chooseMembers(group.requirements, living, chosenIds(choose ?? []))
    if (!confirmed) throw badChoice()
    for (const member of confirmed) requireAllowedTimes(actor, member, now)
    const judged = group.requireFree || mustBeFree(actor) ? await judgeMembers(app, confirmed, explain, now) : []
    if (judged === again) return again
    const ended = members
      .filter(isHeld)
      .map((hold): EndedHold => ({ hold, outcome: confirmed.includes(hold) ? 'confirmed' : 'released' }))
    const end: End = { group, members, ended, status: 'confirmed', revisions: new Map(judged) }
    return writeEnd(app, actor, end, now)
  })

function chosenIds(choose: readonly string[]): Set<Uuid> {
  const ids = choose.map((text) => decodeId('cal', text))
  if (ids.includes(undefined)) throw badChoice()
  return new Set(ids as Uuid[])
}

const badChoice = () =>
  invalid('choose: must name calendars with a living hold of the group, at most `need` of each requirement', 'choose')

/** At which revisions of their calendars the members are free. Throws `not_free`. */
async function judgeMembers(
  app: App,
  members: readonly CalendarEvent[],
  explain: boolean,
  now: Date,
): Promise<(readonly [Uuid, number])[] | typeof again> {
  const verdicts = await Promise.all(
    members.map((one) => judgeEvent(app, one, { eventId: one.id }, 'availability', now)),
  )
  const revisions: (readonly [Uuid, number])[] = []
  for (const [nth, member] of members.entries()) {
    const verdict = verdicts[nth]
    if (!verdict) return again
    if (verdict.conflicts.length > 0) {
      const titled = { ...member, title: presentEvent(app, member, now).title }
      throw await notFree(app, titled, { eventId: member.id }, verdict, { free: 'availability', explain }, now)
    }
    revisions.push([member.calendarId, verdict.revision])
  }
  return revisions
}

type WholeGroup = {
  group: GroupRow
  /** In the order in which they were chosen. */
  members: readonly CalendarEvent[]
}

/** Runs `work` on a group that is held, in the turns of its calendars, and runs it again if something has changed. */
export async function onHeldGroup<T>(
  app: App,
  actor: Actor,
  id: string,
  work: (whole: WholeGroup, now: Date) => Promise<T | typeof again>,
): Promise<T> {
  const seen = await requireGroup(app, actor, id)
  const known = await eventsWithCalendars(app.sql, actor.orgId, memberIds(seen))
  const calendarIds = known.map(({ calendarId }) => calendarId)
  return onCalendars(app, calendarIds, async () => {
    const group = await requireGroup(app, actor, id)
    const now = app.clock.now()
    const decision = decideEndOfGroup(group, now)
    if (decision !== 'granted') throw conflict(refusals[decision], decision)
    const events = await eventsWithCalendars(app.sql, actor.orgId, memberIds(group))
    return work({ group, members: membersOf(group, events) }, now)
  })
}

const refusals = {
  hold_expired: 'The holds of this group have expired. Place a new group.',
  not_a_hold: 'This group holds nothing any more.',
}

type End = WholeGroup & {
  ended: readonly EndedHold[]
  status: 'confirmed' | 'released'
  /** Of calendars that were judged. */
  revisions?: ReadonlyMap<Uuid, number>
}

async function writeEnd(
  app: App,
  actor: Actor,
  { group, members, ended, status, revisions }: End,
  now: Date,
): Promise<GroupRecord | typeof again> {
  const after: GroupRow = { ...group, status, updatedAt: now }
  const settled = new Map(ended.map((one) => [one.hold.id, afterEnd(one, now)]))
  const shown = members.map((one) => settled.get(one.id) ?? one)
  const record = presentGroup(app, after, shown, now)
  const { steps, guard, effects } = changeMany(app, {
    orgId: actor.orgId,
    calendars: ended.map(({ hold, outcome }) => ({
      ...{ id: hold.calendarId, revision: revisions?.get(hold.calendarId), mustBeOpen: outcome === 'confirmed' },
    })),
    groups: [{ before: group, after }],
    ended,
    now,
  })
  const confirmed = ended.filter(({ outcome }) => outcome === 'confirmed')
  const day = countDay(app, actor, { events: confirmed.length })
  return commitOrAgain(
    app,
    {
      ...{ steps, guard },
      effects: [
        ...effects,
        ...emitOverCalendars(app, byActor(actor), [
          ...ended
            .filter(({ outcome }) => outcome === 'confirmed')
            .map((one) => confirmation(app, afterEnd(one, now), now)),
          ...ended.filter(({ outcome }) => outcome === 'released').map(({ hold }) => release(hold)),
          groupEmission(app, `hold_group.${status}`, after, shown, now),
        ]),
        auditEntries(
          app,
          ended.map(({ hold }) => ({ actor, action: 'event.update', resource: encodeId('evt', hold.id) })),
        ),
        day,
        storeResponse(app, actor, record, { after: day }),
      ],
    },
    record,
  )
}

const confirmation = (app: App, event: CalendarEvent, now: Date): Emission => ({
  type: 'event.hold_confirmed',
  payload: { calendar_id: encodeId('cal', event.calendarId), event: presentEvent(app, event, now) },
})

const release = ({ id, calendarId }: CalendarEvent): Emission => ({
  type: 'event.hold_released',
  payload: { calendar_id: encodeId('cal', calendarId), event_id: encodeId('evt', id) },
})
