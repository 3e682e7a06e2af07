import { z } from 'zod'
import { type Actor, answeredWith } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { zoneOfCalendar } from '../../src/calendars/calendars.ts'
import { calendarContext } from '../../src/events/context.ts'
import { createEvent } from '../../src/events/create.ts'
import { explainingGroup } from '../../src/events/holdInGroup.ts'
import { endOverride, getOccurrence, updateOccurrence } from '../../src/events/occurrence.ts'
import { getEvent, listAgentEvents, listCalendarEvents } from '../../src/events/read.ts'
import {
  calendarContext as calendarContextRecord,
  changedEventRecord,
  changedInstanceRecord,
  eventInstanceRecord,
  splitRecord,
} from '../../src/events/recordSchema.ts'
import { removeEvent } from '../../src/events/remove.ts'
import {
  createEventBody,
  eventListQuery,
  explainQuery,
  isHeavyList,
  occurrenceQuery,
  removeEventQuery,
  updateEventBody,
  updateEventQuery,
} from '../../src/events/schema.ts'
import { endSeries, splitSeries } from '../../src/events/split.ts'
import { updateEvent } from '../../src/events/update.ts'
import { answerOf } from '../../src/events/written.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { agentPath, calendarEventPath, calendarPath, idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { Answer, type Route, route } from '../http/route.ts'
import { eventExamples } from './eventExamples.ts'
import { holdRoutes, ofEvent } from './holds.ts'

const tag = 'Events'

const listPath = '/v1/calendars/:cal_id/events'
const path = '/v1/calendars/:cal_id/events/:id'

type CalendarRequest = { app: App; actor: Actor; params: { cal_id: string } }
const inCalendar = {
  zoneOf: ({ app, actor, params }: CalendarRequest) => zoneOfCalendar(app, actor, params.cal_id),
}

const occurrenceOf = ({ cal_id, id }: { cal_id?: string; id: string }, occurrenceStart: Date) => ({
  calendarId: cal_id,
  eventId: id,
  occurrenceStart,
})

