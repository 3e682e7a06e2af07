import { giveFeedback } from '../../src/feedback/feedback.ts'
import { feedbackAnswer, feedbackBody } from '../../src/feedback/schema.ts'
import { route } from '../route.ts'

export const feedbackRoutes = [
  route({
    method: 'post',
    path: '/v1/feedback',
    tag: 'Feedback',
    summary: 'Tell us what is wrong or missing',
    description: '25 submissions of an organization in a day of UTC.',
    access: 'key',
    body: feedbackBody,
    success: { status: 202, schema: feedbackAnswer },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => giveFeedback(app, actor, body),
  }),
]
