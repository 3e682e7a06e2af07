// Placing holds on several calendars at once: each requirement gets what it needs, or nothing happens. The choice is made from what
// all listed calendars are at one moment, and written only if none of them has changed since.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { onCalendars } from '../calendars/onCalendar.ts'
import type { SeenCalendar } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { invalid } from '../errors.ts'
import { descriptionContext, type GroupRecord, presentGroup, titleContext } from '../holdGroups/present.ts'
import type { GroupRow } from '../holdGroups/queries.ts'
import { chooseCalendars } from '../holdGroups/rules.ts'
import type { CreateGroupBody } from '../holdGroups/schema.ts'
import { insertGroup } from '../holdGroups/writes.ts'
import { countDay, isOldCount, withinDay } from '../quotas/keyDays.ts'
import { dayMs, hourMs } from '../shapes/durations.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { setOnlyTimer } from '../timers/writes.ts'
import { type Emission, emitOverCalendars } from '../webhooks/emit.ts'
import { type Answered, type Asked, answersOf, askedOf, ownersOf, seenCalendars } from './groupAnswers.ts'
import { groupRefusal } from './groupRefusal.ts'
import { mustBeFree, requireAllowedGroup, requireFewHolds } from './guarded.ts'
import { changeMany } from './manyCalendars.ts'
import { type Planned, planEvent } from './plan.ts'
import type { CalendarEvent } from './queries.ts'
import { isHoldLengthAllowed } from './rules.ts'
import { withEventsUpTo } from './spending.ts'
import { groupEmission, type Yielding, yieldingHolds } from './yielding.ts'

const maxRenewalMs = dayMs
const usualRenewalMs = 4 * hourMs

export async function createHoldGroup(
  app: App,
  actor: Actor,
  sent: CreateGroupBody,
  { explain }: { explain: boolean },
): Promise<GroupRecord> {
  const body = mustBeFree(actor) ? { ...sent, require_free: true } : sent
  requireTimes(body, app.clock.now())
  const asked = askedOf(actor, body)
  requireAllowedGroup(actor, asked, body, app.clock.now())
  const max = body.requirements.reduce((sum, { need, spare }) => sum + need + (body.confirm ? 0 : spare), 0)
  const tryOnce = () => placeGroup(app, actor, asked, body, explain)
  // Most groups that meet others are refused: they need not wait for turns.
  const place = async () => {
    const placed = await tryOnce()
    const calendarIds = asked.map(({ calendarId }) => calendarId)
    return placed === again ? onCalendars(app, calendarIds, tryOnce) : placed
  }
  const { group } = await withEventsUpTo(app, actor, max, () =>
    withinDay(app, actor, body.confirm ? 'events' : 'holds', place),
  )
  return group
}

function requireTimes({ confirm, hold_expires_at: expiresAt, renew_until: until }: CreateGroupBody, now: Date): void {
  if (!confirm && !isHoldLengthAllowed(expiresAt!, now))
    throw invalid('hold_expires_at: must lie 30 seconds to 15 minutes ahead', 'hold_expires_at')
  if (until && until.getTime() - now.getTime() > maxRenewalMs)
    throw invalid('renew_until: must lie at most 24 hours ahead', 'renew_until')
}

type Placed = { group: GroupRecord; made: number }

async function placeGroup(
  app: App,
  actor: Actor,
  asked: readonly Asked[],
  body: CreateGroupBody,
  explain: boolean,
): Promise<Placed | typeof again> {
  const now = app.clock.now()
  const answers = await answersOf(app, actor, asked, body, now)
  if (answers === again) return again
  const chosen = body.requirements.map((one, nth) =>
    chooseCalendars(
      answers.filter(({ requirement }) => requirement === nth),
      { need: one.need, spare: body.confirm ? 0 : one.spare },
    ),
  )
  if (!areAllMet(chosen)) {
    const unmet = chosen.flatMap((one, nth) => (one ? [] : [nth]))
    throw await groupRefusal(app, { answers, unmet, body, explain }, now)
  }
  const losers = chosen.flat().flatMap(({ yields }) => yields.map(({ id }) => id))
  const yielding = await yieldingHolds(app, actor.orgId, losers, now)
  if (yielding === again) return again
  return writeGroup(app, actor, { body, answers, chosen, yielding, now })
}

const areAllMet = (chosen: readonly (Answered[] | undefined)[]): chosen is Answered[][] => !chosen.includes(undefined)

type Choice = {
  body: CreateGroupBody
  answers: readonly Answered[]
  /** Of each requirement. */
  chosen: readonly Answered[][]
  yielding: Yielding
  now: Date
}

