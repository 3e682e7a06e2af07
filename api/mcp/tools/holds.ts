// A hold ends: it becomes an event, or its time is free again.
import { z } from 'zod'
import { confirmHold, releaseHold } from '../../../src/events/holds.ts'
import { requirementOf } from '../../../src/events/requireFree.ts'
import type { Extras } from '../../../src/events/written.ts'
import { clockKeys, clockOf } from '../language/clock.ts'
import { eventZones } from '../language/eventTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { writeTool } from '../language/tool.ts'
import { type EventContext, eventContext, shownEvent } from './eventAnswer.ts'
import { calendarOfEvent } from './eventFields.ts'
import { presentOverlaps } from './eventRefusals.ts'

const common = {
  feature: 'temporal_holds',
  arguments: { event_id: z.string() },
  alsoTaken: calendarOfEvent,
} as const

export const confirmEvent = writeTool({
  ...common,
  effect: 'idempotent',
  name: 'confirm_event',
  title: 'Confirm a hold',
  description: 'Confirms a hold, and lists overlaps.',
  twins: [routeNamed('confirmHold')],
  answer: { ...clockKeys, event: 'object', conflicts: 'array?' },
  context: (call): Promise<EventContext> => eventContext(call, call.arguments),
  input: ({ arguments: sent }) => sent,
  async act({ app, actor }, { event_id }) {
    const { event, ...extras } = await confirmHold(app, actor, event_id, requirementOf(false, { overlaps: 'reported' }))
    return { body: event, extras }
  },
  show({ body, extras, context: { calendar }, call }) {
    const { overlaps } = (extras ?? {}) as Extras
    const now = call.app.clock.now()
    const zones = eventZones(undefined, calendar.timezone)
    const conflicts = overlaps && { conflicts: presentOverlaps(overlaps, zones, now) }
    return { ...clockOf({ zone: zones.zone, now }), event: shownEvent(body, zones, now), ...conflicts }
  },
})

export const releaseEvent = writeTool({
  ...common,
  effect: 'changes',
  name: 'release_event',
  title: 'Release a hold',
  description: 'Gives up a hold: its time is free.',
  twins: [routeNamed('releaseHold')],
  answer: { ...clockKeys, event: 'object' },
  context: (call): Promise<EventContext> => eventContext(call, call.arguments),
  input: ({ arguments: sent }) => sent,
  act: async ({ app, actor }, { event_id }) => ({ body: (await releaseHold(app, actor, event_id)).event }),
  show({ body, context: { calendar }, call }) {
    const now = call.app.clock.now()
    const zones = eventZones(undefined, calendar.timezone)
    return { ...clockOf({ zone: zones.zone, now }), event: shownEvent(body, zones, now) }
  },
})
