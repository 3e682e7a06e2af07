// The availability rules of a calendar: one record at most. Changing it is a change of the calendar and counts on its
// revision, which is what remembered answers go by.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendar, requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { bumpSeenCalendar, onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { badRequest, notFound } from '../errors.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { presentRules, type RulesRow } from './present.ts'
import { removedRules, rulesOfCalendar, upsertRules } from './queries.ts'
import { refuseRules } from './rules.ts'
import type { RulesBody } from './schema.ts'

export async function getRules(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  return presentRules(await requireRules(app, calendar))
}

/** Replaces the whole record; its identifier and the time of its creation stay. */
export async function setRules(app: App, actor: Actor, calendarId: string, body: RulesBody) {
  const refusal = refuseRules(body)
  if (refusal) throw badRequest(refusal.message, refusal.param)
  return onCalendar(requireCalendarId(calendarId), async () => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const [before] = await rulesOfCalendar(app.sql, calendar.orgId, calendar.id)
    const now = app.clock.now()
    const row: RulesRow = {
      orgId: calendar.orgId,
      calendarId: calendar.id,
      id: before?.id ?? newId(),
      bufferBeforeMinutes: body.buffer_before_minutes,
      bufferAfterMinutes: body.buffer_after_minutes,
      workingHours: body.working_hours,
      timezone: body.timezone,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    }
    const { matched } = await commitParts(app, bumpSeenCalendar(app, { ...row, revision: calendar.revision }, {}), {
      rules: upsertRules(app.sql, row),
      audit: auditEntry(app, actor, 'calendar.update', encodeId('cal', calendar.id)),
    })
    return matched ? presentRules(row) : stale
  })
}

export const removeRules = async (app: App, actor: Actor, calendarId: string): Promise<void> =>
  onCalendar(requireCalendarId(calendarId), async () => {
    const { orgId, id, revision } = await requireLiveCalendar(app, actor, calendarId)
    await requireRules(app, { orgId, id })
    const { matched } = await commitParts(app, bumpSeenCalendar(app, { orgId, calendarId: id, revision }, {}), {
      rules: removedRules(app.sql, orgId, id),
      audit: auditEntry(app, actor, 'calendar.update', encodeId('cal', id)),
    })
    return matched ? undefined : stale
  })

async function requireRules({ sql }: App, calendar: { orgId: Uuid; id: Uuid }): Promise<RulesRow> {
  const [row] = await rulesOfCalendar(sql, calendar.orgId, calendar.id)
  if (!row) throw notFound('availability rules')
  return row
}
