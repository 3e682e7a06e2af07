// Creating an event that is written only if its time is free.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Rules } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { again } from '../changes/decide.ts'
import type { Uuid } from '../shapes/ids.ts'
import { externalSyncOf } from './externalSync.ts'
import { insertFree } from './insertTogether.ts'
import { presentEvent } from './present.ts'
import { judgeEvent, notFree, type Terms } from './requireFree.ts'
import { newEventRow } from './row.ts'
import type { CreateEventBody } from './schema.ts'
import type { Written } from './written.ts'

/** One read and one statement: whether the calendar may be written to is looked into only before a refusal. */
export async function createFreeEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms & { free: Rules },
): Promise<Written> {
  const key = requireCalendarId(calendarId)
  let destinationId: Uuid | null = null
  return onCalendar(app, key, async () => {
    const now = app.clock.now()
    const row = newEventRow(app, actor, key, body, now)
    const judgement = await judgeEvent(app, row, {}, terms.free, now)
    const isOwn = judgement && (!actor.agentId || actor.agentId === judgement.agentId)
    if (!isOwn || judgement.inTheWay.length > 0) {
      await requireLiveCalendar(app, actor, calendarId)
      if (!isOwn) return again
      throw await notFree(app, { ...row, title: body.title }, {}, judgement, terms, now)
    }
    const event = presentEvent(app, row, now, { title: body.title, description: body.description ?? null })
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    const added = { actor, row, event, destinationId, sync, seenRevision: judgement.revision }
    if (await insertFree(app, added)) return { event, sync }
    ;({ destinationId } = await requireLiveCalendar(app, actor, calendarId))
    return again
  })
}
