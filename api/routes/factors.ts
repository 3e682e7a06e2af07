import { beginTotp, confirmTotp } from '../../src/factors/enroll.ts'
import { getFactors } from '../../src/factors/factors.ts'
import { renewRecoveryCodes } from '../../src/factors/renewCodes.ts'
import { begunTotp, confirmBody, factors, recoveryCodes } from '../../src/factors/schema.ts'
import { turnOffTotp } from '../../src/factors/turnOff.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

/** Nothing of it is stored: its answers are secrets. */
const common = { tag: 'Accounts', access: 'session', role: 'self', ignoresKey: true } as const
const always = { reauthentication: 'always' } as const

export const factorRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/v1/auth/factors',
    operationId: 'getFactors',
    summary: 'Get the second factor of the account',
    description: 'The factor belongs to the account, in whichever organization it acts.',
    success: { status: 200, schema: factors },
    errors: [],
    run: ({ app, actor }) => getFactors(app, actor),
  }),
  route({
    ...common,
    ...always,
    method: 'post',
    path: '/v1/auth/factors/totp',
    operationId: 'beginTotp',
    summary: 'Begin to turn on a second factor',
    description: prose(
      'The secret is good for 10 minutes; another one replaces it.',
      'The factor is on once `POST /v1/auth/factors/totp/confirm` has a code of it.',
    ),
    success: { status: 201, schema: begunTotp },
    errors: ['conflict'],
    run: ({ app, actor }) => beginTotp(app, actor),
  }),
  route({
    ...common,
    method: 'post',
    path: '/v1/auth/factors/totp/confirm',
    operationId: 'confirmTotp',
    summary: 'Turn on a second factor',
    description: prose(
      'Takes a code of the secret, and answers with ten recovery codes, which are shown only here.',
      'The other sessions of the account end; this one has passed the factor.',
    ),
    body: confirmBody,
    success: { status: 200, schema: recoveryCodes },
    errors: ['validation_error', 'conflict'],
    run: ({ app, actor, body }) => confirmTotp(app, actor, body),
  }),
  route({
    ...common,
    ...always,
    method: 'delete',
    path: '/v1/auth/factors/totp',
    operationId: 'deleteTotp',
    summary: 'Turn off the second factor',
    description: prose(
      'Refused with the code `required_by_organization` while an organization of the account requires a second factor;',
      '`organizations` names them.',
    ),
    success: { status: 204 },
    errors: ['not_found', 'required_by_organization'],
    run: ({ app, actor }) => turnOffTotp(app, actor),
  }),
  route({
    ...common,
    ...always,
    method: 'post',
    path: '/v1/auth/factors/recovery-codes',
    operationId: 'createRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Ten new ones, shown only here. The old ones are dead.',
    success: { status: 200, schema: recoveryCodes },
    errors: ['not_found'],
    run: ({ app, actor }) => renewRecoveryCodes(app, actor),
  }),
]
