// Receives change notifications of Microsoft. The answer tells Microsoft nothing, except while it
// makes a channel: then the answer repeats the token that it sent.
import { z } from 'zod'
import { isBeingMade, receiveMicrosoftPush } from '../../src/externalCalendars/pushMicrosoft.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, route } from '../http/route.ts'

const maxTokenBytes = 1024

export const microsoftPushRoutes = [
  route({
    method: 'post',
    path: '/v1/calendar-connections/push/microsoft/:channel',
    tag: 'Calendar connections',
    operationId: 'receiveMicrosoftPush',
    summary: 'The address that Microsoft sends messages about changes to',
    description: prose(
      'Microsoft calls it, not you. The answer is always 202.',
      'While a channel is being made, its `validationToken` is answered as text.',
    ),
    access: 'public',
    params: z.object({ channel: z.string().meta({ example: '0197f3a0-6c1e-7c3a-9d0b-6f6a3c1b7e92' }) }),
    query: z.looseObject({ validationToken: z.unknown().optional() }),
    takesAnyQuery: true,
    takesAnyBody: true,
    success: { status: 202 },
    also: [
      {
        status: 200,
        schema: z.string(),
        description: 'The token of a channel that is being made.',
        contentType: 'text/plain',
      },
    ],
    errors: [],
    async run({ app, request: { ip }, params: { channel }, query: { validationToken: token }, body }) {
      if (token === undefined) {
        const text = body as string | undefined
        await receiveMicrosoftPush(app, channel, text, ip)
        // The rest of a large body is not read.
        return new RawAnswer(202, text === undefined ? { Connection: 'close' } : {})
      }
      const isEchoed =
        typeof token === 'string' && Buffer.byteLength(token) <= maxTokenBytes && (await isBeingMade(app, channel, ip))
      return isEchoed
        ? new RawAnswer(
            200,
            { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
            token,
          )
        : new RawAnswer(202, {})
    },
  }),
]
