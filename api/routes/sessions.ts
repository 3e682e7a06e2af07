// The sessions of an account, and what a session shows of its person: the password, or a code.
import { changePassword } from '../../src/accounts/changePassword.ts'
import { changePasswordBody, sessionList } from '../../src/accounts/schema.ts'
import { endOtherSessions, endSession, listSessions } from '../../src/accounts/sessionList.ts'
import { endReauthentication, reauthenticate } from '../../src/factors/reauthenticate.ts'
import { reauthenticateBody, reauthenticated } from '../../src/factors/schema.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const common = { tag: 'Accounts', access: 'session', role: 'self' } as const

export const sessionRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/v1/auth/sessions',
    operationId: 'listSessions',
    summary: 'List the sessions of the account',
    description: prose(
      'Newest first, in whichever organization they were opened.',
      '`last_seen_at` lags by up to about 10 minutes.',
    ),
    success: { status: 200, schema: sessionList },
    errors: [],
    run: ({ app, actor }) => listSessions(app, actor),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v1/auth/sessions',
    operationId: 'endOtherSessions',
    summary: 'End the other sessions of the account',
    description: 'This session lives on. From now on every process refuses the others.',
    success: { status: 204 },
    errors: [],
    run: ({ app, actor }) => endOtherSessions(app, actor),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v1/auth/sessions/:id',
    operationId: 'endSession',
    summary: 'End a session of the account',
    description: 'From now on every process refuses it. It may be this session.',
    params: idPath('ses'),
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => endSession(app, actor, params.id),
  }),
  route({
    ...common,
    ignoresKey: true,
    method: 'post',
    path: '/v1/auth/password/change',
    operationId: 'changePassword',
    summary: 'Change the password',
    description: prose(
      'Other sessions of the account end, and mailed links to set a password too. A second factor stays on.',
      'A wrong `current_password` is `validation_error`; ten of them in 15 minutes, with wrong codes, are `rate_limit_error`.',
    ),
    body: changePasswordBody,
    success: { status: 204 },
    errors: ['validation_error', 'rate_limit_error'],
    run: ({ app, actor, body }) => changePassword(app, actor, body),
  }),
  route({
    ...common,
    ignoresKey: true,
    method: 'post',
    path: '/v1/auth/reauthenticate',
    operationId: 'reauthenticateSession',
    summary: 'Show again that it is you',
    description: prose(
      'For acts that answer `reauthentication_required`; signing in shows it too. It counts for 10 minutes, for this session.',
      'An account with a second factor sends a `code`, any other its `password`.',
      'An account with neither goes through its provider: `GET /v1/auth/oauth/:provider?purpose=reauthenticate`.',
      'Ten wrong ones in 15 minutes, with wrong codes of sign-ins, are `rate_limit_error`.',
    ),
    body: reauthenticateBody,
    success: { status: 200, schema: reauthenticated },
    errors: ['validation_error', 'rate_limit_error'],
    run: ({ app, actor, body }) => reauthenticate(app, actor, body),
  }),
  route({
    ...common,
    ignoresKey: true,
    method: 'delete',
    path: '/v1/auth/reauthenticate',
    operationId: 'endReauthentication',
    summary: 'End the time in which it counts',
    description: 'The next act that asks is refused until the person shows again that it is them.',
    success: { status: 204 },
    errors: [],
    run: ({ app, actor }) => endReauthentication(app, actor),
  }),
]