async function writeGroup(app: App, actor: Actor, choice: Choice): Promise<Placed | typeof again> {
  const { body, answers, chosen, yielding, now } = choice
  const id = newId()
  const members = chosen.map((ones) => ones.map((one) => planMember(app, actor, id, one, choice)))
  const all = members.flat()
  const seenHolds = body.confirm ? undefined : await requireFewHolds(app, actor, now, all.length)
  const row = groupRow(app, actor, id, choice, members)
  const group = presentGroup(
    app,
    row,
    all.map(({ member }) => member),
    now,
  )
  const emissions = [
    ...yielding.emissions,
    ...all.map(
      ({ event, row: { status } }): Emission => ({
        type: status === 'hold' ? 'event.hold_created' : 'event.created',
        payload: { calendar_id: event.calendarId, event },
      }),
    ),
    groupEmission(
      app,
      body.confirm ? 'hold_group.confirmed' : 'hold_group.created',
      row,
      all.map(({ member }) => member),
      now,
    ),
  ]
  const { steps, guard, effects } = changeMany(app, {
    orgId: actor.orgId,
    calendars: together(seenCalendars(answers), yielding.calendars),
    groups: yielding.groups,
    placed: all.map(({ row: event }) => event),
    ended: yielding.ended,
    now,
  })
  if (actor.request.dryRun) actor.request.dryRun.spends.events = all.length
  const made = body.confirm ? { events: all.length } : { holds: all.length }
  const day = countDay(app, actor, made, seenHolds)
  const { matched } = await commit(app, {
    ...{ steps, guard },
    effects: [
      ...effects,
      insertGroup(app.sql, row),
      day,
      row.holdExpiresAt
        ? setOnlyTimer(
            app,
            { orgId: row.orgId, id, calendarId: all[0]!.row.calendarId },
            'hold_group_expiry',
            row.holdExpiresAt,
          )
        : undefined,
      ...emitOverCalendars(app, byActor(actor), emissions),
      auditEntries(
        app,
        all.map(({ event }) => ({ actor, action: 'event.create', resource: event.id })),
      ),
      storeResponse(app, actor, group, { made: [group.id, ...all.map(({ event }) => event.id)], after: day }),
    ],
  }).catch((error) => {
    if (isOldCount(error)) return { matched: false }
    throw error
  })
  return matched ? { group, made: all.length } : again
}

/** The read of a calendar counts, whatever else must be locked. */
const together = (seen: readonly SeenCalendar[], others: readonly SeenCalendar[]): SeenCalendar[] => [
  ...new Map([...others, ...seen].map((one) => [one.id, one])).values(),
]

type Member = Planned & { member: CalendarEvent }

function planMember(app: App, actor: Actor, groupId: Uuid, one: Answered, { body, now }: Choice): Member {
  const { startTime, endTime, calendarId, calendar } = one
  const status = body.confirm ? 'confirmed' : 'hold'
  const renewUntil = renewableUntil(body, now)
  const planned = planEvent(
    app,
    actor,
    calendarId,
    {
      ...{ title: body.title, start_time: startTime, end_time: endTime, all_day: false, status },
      ...(body.description !== undefined && { description: body.description }),
      ...(body.metadata && { metadata: body.metadata }),
      ...(!body.confirm && { hold_expires_at: body.hold_expires_at, hold_priority: body.hold_priority }),
    },
    now,
    // The change grants it, and counts up the holds of its calendar.
    { holdGroupId: groupId, renewUntil, holdFence: renewUntil && calendar.holdsRevision + 1 },
  )
  return { ...planned, member: { ...planned.row, agentId: calendar.agentId, isOpen: true, isRemoved: false } }
}

const renewableUntil = ({ renewable, renew_until: until }: CreateGroupBody, now: Date): Date | null =>
  renewable ? (until ?? new Date(now.getTime() + usualRenewalMs)) : null

function groupRow(
  { sealer }: App,
  { orgId }: Actor,
  id: Uuid,
  { body, chosen, now }: Choice,
  members: readonly (readonly Planned[])[],
): GroupRow {
  return {
    ...{ orgId, id, agentId: ownersOf(chosen.flat().map(({ calendar }) => calendar)) },
    titleSealed: sealer.seal(titleContext(id), body.title),
    descriptionSealed: body.description === undefined ? null : sealer.seal(descriptionContext(id), body.description),
    metadata: body.metadata ?? {},
    ...{ startTime: body.start_time, endTime: body.end_time },
    ...{ status: body.confirm ? 'confirmed' : 'held', reason: null },
    holdExpiresAt: body.hold_expires_at ?? null,
    ...{ holdPriority: body.hold_priority, requireFree: body.require_free, renewUntil: renewableUntil(body, now) },
    requirements: body.requirements.map(({ need, spare }, nth) => ({
      ...{ need, spare, members: members[nth]!.map(({ row }) => row.id) },
    })),
    ...{ revision: 0, createdAt: now, updatedAt: now },
  }
}
