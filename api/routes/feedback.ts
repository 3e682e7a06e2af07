import { giveFeedback } from '../../src/feedback/feedback.ts'
import { feedbackAnswer, feedbackBody } from '../../src/feedback/schema.ts'
import { route } from '../http/route.ts'

export const feedbackRoutes = [
  route({
    method: 'post',
    path: '/v1/feedback',
    tag: 'Feedback',
    operationId: 'giveFeedback',
    summary: 'Send feedback',
    description:
      "An organization may send 25 in a day of UTC; all its keys share them. Nothing is stored but a line in the service's log, without keys and secrets.",
    access: 'key',
    body: feedbackBody,
    success: { status: 202, schema: feedbackAnswer },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => giveFeedback(app, actor, body),
  }),
]
