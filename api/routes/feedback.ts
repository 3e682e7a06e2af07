import { giveFeedback } from '../../src/feedback/feedback.ts'
import { feedbackAnswer, feedbackBody } from '../../src/feedback/schema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const feedbackRoutes = [
  route({
    method: 'post',
    path: '/v1/feedback',
    tag: 'Feedback',
    operationId: 'giveFeedback',
    summary: 'Report what is wrong or missing',
    description: prose(
      'An organization may send 25 messages per day (UTC), shared by all its keys.',
      "A message is stored only as a line in the service's log, without keys and secrets.",
    ),
    access: 'key',
    body: feedbackBody,
    success: { status: 202, schema: feedbackAnswer },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => giveFeedback(app, actor, body),
  }),
]
