// The pages on which a human connects calendars. They work without a script. Looking at one changes nothing.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { forgetPassword } from '../../src/accounts/resets.ts'
import { signIn, signOut } from '../../src/accounts/signIn.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { completeLink, declineLink, requireHumanLink, requireOpenLink } from '../../src/connections/completeLink.ts'
import { connectCaldav } from '../../src/connections/connectCaldav.ts'
import { pauseConnection, removeConnection, resumeConnection } from '../../src/connections/connections.ts'
import { failureReasons } from '../../src/connections/finishOauth.ts'
import { completeLinkForm, linkRecord } from '../../src/connections/linkSchema.ts'
import { reauthorizeConnection } from '../../src/connections/reauthorize.ts'
import { beginBody } from '../../src/connections/schema.ts'
import { connectionsOf, setupFacts } from '../../src/connections/shown.ts'
import { startOauth } from '../../src/connections/startOauth.ts'
import { forbidden, notFound, ServiceError, unauthenticated } from '../../src/errors.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { formToken, pageActor, requireFormToken } from '../gate/pageSession.ts'
import { cookie, forgottenSession, requireSameOrigin, sessionCookie } from '../gate/session.ts'
import { asksForHtml } from '../http/accept.ts'
import { anyQuery } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, type RefusedCall, route } from '../http/route.ts'
import { choicePage, completedPage } from '../pages/connectChoice.ts'
import { failedPage } from '../pages/connectFailed.ts'
import { connectHeaders, connectRefusal } from '../pages/connectFrame.ts'
import { connectionsPage } from '../pages/connectList.ts'
import { declinedPage, setupPage } from '../pages/connectSetup.ts'
import { passwordMailPage, signedInElsewherePage, signInPage } from '../pages/connectSignIn.ts'

const looks = { name: 'connect', max: 60, windowMs: minuteMs }
const forms = { name: 'connect_post', max: 10, windowMs: minuteMs }
const common = { tag: 'Connect pages', access: 'public' } as const
const signedIn = { tag: 'Connect pages', access: 'session', activated: true } as const
const tokenPath = z.object({ token: z.string() })
const linkPath = z.object({ id: z.string() })
const signInForm = z
  .strictObject({ email: z.string().max(320), password: z.string().max(1000) })
  .meta({ example: { email: 'ada@example.com', password: 'correct horse battery' } })
const formTokenField = z.string().max(100).optional()
const tokenForm = z.strictObject({ form_token: formTokenField }).meta({ example: { form_token: 'Zk8vT2qLm4Xw9Rb6' } })
const actionForm = z
  .strictObject({ form_token: formTokenField, password: z.string().min(1).max(1024).optional() })
  .meta({ example: { form_token: 'Zk8vT2qLm4Xw9Rb6' } })
const mailForm = z.strictObject({ email: z.string().max(320) }).meta({ example: { email: 'ada@example.com' } })
const page = { schema: z.string(), contentType: 'text/html', headers: connectHeaders }
const elsewhere = { status: 303, description: 'To the next page.', headers: ['Location', 'Cache-Control'] as const }

const otherOrganization = 'You are signed in to another organization.'

/** Of a page that needs a session: the sign-in page instead. */
async function showError(error: ServiceError, { app, headers, params }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token } = (params ?? {}) as { token?: string }
  const path = token === undefined ? '/connect' : `/connect/${encodeURIComponent(token)}`
  if (error.status === 401) return signInPage(app, 401, path, error.message === signInFirst ? undefined : error.message)
  if (error.status === 403 && error.message === otherOrganization) return signedInElsewherePage(app, path)
  return connectRefusal(app, error)
}

const signInFirst = 'Sign in first.'

const seeOther = (app: App, path: string, headers: Record<string, string> = {}) =>
  new RawAnswer(303, { Location: `${app.config.baseUrl}${path}`, 'Cache-Control': 'no-store', ...headers })

const toProvider = ({ authorization_url }: { authorization_url: string }) =>
  new RawAnswer(303, { Location: authorization_url, 'Cache-Control': 'no-store' })

