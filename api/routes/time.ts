import { timeAt } from '../../src/localtime/present.ts'
import { timeQuery, timeRecord } from '../../src/localtime/schema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const timeRoutes = [
  route({
    method: 'get',
    path: '/v1/time',
    tag: 'Time',
    operationId: 'getTime',
    summary: 'Read the time in a zone',
    description: prose(
      '`now` is always the time of the service.',
      'The rest is about now, or about `at`: the local time, its ISO week,',
      'and the next moment at which clocks change in the zone.',
    ),
    access: 'key',
    query: timeQuery,
    success: { status: 200, schema: timeRecord },
    errors: [],
    async run({ app, query }) {
      const now = app.clock.now()
      return timeAt(query.at ?? now, query.tz, now)
    },
  }),
]