const ofCalendars: Route[] = [
  route({
    method: 'post',
    path: listPath,
    tag,
    operationId: 'createEvent',
    summary: 'Create an event or place a hold',
    description: prose(
      'Without `status` the event is `confirmed`.',
      'Events may overlap: only holds are checked, and only against other holds.',
      'With `require_free`, the event is refused (`not_free`) unless its time is free by the rules of availability:',
      'of two requests that both ask for it, one gets the time.',
      '',
      '**Holds** (`status: hold`, paid plans) need `hold_expires_at`, 30 seconds to 15 minutes from now.',
      'An active hold with the same or a higher `hold_priority` at an overlapping time',
      'refuses a new one (`hold_conflict`);',
      'the new hold ends active holds with a lower priority.',
      'Holds do not block events with another status.',
      '',
      '**Reminders** fire only for `confirmed` events.',
      "If `reminders` is null or absent, the calendar's apply, or one 10 minutes before; `[]` means none.",
      '',
      '**Series** have a `recurrence_rule`: `FREQ` (DAILY, WEEKLY, MONTHLY, YEARLY), `INTERVAL` 1–99,',
      '`COUNT` 1–730 or `UNTIL`,',
      '`BYDAY` (weekly `MO,WE`; monthly a single one such as `2TU` or `-1FR`), `BYMONTHDAY` 1–28 or -1.',
      '`start_time` must match the rule.',
      'A series repeats in UTC, so its local hour shifts when clocks change, unless it has a `recurrence_timezone`:',
      'then it repeats by that clock, `BYDAY`, `BYMONTHDAY` and `UNTIL=YYYYMMDD` mean local days, and `start_time` must match the rule there.',
      'A local time that clocks skip counts by the offset before the gap (02:30 becomes 03:30), one that comes twice is the first.',
      '`recurrence_rdates` are up to 100 further starts, whatever `COUNT` says.',
      '',
      "A single event and a whole series each use one of the month's events.",
    ),
    access: 'key',
    spends: 'events',
    params: calendarPath,
    query: explainQuery,
    local: inCalendar,
    body: createEventBody,
    bodyExamples: eventExamples,
    tagged: true,
    success: { status: 201, schema: changedEventRecord },
    errors: [
      'validation_error',
      'bad_request',
      'plan_required',
      'not_found',
      'hold_conflict',
      'not_free',
      'agent_decommissioned',
      'quota_exceeded',
    ],
    run: async ({ app, actor, params, query, body }) =>
      answerOf(await createEvent(app, actor, params.cal_id, body, query)),
  }),
  route({
    method: 'get',
    path: listPath,
    tag,
    operationId: 'listEvents',
    summary: 'List the events of a calendar',
    description: prose(
      'Ordered by start, then by id. Cancelled events are listed, deleted ones are not.',
      '',
      '`start_after` is inclusive, `start_before` is exclusive, and both apply to the start:',
      'an event that began before `start_after` is left out even if it still lasts.',
      '',
      'A series is one item, at its first start; `expand=true` lists its occurrences instead.',
      'They share the `id` of the series and differ in `originalStartTime`.',
    ),
    access: 'key',
    params: calendarPath,
    local: inCalendar,
    query: eventListQuery,
    heavy: { kind: 'list', when: isHeavyList },
    success: { status: 200, schema: listOf(eventInstanceRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listCalendarEvents(app, actor, params.cal_id, query),
  }),
  route({
    method: 'get',
    path: '/v1/agents/:agent_id/events',
    tag,
    operationId: 'listAgentEvents',
    summary: "List the events of all an agent's calendars",
    description: prose(
      'Takes the same parameters as the list of one calendar, and orders all events together by start, then by id.',
      'Calendars without an agent are not included.',
    ),
    access: 'key',
    params: agentPath,
    local: 'asked',
    query: eventListQuery,
    heavy: { kind: 'list', when: isHeavyList },
    success: { status: 200, schema: listOf(eventInstanceRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listAgentEvents(app, actor, params.agent_id, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getEvent',
    summary: 'Read an event',
    description: prose(
      'A series reads as one event: the times of its first occurrence, its rule and its cancelled starts.',
      'A hold that has run out reads as `cancelled` from that moment. A deleted event is `not_found`.',
      'With `occurrence_start` one occurrence of a series is read; there being none is `not_found`.',
    ),
    access: 'key',
    params: calendarEventPath,
    query: occurrenceQuery,
    local: inCalendar,
    tagged: true,
    success: { status: 200, schema: eventInstanceRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query: { occurrence_start } }) =>
      occurrence_start
        ? getOccurrence(app, actor, occurrenceOf(params, occurrence_start))
        : getEvent(app, actor, params.cal_id, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    operationId: 'updateEvent',
    summary: 'Change an event',
    description: prose(
      'Fields that are left out stay. `metadata` and `reminders` are replaced as a whole:',
      "a null `reminders` restores the calendar's, `[]` means none.",
      '',
      'A change to a series changes every occurrence. A new `recurrence_rule`, `recurrence_timezone` or `start_time`',
      'drops its cancelled starts; other `recurrence_rdates` keep those that are still starts;',
      'a null rule leaves a single event.',
      '',
      'With `occurrence_start`, the start that the series gives it, only that occurrence changes, and the answer is the occurrence.',
      'It keeps that start as its name, whatever its own times are. Later changes to the series reach it in every field',
      'that was not changed by itself; a new rule, zone or start of the series drops it. At most 730 occurrences of a series differ from it.',
      '',
      'With `scope=following` too, the series ends before that occurrence, and a new series begins there with the changes.',
      "It uses one of the month's events and a place under the cap of active series. Cancelled, single and edited occurrences",
      'from there on go along, moved by the same shift, where the new series still has them: with a null rule it happens once,',
      'and none is left. Of the first occurrence it is a change to the whole series.',
      '',
      'With `require_free`, the event as it would be is refused (`not_free`) unless its time is free',
      'by the rules of availability, itself left out. A change that cancels the event is not judged.',
      '',
      'Holds cannot be edited, and a cancelled event cannot get a new `status` (`invalid_transition`).',
      'Imported events are read-only (`external_event_readonly`).',
    ),
    access: 'key',
    params: calendarEventPath,
    query: updateEventQuery,
    local: inCalendar,
    body: updateEventBody,
    tagged: true,
    success: { status: 200, schema: z.union([changedInstanceRecord, splitRecord]) },
    errors: [
      'validation_error',
      'bad_request',
      'invalid_transition',
      'external_event_readonly',
      'plan_required',
      'not_found',
      'conflict',
      'not_free',
      'hold_in_group',
      'agent_decommissioned',
      'quota_exceeded',
    ],
    run: ({ app, actor, params, query: { occurrence_start, scope, ...query }, body }) =>
      explainingGroup(app, query, async () => {
        if (occurrence_start && scope)
          return (await splitSeries(app, actor, occurrenceOf(params, occurrence_start), body, query)).split
        return answerOf(
          occurrence_start
            ? await updateOccurrence(app, actor, occurrenceOf(params, occurrence_start), body, query)
            : await updateEvent(app, actor, params.cal_id, params.id, body, query),
        )
      }),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteEvent',
    summary: 'Delete an event, or cancel one occurrence',
    description: prose(
      'For a series, every occurrence is deleted.',
      'With `occurrence_start`, the exact start of one occurrence, only that occurrence is cancelled,',
      'and the answer is 200 with the updated series.',
      'With `revert=true` it is not cancelled: what was changed of it by itself is dropped, and it is as the series has it.',
      'With `scope=following` the series ends before the occurrence.',
      "The month's events are not given back.",
    ),
    access: 'key',
    params: calendarEventPath,
    local: inCalendar,
    query: removeEventQuery,
    tagged: true,
    success: { status: 204, description: 'Deleted.' },
    also: [
      {
        status: 200,
        schema: changedEventRecord,
        description: 'With `occurrence_start`: the series without that occurrence.',
      },
    ],
    errors: [
      'validation_error',
      'bad_request',
      'external_event_readonly',
      'not_found',
      'conflict',
      'hold_in_group',
      'agent_decommissioned',
    ],
    run: ({ app, actor, params, query }) =>
      explainingGroup(app, query, async () => {
        if (!query.occurrence_start) return removeEvent(app, actor, params.cal_id, params.id)
        const occurrence = occurrenceOf(params, query.occurrence_start)
        if (query.scope) return new Answer(200, answerOf(await endSeries(app, answeredWith(actor, 200), occurrence)))
        const reverts = { reverts: query.revert }
        return new Answer(200, answerOf(await endOverride(app, answeredWith(actor, 200), occurrence, reverts)))
      }),
  }),
  ...holdRoutes,
  route({
    method: 'get',
    path: '/v1/calendars/:id/context',
    tag,
    operationId: 'getCalendarContext',
    summary: 'The current event, the next ones and the last ones',
    description: prose(
      'A snapshot at `now`; it costs one API call and no other quota.',
      '`recent_events` are the last 3 that ended, newest first; `upcoming` are the next 5 that start within 24 hours.',
      'Series appear as occurrences; cancelled events are left out.',
      'If several events are in progress, `current_event` is the one that started last; null means none.',
    ),
    access: 'key',
    params: idPath('cal'),
    local: { zoneOf: ({ app, actor, params }) => zoneOfCalendar(app, actor, params.id) },
    heavy: { kind: 'context' },
    success: { status: 200, schema: calendarContextRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => calendarContext(app, actor, params.id),
  }),
]

/** The same route by the id of the event alone: without a `cal_id` the use cases search all calendars. */
const byId = (one: Route): Route => ({
  ...one,
  path: '/v1/events/:id',
  params: idPath('evt'),
  local: ofEvent as Route['local'],
  operationId: `${one.operationId}ById`,
  summary: `${one.summary}, by its id alone`,
})

export const eventRoutes = [...ofCalendars, ...ofCalendars.filter((one) => one.path === path).map(byId)]
