import { waitlistBody, waitlisted } from '../../src/signup/schema.ts'
import { joinWaitlist } from '../../src/signup/waitlist.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'

export const waitlistRoutes = [
  route({
    method: 'post',
    path: '/v1/waitlist',
    tag: 'Waitlist',
    operationId: 'joinWaitlist',
    summary: 'Join the waitlist',
    description: prose(
      '201 for a new entry, 200 if the address is already on the waitlist. No key is created.',
      'A new entry is confirmed by mail; another mail follows when an administrator activates the organization.',
    ),
    access: 'public',
    perAddress: { name: 'waitlist', max: 5, windowMs: 60_000 },
    body: waitlistBody,
    success: { status: 201, schema: waitlisted, description: 'A fresh join.' },
    also: [{ status: 200, schema: waitlisted, description: 'The address is already on the waitlist.' }],
    errors: ['validation_error', 'email_taken', 'tos_version_stale', 'rate_limit_error'],
    async run({ app, request, body }) {
      const { fresh, ...answer } = await joinWaitlist(app, request, body)
      return new Answer(fresh ? 201 : 200, answer)
    },
  }),
]
