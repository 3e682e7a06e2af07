// Editing a calendar: its default reminders move the timers of its events, its zone moves its whole days and their copies.

import type { Actor } from '../actors/actor.ts'
import { changedAt, requireMatch } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { refuseClosed, requireCalendar, requireCalendarId } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { presentCalendar } from '../calendars/present.ts'
import type { UpdateCalendarBody } from '../calendars/schema.ts'
import { updateCalendarGuard } from '../calendars/writes.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { refillDestination } from '../externalCopies/writes.ts'
import { recorded } from '../recording/recorded.ts'
import { ringTimers } from '../timers/writes.ts'
import { movedWholeDays } from './moveWholeDays.ts'
import { inheritedReminders } from './reminders.ts'

export const updateCalendar = async (app: App, actor: Actor, id: string, body: UpdateCalendarBody) =>
  onCalendar(app, requireCalendarId(id), async () => {
    const before = await requireCalendar(app, actor, id)
    requireMatch(actor, () => presentCalendar(app, before))
    refuseClosed(before)
    const row = {
      ...before,
      name: body.name ?? before.name,
      timezone: body.timezone ?? before.timezone,
      agentStatus: body.agent_status ?? before.agentStatus,
      defaultReminders: body.default_reminders === undefined ? before.defaultReminders : body.default_reminders,
      metadata: body.metadata ?? before.metadata,
      updatedAt: changedAt(actor, app.clock.now(), before.updatedAt),
    }
    const isOtherZone = row.timezone !== before.timezone
    const days = isOtherZone ? await movedWholeDays(app, before, row) : undefined
    const reminders =
      body.default_reminders === undefined
        ? undefined
        : await inheritedReminders(app, row, { omitsWholeDays: days !== undefined })
    const [first, ...others] = [...(days?.set ?? []), ...(reminders?.set ?? [])]
    const refilled = isOtherZone ? before.destinationId : null
    const calendar = presentCalendar(app, row)
    return commitOrAgain(
      app,
      {
        guard: updateCalendarGuard(app.sql, row),
        effects: [
          ...(days?.effects ?? []),
          ...(reminders?.effects ?? []),
          first && ringTimers(app, [first, ...others]),
          refilled ? refillDestination(app.sql, { orgId: row.orgId, id: refilled }) : undefined,
          ...recorded(app, actor, {
            action: 'calendar.update',
            resource: calendar.id,
            emits: [{ type: 'calendar.updated', payload: { calendar } }],
            response: calendar,
          }),
        ],
      },
      calendar,
    )
  })
