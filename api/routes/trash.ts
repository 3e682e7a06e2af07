// The history of an event, the trash of its calendar, and the way back.
import { zoneOfCalendar } from '../../src/calendars/calendars.ts'
import { getEventHistory } from '../../src/eventHistory/history.ts'
import { historyEntry } from '../../src/eventHistory/schema.ts'
import { changedEventRecord, deletedEventRecord } from '../../src/events/recordSchema.ts'
import { restoreEvent } from '../../src/events/restore.ts'
import { explainQuery, restoreEventBody } from '../../src/events/schema.ts'
import { listDeletedEvents } from '../../src/events/trash.ts'
import { answerOf } from '../../src/events/written.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { type Route, route } from '../http/route.ts'
import { ofEvent } from './holds.ts'

const tag = 'Events'

export const trashRoutes = [
  route({
    method: 'get',
    path: '/v1/calendars/:id/deleted-events',
    tag,
    operationId: 'listDeletedEvents',
    summary: 'List the deleted events of a calendar',
    description: prose(
      'Those of the last 30 days, the latest first. Until `restorable_until` an event can be restored; then it is gone, with its texts.',
      'A series is one item. Holds and imported events are left out. A calendar that is deleted takes its trash along.',
    ),
    access: 'key',
    params: idPath('cal'),
    query: pageQuery(),
    local: { zoneOf: ({ app, actor, params }) => zoneOfCalendar(app, actor, params.id) },
    heavy: { kind: 'list' },
    success: { status: 200, schema: listOf(deletedEventRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listDeletedEvents(app, actor, params.id, query),
  }),
  route({
    method: 'post',
    path: '/v1/events/:id/restore',
    tag,
    operationId: 'restoreEvent',
    summary: 'Restore a deleted event, or a cancelled occurrence',
    description: prose(
      'The event comes back under its id, as it was, a series with its edited occurrences. It is judged anew, as a new one would be:',
      'by the guardrails of the key, the cap of active series and the rules of the plan, and with `require_free` by availability.',
      "It uses none of the month's events. A cancelled event stays cancelled. Starts, ends and reminders that lie ahead fire again.",
      '',
      'Webhooks get `event.created` with `restored: true`.',
      'An event that is there is refused (`not_deleted`), and so are bookings, holds and imported events (`not_restorable`).',
      '`If-Match` compares with the record that the list of deleted events shows.',
      '',
      'With `occurrence_start`, the start that the series gives it, one cancelled occurrence of a series that is there happens again:',
      'the answer is the series, and webhooks get `event.updated`.',
    ),
    access: 'key',
    params: idPath('evt'),
    query: explainQuery,
    local: ofEvent,
    body: restoreEventBody,
    tagged: true,
    success: { status: 200, schema: changedEventRecord },
    errors: [
      ...(['validation_error', 'bad_request', 'plan_required', 'not_found', 'conflict', 'not_deleted'] as const),
      ...(['not_restorable', 'not_free', 'agent_decommissioned', 'quota_exceeded'] as const),
    ],
    run: async ({ app, actor, params, query, body }) =>
      answerOf(await restoreEvent(app, actor, params.id, body, query)),
  }),
  route({
    method: 'get',
    path: '/v1/events/:id/history',
    tag,
    operationId: 'getEventHistory',
    summary: 'Read the changes of an event, and who made them',
    description: prose(
      'The newest first, as long as the change feed keeps entries; also of a deleted event, while it can be restored.',
      'Each change is compared with the one before of the same event or occurrence, the first of an occurrence with its series.',
      'The oldest entry that is kept cannot be compared, unless it is a creation: its `changes` are null, and it is `incomplete`.',
      'Starts, ends and reminders are left out.',
    ),
    access: 'key',
    params: idPath('evt'),
    query: pageQuery(),
    heavy: { kind: 'list' },
    success: { status: 200, schema: listOf(historyEntry) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => getEventHistory(app, actor, params.id, query),
  }),
] satisfies Route[]
