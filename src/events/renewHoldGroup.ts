// Renewing a hold group: all its holds, and its timer, move together.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict, invalid } from '../errors.ts'
import { type GroupRecord, presentGroup } from '../holdGroups/present.ts'
import type { GroupRow } from '../holdGroups/queries.ts'
import type { RenewGroupBody } from '../holdGroups/schema.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { setOnlyTimer } from '../timers/writes.ts'
import { type Emission, emitOverCalendars } from '../webhooks/emit.ts'
import { onHeldGroup } from './endHoldGroup.ts'
import { changeMany } from './manyCalendars.ts'
import { presentEvent } from './present.ts'
import { isHoldLengthAllowed } from './rules.ts'
import { postponeHolds } from './writes.ts'
import { isHeld } from './yielding.ts'

const param = 'hold_expires_at'

export function renewHoldGroup(
  app: App,
  actor: Actor,
  id: string,
  { hold_expires_at: holdExpiresAt }: RenewGroupBody,
): Promise<GroupRecord> {
  if (!isHoldLengthAllowed(holdExpiresAt, app.clock.now()))
    throw invalid(`${param}: must lie 30 seconds to 15 minutes ahead`, param)
  return onHeldGroup(app, actor, id, async ({ group, members }, now) => {
    requireRenewable(group, holdExpiresAt)
    const after: GroupRow = { ...group, holdExpiresAt, updatedAt: now }
    const shown = members.map((one) => (isHeld(one) ? { ...one, holdExpiresAt, updatedAt: now } : one))
    const renewed = shown.filter(isHeld)
    const record = presentGroup(app, after, shown, now)
    const { steps, guard, effects } = changeMany(app, {
      orgId: actor.orgId,
      calendars: renewed.map(({ calendarId }) => ({ id: calendarId, mustBeOpen: false })),
      groups: [{ before: group, after }],
      renewed,
      now,
    })
    return commitOrAgain(
      app,
      {
        ...{ steps, guard },
        effects: [
          ...effects,
          postponeHolds(
            app,
            actor.orgId,
            renewed.map((one) => one.id),
            holdExpiresAt,
            now,
          ),
          setOnlyTimer(app, { ...after, calendarId: members[0]!.calendarId }, 'hold_group_expiry', holdExpiresAt),
          ...emitOverCalendars(
            app,
            byActor(actor),
            renewed.map(
              (one): Emission => ({
                type: 'event.hold_renewed',
                payload: { calendar_id: encodeId('cal', one.calendarId), event: presentEvent(app, one, now) },
              }),
            ),
          ),
          auditEntries(
            app,
            renewed.map((one) => ({ actor, action: 'event.update', resource: encodeId('evt', one.id) })),
          ),
          storeResponse(app, actor, record),
        ],
      },
      record,
    )
  })
}

function requireRenewable({ renewUntil, holdExpiresAt: before }: GroupRow, holdExpiresAt: Date): void {
  if (!renewUntil) throw conflict('This group was not placed with renewable: true.', 'not_renewable')
  if (holdExpiresAt < before!) throw invalid(`${param}: must not be earlier than it is`, param)
  if (holdExpiresAt > renewUntil) throw invalid(`${param}: must not be after renew_until`, param)
}
