// The administrator in the console: a session instead of the token, and the state of the queues.
import { adminSessionBody } from '../../src/accounts/schema.ts'
import type { App } from '../../src/app.ts'
import { overloaded } from '../../src/errors.ts'
import { queueList } from '../../src/wakeups/schema.ts'
import { forgottenAdminSession, openedAdminSession } from '../gate/adminSession.ts'
import { requireAdminToken } from '../gate/adminToken.ts'
import { requireSameOrigin } from '../gate/session.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'

const tag = 'Administration'
const path = '/v1/admin/session'

export const adminSessionRoutes = [
  route({
    method: 'post',
    path,
    tag,
    operationId: 'openAdminSession',
    summary: 'Sign in to the console as the administrator',
    description: prose(
      'Sets the cookie `svc_admin` for one hour. `/v1/admin` and `/admin/queues` take it from our own pages.',
      'Programs send the token itself instead.',
      'Another `ADMIN_TOKEN` ends every session.',
    ),
    access: 'public',
    body: adminSessionBody,
    success: { status: 204, headers: ['Set-Cookie'] },
    errors: ['validation_error', 'authentication_error', 'forbidden', 'rate_limit_error'],
    async run({ app, request, headers, body }) {
      requireSameOrigin(app, headers)
      await requireAdminToken(app, request.ip, body.token, 'This is not the administrator token.')
      return new Answer(204, undefined, { 'Set-Cookie': openedAdminSession(app) })
    },
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'closeAdminSession',
    summary: 'Leave the console as the administrator',
    description: 'The browser deletes its cookie.',
    access: 'public',
    success: { status: 204, headers: ['Set-Cookie'] },
    errors: ['forbidden'],
    async run({ app, headers }) {
      requireSameOrigin(app, headers)
      return new Answer(204, undefined, { 'Set-Cookie': forgottenAdminSession(app) })
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/queues',
    tag,
    operationId: 'listQueues',
    summary: 'List the queues of the workers',
    description:
      'They hold wake-ups. Everything that is due is a row in Postgres, so a lost wake-up is only late. 503 while Redis is away.',
    access: 'admin',
    success: { status: 200, schema: queueList },
    errors: [],
    run: ({ app }) => queuesOf(app),
  }),
]

async function queuesOf({ bell, redis, log }: App) {
  if (redis.status !== 'ready') throw noQueues()
  const depths = await bell.depths().catch((error: Error) => {
    log.debug({ error: error.message }, 'the queues were not read')
    throw noQueues()
  })
  const queues = depths.map(({ queue: name, states, failed, oldestSeconds: oldest_seconds }) => ({
    ...{ name, ...states, failed, oldest_seconds },
  }))
  return { queues }
}

const noQueues = () => overloaded('Redis is away. The work goes on from Postgres, and later. Send it again.')