type Visit = { app: App; headers: IncomingHttpHeaders; request: RequestContext }

/** The human of a link. Throws 401 if nobody is signed in, 403 if that is somebody else. */
async function humanOf({ app, headers, request }: Visit, token: string) {
  const link = await requireOpenLink(app, token)
  const actor = await pageActor(app, headers, request, `/connect/${encodeId('csl', link.id)}`)
  if (!actor) throw unauthenticated(signInFirst)
  if (actor.orgId !== link.orgId) throw forbidden(otherOrganization)
  return { link, actor, path: `/connect/${token}` }
}

type Setup = Awaited<ReturnType<typeof humanOf>>

async function showSetup(app: App, { link, actor, path }: Setup, status = 200, again: object = {}) {
  const facts = await setupFacts(app, link)
  return setupPage(app, status, { link, ...facts, path, formToken: formToken(app, actor, link.id), ...again })
}

async function showConnections(app: App, actor: Actor, status = 200, problem?: string) {
  const view = await connectionsOf(app, actor.orgId)
  return connectionsPage(app, status, {
    ...view,
    formToken: formToken(app, actor, 'connections'),
    ...(problem && { problem }),
  })
}

async function enterFrom({ app, headers, request }: Visit, path: string, body: z.infer<typeof signInForm>) {
  requireSameOrigin(app, headers)
  const { token } = await signIn(app, request, body)
  return seeOther(app, path, { 'Set-Cookie': cookie(app, sessionCookie, token, { maxAgeMs: sessionMs, path: '/' }) })
}

const isForm = (headers: IncomingHttpHeaders): boolean =>
  /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')

const actions = { pause: pauseConnection, resume: resumeConnection, disconnect: removeConnection } as const

