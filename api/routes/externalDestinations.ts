// The external calendar to which the events of a calendar are published.
import { getDestination, removeDestination, setDestination } from '../../src/connections/destinations.ts'
import { removeConnectionQuery } from '../../src/connections/schema.ts'
import { destinationAnswer, destinationBody, destinationRecord } from '../../src/externalCopies/schema.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { type Route, route } from '../http/route.ts'

const tag = 'Calendar connections'
const path = '/v1/calendars/:id/external-destination'

export const externalDestinationRoutes: Route[] = [
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getExternalDestination',
    summary: 'Read where the events of a calendar are published to',
    description: '`data` is null if they are published nowhere.',
    access: 'session',
    activated: true,
    params: idPath('cal'),
    success: { status: 200, schema: destinationAnswer },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getDestination(app, actor, params.id),
  }),
  route({
    method: 'put',
    path,
    tag,
    operationId: 'setExternalDestination',
    summary: 'Publish the events of a calendar into an external calendar',
    description: prose(
      'Events that end in the future are published, and follow every change. Nothing comes back:',
      'a copy that the human moved is written over when its event changes, one that they deleted stays deleted until',
      'the event gets another start, end or rule.',
      '',
      'Setting another external calendar withdraws the copies from the previous one. Setting the same one again repairs failed copies.',
    ),
    access: 'session',
    activated: true,
    params: idPath('cal'),
    body: destinationBody,
    success: { status: 200, schema: destinationRecord },
    errors: ['validation_error', 'not_found', 'conflict', 'scope_missing', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => setDestination(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteExternalDestination',
    summary: 'Stop publishing the events of a calendar',
    description: prose(
      'Copies that have not ended are withdrawn, unless `keep_published=true`. Past ones stay.',
      'Answers 204 also if there is no destination.',
    ),
    access: 'session',
    activated: true,
    params: idPath('cal'),
    query: removeConnectionQuery,
    success: { status: 204 },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => removeDestination(app, actor, params.id, query.keep_published),
  }),
]
