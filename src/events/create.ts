// Creating events.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { again } from '../commit/decide.ts'
import type { Uuid } from '../shapes/ids.ts'
import { createFreeEvent } from './createFree.ts'
import { createHold } from './createHold.ts'
import { createSeries } from './createSeries.ts'
import { externalSyncOf } from './externalSync.ts'
import { plainEvents, writeNew } from './newEvents.ts'
import { planEvent } from './plan.ts'
import { type Asked, refusedBy, type Terms, termsOf, toldClash } from './requireFree.ts'
import type { CreateEventBody } from './schema.ts'
import { requireWeekday } from './weekday.ts'
import type { Written } from './written.ts'

export async function createEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  asked: Asked = {},
): Promise<Written> {
  if (body.weekday) await requireSentWeekday(app, actor, calendarId, body)
  const terms = termsOf(body.require_free, asked)
  if (body.status === 'hold') return createHold(app, actor, calendarId, body, terms)
  if (body.recurrence_rule !== undefined) return createSeries(app, actor, calendarId, body, body.recurrence_rule, terms)
  const free = refusedBy(terms)
  if (free && body.status !== 'cancelled') return createFreeEvent(app, actor, calendarId, body, { ...terms, free })
  return createPlain(app, actor, calendarId, body, terms)
}

/** Reads the calendar only if its zone matters. */
async function requireSentWeekday(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<void> {
  const zone = body.start_zone ?? (await requireLiveCalendar(app, actor, calendarId)).timezone
  requireWeekday(body, body.start_time, zone)
}

/**
 * Takes one round trip: the statement says whether the calendar may be written to and is published nowhere; only a refusal is
 * looked into. It takes no turn, so that many new events of one calendar share a statement.
 */
async function createPlain(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms,
): Promise<Written> {
  const key = requireCalendarId(calendarId)
  let destinationId: Uuid | null = null
  const add = async () => {
    const now = app.clock.now()
    const planned = planEvent(app, actor, key, body, now)
    const clash = await toldClash(app, planned.row, {}, terms, now)
    const sync = await externalSyncOf(app, destinationId, planned, now)
    const seen = { destinationId }
    if (await writeNew(app, actor, plainEvents, { ...planned, seen, sync, beside: { clash } })) {
      return { event: planned.event, sync, clash }
    }
    ;({ destinationId } = await requireLiveCalendar(app, actor, calendarId))
    return again
  }
  const written = await add()
  return written === again ? onCalendar(app, key, add) : written
}
