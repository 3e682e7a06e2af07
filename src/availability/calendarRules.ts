// The availability rules of a calendar: at most one record. A change of the record counts as a change of the calendar and
// bumps its revision, which tells whether a cached answer still holds.

import type { Actor } from '../actors/actor.ts'
import { changedAt, isConditional, requireMatch, requireNew } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { refuseClosed, requireCalendar, requireCalendarId } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpSeenCalendar } from '../calendars/writes.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { badRequest, notFound } from '../errors.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { existingSubscriptionIds } from './holidays.ts'
import { presentRules, type RulesRow, sealLabels } from './present.ts'
import { rulesOfCalendar } from './queries.ts'
import { moreOf, refuseRules } from './rules.ts'
import type { RulesBody } from './schema.ts'
import { removeRulesOf, upsertRules } from './writes.ts'

export async function getRules(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  const [rules] = await rulesOfCalendar(app.sql, calendar.orgId, calendar.id)
  return presentRules(app, requireThere(rules))
}

/** Replaces the whole record, except for its identifier and its creation time. */
export async function setRules(app: App, actor: Actor, calendarId: string, body: RulesBody) {
  const refusal = refuseRules(body)
  if (refusal) throw badRequest(refusal.message, refusal.param)
  return onCalendar(app, requireCalendarId(calendarId), async () => {
    const calendar = await requireCalendar(app, actor, calendarId)
    const [before] = await rulesOfCalendar(app.sql, calendar.orgId, calendar.id)
    requireSeen(app, actor, before)
    if (before) requireNew(actor, () => presentRules(app, before))
    refuseClosed(calendar)
    const holidays = await requireSubscriptions(app, actor, body.holiday_subscription_ids)
    const now = app.clock.now()
    const row: RulesRow = {
      orgId: calendar.orgId,
      calendarId: calendar.id,
      id: before?.id ?? newId(),
      bufferBeforeMinutes: body.buffer_before_minutes,
      bufferAfterMinutes: body.buffer_after_minutes,
      workingHours: body.working_hours,
      timezone: body.timezone,
      more: moreOf(body, holidays),
      labelsSealed: sealLabels(app, calendar.id, body),
      livingHolidays: holidays,
      createdAt: before?.createdAt ?? now,
      updatedAt: before ? changedAt(actor, now, before.updatedAt) : now,
    }
    const rules = presentRules(app, row)
    return commitOrAgain(
      app,
      {
        guard: bumpSeenCalendar(app, { ...row, revision: calendar.revision }, {}),
        effects: [
          upsertRules(app.sql, row),
          ...recorded(app, actor, {
            action: 'calendar.update',
            resource: encodeId('cal', calendar.id),
            emits: [{ type: 'availability_rules.set', payload: { rules } }],
            response: rules,
            created: before ? [] : [rules.id],
          }),
        ],
      },
      rules,
    )
  })
}

export const removeRules = async (app: App, actor: Actor, calendarId: string): Promise<void> =>
  onCalendar(app, requireCalendarId(calendarId), async () => {
    const calendar = await requireCalendar(app, actor, calendarId)
    const { orgId, id, revision } = calendar
    const [seen] = await rulesOfCalendar(app.sql, orgId, id)
    requireSeen(app, actor, seen)
    refuseClosed(calendar)
    const rules = requireThere(seen)
    const payload = { rules_id: encodeId('avr', rules.id) }
    return commitOrAgain(app, {
      guard: bumpSeenCalendar(app, { orgId, calendarId: id, revision }, {}),
      effects: [
        removeRulesOf(app.sql, orgId, id),
        ...recorded(app, actor, {
          action: 'calendar.update',
          resource: encodeId('cal', id),
          emits: [{ type: 'availability_rules.removed', payload, calendarId: id }],
          response: undefined,
        }),
      ],
    })
  })

/** Any of the organization: a feed of holidays serves all its calendars. */
async function requireSubscriptions({ sql }: App, { orgId }: Actor, sent: readonly string[] = []): Promise<Uuid[]> {
  const ids = sent.map((text) => decodeId('ics', text))
  const known = ids.filter((id) => id !== undefined)
  const rows = known.length > 0 ? await existingSubscriptionIds(sql, orgId, known) : []
  const existing = new Set<Uuid | undefined>(rows.map(({ id }) => id))
  const missing = ids.findIndex((id) => !existing.has(id))
  if (missing >= 0) throw notFound('iCal subscription', `holiday_subscription_ids.${missing}`, sent[missing])
  return [...new Set(known)]
}

/** Throws if the caller saw other rules, or rules where none exist. */
function requireSeen(app: App, actor: Actor, rules: RulesRow | undefined): void {
  if (isConditional(actor)) requireMatch(actor, () => presentRules(app, requireThere(rules)))
}

function requireThere(rules: RulesRow | undefined): RulesRow {
  if (!rules) throw notFound('availability rules')
  return rules
}
