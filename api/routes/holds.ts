// Confirming and releasing a hold.
import type { Actor } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { explainingGroup } from '../../src/events/holdInGroup.ts'
import { confirmHold, releaseHold } from '../../src/events/holds.ts'
import { zoneOfEvent } from '../../src/events/read.ts'
import { changedEventRecord } from '../../src/events/recordSchema.ts'
import { requirementOf } from '../../src/events/requireFree.ts'
import { confirmQuery, explainQuery } from '../../src/events/schema.ts'
import { answerOf } from '../../src/events/written.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { type Route, route } from '../http/route.ts'

const tag = 'Events'

const holdErrors = [
  'validation_error',
  'external_event_readonly',
  'not_found',
  'hold_expired',
  'not_a_hold',
  'hold_in_group',
  'agent_decommissioned',
] as const

type EventRequest = { app: App; actor: Actor; params: { id: string } }
/** `view=local` shows the times of an event in the zone of its calendar. */
export const ofEvent = { zoneOf: ({ app, actor, params }: EventRequest) => zoneOfEvent(app, actor, params.id) }

export const holdRoutes: Route[] = [
  route({
    method: 'put',
    path: '/v1/events/:id/confirm',
    tag,
    operationId: 'confirmHold',
    summary: 'Confirm a hold',
    description: prose(
      'Takes no body. The hold must be active:',
      '`conflict` has the code `hold_expired` if it has run out, and `not_a_hold`',
      'if it was confirmed, released or pre-empted, and `hold_in_group` if it belongs to a hold group.',
      'The event keeps its id. Nothing else on the calendar is checked unless `require_free=true`:',
      'then the time must be free by the rules of availability (`not_free`).',
    ),
    access: 'key',
    params: idPath('evt'),
    query: confirmQuery,
    local: ofEvent,
    tagged: true,
    success: { status: 200, schema: changedEventRecord },
    errors: [...holdErrors, 'not_free'],
    run: ({ app, actor, params, query }) =>
      explainingGroup(app, query, async () =>
        answerOf(await confirmHold(app, actor, params.id, requirementOf(query.require_free, query))),
      ),
  }),
  route({
    method: 'put',
    path: '/v1/events/:id/release',
    tag,
    operationId: 'releaseHold',
    summary: 'Release a hold',
    description: prose(
      'Takes no body. The hold becomes `cancelled`, and other holds can use its time at once.',
      'Fails if the hold has run out (`hold_expired`) or ended in another way (`not_a_hold`).',
      'A hold of a group is released with its group (`hold_in_group`).',
    ),
    access: 'key',
    params: idPath('evt'),
    query: explainQuery,
    local: ofEvent,
    tagged: true,
    success: { status: 200, schema: changedEventRecord },
    errors: holdErrors,
    run: ({ app, actor, params, query }) =>
      explainingGroup(app, query, async () => answerOf(await releaseHold(app, actor, params.id))),
  }),
]
