import { listOverlapping } from '../../src/events/overlap.ts'
import { overlapPage, overlapQuery } from '../../src/events/overlapSchema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const eventWindowRoutes = [
  route({
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    operationId: 'listOverlappingEvents',
    summary: 'List what overlaps a window, over calendars',
    description: prose(
      'For showing days and weeks of several calendars: events, holds and imported events, and series as their occurrences, each',
      'edited one with its own times. Cancelled events and holds that have run out are left out.',
      '',
      'Includes what began before `start` and still lasts. Ordered by start, then by id, of all calendars together.',
      'Send `next_cursor` as `cursor`, with the same other parameters, for the next page.',
      'An event that is there all the while is on exactly one page, whatever else changes.',
    ),
    access: 'organization',
    local: 'asked',
    query: overlapQuery,
    heavy: { kind: 'list' },
    success: { status: 200, schema: overlapPage },
    errors: ['validation_error', 'end_before_start', 'not_found'],
    run: ({ app, actor, query }) => listOverlapping(app, actor, query),
  }),
]
