// The pages of a human's account: its connections, and the forms that change them.
import { z } from 'zod'
import { forgetPassword } from '../../src/accounts/resets.ts'
import { signOut } from '../../src/accounts/signIn.ts'
import type { Actor } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import {
  pauseConnection,
  removeConnection,
  resumeConnection,
  unselectCalendar,
} from '../../src/connections/connections.ts'
import { connectionsOf } from '../../src/connections/connectPage.ts'
import { failureReasons } from '../../src/connections/finishOauth.ts'
import { reauthorizeConnection } from '../../src/connections/reauthorize.ts'
import { notFound, ServiceError } from '../../src/errors.ts'
import { formToken, requireFormToken } from '../gate/pageSession.ts'
import { forgottenSession, requireSameOrigin } from '../gate/session.ts'
import { asksForHtml } from '../http/accept.ts'
import { anyQuery, idPath } from '../http/paths.ts'
import { route } from '../http/route.ts'
import { failedPage } from '../pages/connectFailed.ts'
import { connectionsPage } from '../pages/connectList.ts'
import { passwordMailPage } from '../pages/connectSignIn.ts'
import {
  common,
  elsewhere,
  enterFrom,
  forms,
  formTokenField,
  looks,
  page,
  seeOther,
  showError,
  signedIn,
  signInForm,
  toProvider,
} from './connectPageParts.ts'

const actionForm = z
  .strictObject({
    form_token: formTokenField,
    password: z.string().min(1).max(1024).optional(),
    external_calendar_id: z.string().max(64).optional(),
  })
  .meta({ example: { form_token: 'Zk8vT2qLm4Xw9Rb6' } })
const mailForm = z.strictObject({ email: z.string().max(320) }).meta({ example: { email: 'ada@example.com' } })
const actionPath = idPath('con').extend({ action: z.string().meta({ example: 'pause' }) })

const actions = { pause: pauseConnection, resume: resumeConnection, disconnect: removeConnection } as const

async function showConnections(app: App, actor: Actor, status = 200, problem?: string) {
  const view = await connectionsOf(app, actor)
  return connectionsPage(app, status, {
    ...view,
    formToken: formToken(app, actor, 'connections'),
    ...(problem && { problem }),
  })
}

export const connectAccountPageRoutes = [
  route({
    ...signedIn,
    method: 'get',
    path: '/connect',
    operationId: 'showConnections',
    summary: 'The page of a human’s connections',
    description: 'For people who are signed in; anybody else gets the sign-in page, with status 401.',
    perAddress: looks,
    query: anyQuery,
    success: { status: 200, ...page },
    errors: [],
    run: ({ app, actor }) => showConnections(app, actor),
    showError,
  }),
  route({
    ...common,
    method: 'get',
    path: '/connect/failed',
    operationId: 'showConnectFailure',
    summary: 'The page that says why nothing was connected',
    description: 'A failed authorization at a provider leads here.',
    perAddress: looks,
    query: z.looseObject({ reason: z.enum(failureReasons).catch('provider_error').default('provider_error') }),
    success: { status: 200, ...page },
    errors: [],
    run: async ({ app, query }) => failedPage(app, query.reason),
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/signin',
    operationId: 'signInToConnections',
    summary: 'The form that signs in to the page of connections',
    description: 'Leads to the page of connections.',
    perAddress: forms,
    body: signInForm,
    form: true,
    success: elsewhere,
    errors: ['authentication_error', 'forbidden'],
    run: ({ app, headers, request, body }) => enterFrom({ app, headers, request }, '/connect', body),
    showError,
  }),
  route({
    ...signedIn,
    role: 'self',
    method: 'post',
    path: '/connect/signout',
    operationId: 'signOutOfConnections',
    summary: 'The form that signs out',
    description: 'Leads to the sign-in page.',
    perAddress: forms,
    form: true,
    success: elsewhere,
    errors: [],
    async run({ app, actor }) {
      await signOut(app, actor)
      return seeOther(app, '/connect', forgottenSession(app))
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/password',
    operationId: 'requestPasswordFromConnect',
    summary: 'The form that mails a link to set a password',
    description: 'The answer is the same for every address, known or unknown.',
    perAddress: forms,
    body: mailForm,
    form: true,
    success: { status: 202, ...page },
    errors: ['forbidden'],
    async run({ app, headers, request, body }) {
      requireSameOrigin(app, headers)
      await forgetPassword(app, request, body.email)
      return passwordMailPage(app)
    },
    showError,
  }),
  route({
    ...signedIn,
    method: 'post',
    path: '/connect/connections/:id/:action',
    operationId: 'changeConnectionOnPage',
    summary: 'The forms of the page of connections',
    description: 'The actions are `pause`, `resume`, `reauthorize`, `unselect` and `disconnect`.',
    perAddress: forms,
    params: actionPath,
    body: actionForm,
    form: true,
    success: elsewhere,
    errors: ['validation_error', 'not_found', 'conflict', 'provider_error'],
    async run({ app, actor, headers, params, body }) {
      requireFormToken(app, actor, 'connections', body.form_token, headers)
      try {
        if (params.action === 'reauthorize') {
          const answer = await reauthorizeConnection(app, actor, params.id, { password: body.password })
          if ('authorization_url' in answer) return toProvider(answer)
        } else if (params.action === 'unselect') {
          await unselectCalendar(app, actor, params.id, body.external_calendar_id)
        } else if (Object.hasOwn(actions, params.action))
          await actions[params.action as keyof typeof actions](app, actor, params.id)
        else throw notFound('page')
      } catch (error) {
        if (!asksForHtml(headers) || !(error instanceof ServiceError) || ![400, 409, 502].includes(error.status))
          throw error
        return showConnections(app, actor, error.status, error.message.replace(/^\w+: /, ''))
      }
      return seeOther(app, '/connect')
    },
    showError,
  }),
]
