import { z } from 'zod'
import { readChanges } from '../../src/changeFeed/read.ts'
import { changePage, changesQuery, streamQuery } from '../../src/changeFeed/schema.ts'
import { openStream } from '../../src/changeFeed/stream.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, route } from '../http/route.ts'

const common = { method: 'get', tag: 'Change feed', access: 'key', waits: true, outside: true } as const

export const changeRoutes = [
  route({
    ...common,
    path: '/v1/changes',
    operationId: 'listChanges',
    summary: 'Read what has changed, or wait for it',
    description: prose(
      'Every change in the order in which it happened, page by page: send `cursor` with the next request, always the one of',
      'the last answer. Without a cursor the answer is empty, and its cursor is of now. Each request of one cursor may have other',
      'filters, and asking again with a cursor is safe.',
      '',
      '`wait` answers with the first change that comes. A wait that ends empty after 20 seconds or more is no API call.',
      'At most 5 requests of one key wait at once.',
      '',
      'An agent key reads the changes of its agent and of its calendars, but no proposals.',
      'Changes are kept for 3 days, on paid plans for 30. A cursor that is older is `cursor_gone`: take `resync.cursor`, read',
      'the lists, then follow that cursor, and nothing is missed.',
    ),
    query: changesQuery,
    success: { status: 200, schema: changePage },
    errors: ['validation_error', 'not_found', 'cursor_gone'],
    run: ({ app, actor, query, reader }) => readChanges(app, actor, reader!, query),
  }),
  route({
    ...common,
    path: '/v1/changes/stream',
    operationId: 'streamChanges',
    summary: 'Follow what changes as server-sent events',
    description: prose(
      'One event `change` for each change: `id` is its cursor, `data` the list of its entries. A comment every 15 seconds shows',
      'that the stream is alive. After 10 minutes it ends with `bye`; connect again with the last id, in `Last-Event-ID` or as',
      '`cursor`. A cursor that is no longer valid is 410 before the stream begins, and the event `gone` with the same body',
      'later. A stream counts as one request that waits, and costs one API call for each minute in which a change was sent.',
    ),
    query: streamQuery,
    success: { status: 200, schema: z.string(), contentType: 'text/event-stream' },
    errors: ['validation_error', 'not_found', 'cursor_gone'],
    run: async ({ app, actor, headers, query, reader }) => {
      const sent = headers['last-event-id']
      const events = await openStream(app, actor, reader!, query, typeof sent === 'string' ? sent : undefined)
      return new RawAnswer(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }, events)
    },
  }),
]
