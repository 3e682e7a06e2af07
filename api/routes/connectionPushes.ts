// Receives change notifications of providers. The answer tells them nothing.
import { z } from 'zod'
import { receivePush } from '../../src/externalCalendars/push.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, route } from '../http/route.ts'

const headerOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

export const connectionPushRoutes = [
  route({
    method: 'post',
    path: '/v1/calendar-connections/push/google',
    tag: 'Calendar connections',
    operationId: 'receiveGooglePush',
    summary: 'The address that Google sends messages about changes to',
    description: prose(
      'Google calls it, not you. The channel and its secret are in headers; the body is not read.',
      'The answer is always the same.',
    ),
    access: 'public',
    query: z.looseObject({}),
    takesAnyQuery: true,
    ignoresBody: true,
    success: { status: 202 },
    errors: [],
    async run({ app, headers, request }) {
      const message = {
        channelId: headerOf(headers['x-goog-channel-id']),
        secret: headerOf(headers['x-goog-channel-token']),
        isChange: headerOf(headers['x-goog-resource-state']) !== 'sync',
      }
      await receivePush(app, 'google', message, request.ip)
      // The rest of a large body is not read.
      return new RawAnswer(202, Number(headers['content-length'] ?? 0) > maxUnread ? { Connection: 'close' } : {})
    },
  }),
]

const maxUnread = 64 * 1024