export const connectPageRoutes = [
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
    description: 'The way through a provider leads here if it failed.',
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
    method: 'get',
    path: '/connect/links/:id',
    operationId: 'showCalendarChoice',
    summary: 'The page on which a human chooses calendars',
    description: 'After the account is connected. Only the primary calendar is checked.',
    perAddress: looks,
    params: linkPath,
    query: anyQuery,
    success: { status: 200, ...page },
    errors: ['not_found'],
    async run({ app, actor, params }) {
      const { row, isCompleted, connection, calendars } = await requireHumanLink(app, actor, params.id)
      if (isCompleted) return completedPage(app)
      if (!connection) throw notFound('connection link')
      return choicePage(app, 200, { link: row, calendars, formToken: formToken(app, actor, row.id) })
    },
    showError,
  }),
  route({
    ...signedIn,
    method: 'post',
    path: '/connect/links/:id',
    operationId: 'completeConnectionLink',
    summary: 'Choose the calendars of a connection link',
    description: prose(
      'A form of our page, or JSON with a console session.',
      '`external_calendar_ids` where availability was asked for,',
      '`destination_external_calendar_id` where events are to be published; nothing else.',
    ),
    perAddress: forms,
    params: linkPath,
    body: completeLinkForm,
    form: true,
    success: { status: 200, schema: linkRecord },
    also: [{ status: 200, schema: z.string(), contentType: 'text/html' }, elsewhere],
    errors: ['validation_error', 'not_found', 'conflict'],
    async run({ app, actor, headers, params, body }) {
      const { form_token: given, ...choice } = body
      if (!isForm(headers)) return completeLink(app, actor, params.id, choice)
      const { row, calendars } = await requireHumanLink(app, actor, params.id)
      requireFormToken(app, actor, row.id, given, headers)
      try {
        await completeLink(app, actor, params.id, choice)
        return seeOther(app, `/connect/links/${params.id}`)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 400) throw error
        const problem = error.message.replace(/^\w+: /, '')
        return choicePage(app, 400, { link: row, calendars, formToken: formToken(app, actor, row.id), problem })
      }
    },
    showError,
  }),
  route({
    ...signedIn,
    method: 'post',
    path: '/connect/connections/:id/:action',
    operationId: 'changeConnectionOnPage',
    summary: 'The forms of the page of connections',
    description: 'The actions are `pause`, `resume`, `reauthorize` and `disconnect`.',
    perAddress: forms,
    params: z.object({ id: z.string(), action: z.string() }),
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
  route({
    ...common,
    method: 'get',
    path: '/connect/:token',
    operationId: 'showConnectionSetup',
    summary: 'The page behind a connection link',
    description: 'The token in the path is the credential of the page; to agree, the human signs in.',
    perAddress: looks,
    params: tokenPath,
    query: anyQuery,
    success: { status: 200, ...page },
    errors: ['forbidden', 'not_found'],
    async run({ app, headers, request, params }) {
      await requireOpenLink(app, params.token)
      const path = `/connect/${params.token}`
      if (!(await pageActor(app, headers, request, '/connect'))) return signInPage(app, 200, path)
      return showSetup(app, await humanOf({ app, headers, request }, params.token))
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/:token/signin',
    operationId: 'signInToSetup',
    summary: 'The form that signs in on the page behind a connection link',
    description: 'Leads back to that page.',
    perAddress: forms,
    params: tokenPath,
    body: signInForm,
    form: true,
    success: elsewhere,
    errors: ['authentication_error', 'forbidden', 'not_found'],
    async run({ app, headers, request, params, body }) {
      await requireOpenLink(app, params.token)
      return enterFrom({ app, headers, request }, `/connect/${params.token}`, body)
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/:token/signout',
    operationId: 'signOutOfSetup',
    summary: 'The form that signs out on the page behind a connection link',
    description: 'Leads back to that page.',
    perAddress: forms,
    params: tokenPath,
    form: true,
    success: elsewhere,
    errors: ['forbidden', 'not_found'],
    async run({ app, headers, request, params }) {
      await requireOpenLink(app, params.token)
      requireSameOrigin(app, headers)
      const actor = await pageActor(app, headers, request, '/connect/signout')
      if (actor) await signOut(app, actor)
      return seeOther(app, `/connect/${params.token}`, forgottenSession(app))
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/:token/begin',
    operationId: 'beginSetup',
    summary: 'The form that connects an account',
    description: 'The answer leads to the provider or, with CalDAV, to the choice of calendars.',
    perAddress: forms,
    params: tokenPath,
    body: beginBody,
    form: true,
    success: elsewhere,
    errors: ['validation_error', 'authentication_error', 'forbidden', 'not_found', 'quota_exceeded', 'provider_error'],
    async run({ app, headers, request, params, body }) {
      const human = await humanOf({ app, headers, request }, params.token)
      const { link, actor } = human
      const { form_token: given, provider, ...typed } = body
      requireFormToken(app, actor, link.id, given, headers)
      const { server_url = '', username = '', password = '' } = typed
      const setup_link_id = encodeId('csl', link.id)
      try {
        if (provider !== 'caldav') return toProvider(await startOauth(app, actor, provider, { setup_link_id }))
        await connectCaldav(app, actor, { server_url, username, password, setup_link_id })
        return seeOther(app, `/connect/links/${setup_link_id}`)
      } catch (error) {
        if (!asksForHtml(headers) || !(error instanceof ServiceError) || ![400, 429, 502].includes(error.status))
          throw error
        const problem = { message: error.message.replace(/^\w+: /, ''), field: error.detail.param ?? undefined }
        return showSetup(app, human, error.status, { typed: { server_url, username }, problem })
      }
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/connect/:token/decline',
    operationId: 'declineSetup',
    summary: 'The form that declines',
    description: 'What was connected for the link is disconnected.',
    perAddress: forms,
    params: tokenPath,
    body: tokenForm,
    form: true,
    success: { status: 200, ...page },
    errors: ['authentication_error', 'forbidden', 'not_found'],
    async run({ app, headers, request, params, body }) {
      const human = await humanOf({ app, headers, request }, params.token)
      requireFormToken(app, human.actor, human.link.id, body.form_token, headers)
      await declineLink(app, human.actor, human.link)
      return declinedPage(app)
    },
    showError,
  }),
]
