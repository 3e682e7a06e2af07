// Creating events.

import type { Actor } from '../actors/actor.ts'
import { requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { again } from '../commit/decide.ts'
import { withinDay } from '../quotas/keyDays.ts'
import type { Uuid } from '../shapes/ids.ts'
import { createFreeEvent } from './createFree.ts'
import { createHold } from './createHold.ts'
import { createSeries } from './createSeries.ts'
import { externalSyncOf } from './externalSync.ts'
import { mustBeFree, requireAllowedNew } from './guarded.ts'
import { withLabelKeys } from './labels.ts'
import { plainEvents, writeNew } from './newEvents.ts'
import { planEvent } from './plan.ts'
import { overlapsToReport, type Requirement, refusedBy, requirementOf, type WriteOptions } from './requireFree.ts'
import type { CreateEventBody } from './schema.ts'
import { requireWeekday } from './weekday.ts'
import type { Written } from './written.ts'

export const createEvent = (
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  options: WriteOptions = {},
): Promise<Written> =>
  withinDay(app, actor, body.status === 'hold' ? 'holds' : 'events', () =>
    createAsAsked(app, actor, calendarId, body, options),
  )

async function createAsAsked(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  options: WriteOptions,
): Promise<Written> {
  requireListedCalendar(actor, requireCalendarId(calendarId))
  if (body.weekday) await requireSentWeekday(app, actor, calendarId, body)
  const asked = await withLabelKeys(app, actor, body)
  const requirement = requirementOf(body.require_free || mustBeFree(actor), options)
  if (body.status === 'hold') return createHold(app, actor, calendarId, asked, requirement)
  if (body.recurrence_rule !== undefined)
    return createSeries(app, actor, calendarId, asked, body.recurrence_rule, requirement)
  requireAllowedNew(actor, body, app.clock.now())
  const free = refusedBy(requirement)
  if (free && body.status !== 'cancelled' && body.transparency !== 'transparent')
    return createFreeEvent(app, actor, calendarId, asked, { ...requirement, free })
  return createPlain(app, actor, calendarId, asked, requirement)
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
  requirement: Requirement,
): Promise<Written> {
  const key = requireCalendarId(calendarId)
  let destinationId: Uuid | null = null
  const add = async () => {
    const now = app.clock.now()
    const planned = planEvent(app, actor, key, body, now)
    const overlaps = await overlapsToReport(app, planned.row, {}, requirement, now)
    const sync = await externalSyncOf(app, destinationId, planned, now)
    const seen = { destinationId }
    if (await writeNew(app, actor, plainEvents, { ...planned, seen, sync, extras: { overlaps } })) {
      return { event: planned.event, sync, overlaps }
    }
    ;({ destinationId } = await requireLiveCalendar(app, actor, calendarId))
    return again
  }
  const written = await add()
  return written === again ? onCalendar(app, key, add) : written
}
