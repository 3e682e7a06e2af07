// The pages of a connection link: a human agrees, connects an account and chooses calendars, or declines.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { signOut } from '../../src/accounts/signIn.ts'
import type { App } from '../../src/app.ts'
import {
  completedFor,
  completeLink,
  declineLink,
  isChosen,
  organizationOfLink,
  requireHumanLink,
  requireOpenLink,
} from '../../src/connections/completeLink.ts'
import { connectCaldav } from '../../src/connections/connectCaldav.ts'
import { setupFacts } from '../../src/connections/connectPage.ts'
import { completeLinkForm, linkRecord } from '../../src/connections/linkSchema.ts'
import { beginBody } from '../../src/connections/schema.ts'
import { startOauth } from '../../src/connections/startOauth.ts'
import { notFound, ServiceError } from '../../src/errors.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { sessionOf } from '../gate/credential.ts'
import { formToken, pageActor, requireFormToken } from '../gate/pageSession.ts'
import { forgottenSession, requireSameOrigin } from '../gate/session.ts'
import { asksForHtml } from '../http/accept.ts'
import { anyQuery, idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'
import { choicePage, completedPage } from '../pages/connectChoice.ts'
import { declinedPage, setupPage } from '../pages/connectSetup.ts'
import { signInPage } from '../pages/connectSignIn.ts'
import {
  common,
  elsewhere,
  enterFrom,
  forms,
  formTokenField,
  looks,
  type PageRequest,
  page,
  requireVisitor,
  seeOther,
  showError,
  signedIn,
  signInForm,
  toProvider,
} from './connectPageParts.ts'

const tokenPath = z.object({ token: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6' }) })
const linkPath = idPath('csl')
const organizationOf = (app: App, { id }: Record<string, string>) => organizationOfLink(app, id ?? '')
const tokenForm = z.strictObject({ form_token: formTokenField }).meta({ example: { form_token: 'Zk8vT2qLm4Xw9Rb6' } })

/** For the audit log. */
const pathWithoutToken = ({ id }: { id: Uuid }) => `/connect/${encodeId('csl', id)}`

/** The human of a link. Throws 401 without a session, 403 for the session of another human. */
async function humanOf({ app, headers, request }: PageRequest, token: string) {
  const link = await requireOpenLink(app, token)
  const actor = await requireVisitor({ app, headers, request }, pathWithoutToken(link), link.orgId)
  return { link, actor, path: `/connect/${token}` }
}

/** The human who completed the link comes back, by the button of the browser. The address has ended all the same. */
async function isDone({ app, headers, request }: PageRequest, token: string): Promise<boolean> {
  const orgId = asksForHtml(headers) ? await completedFor(app, token) : undefined
  return (
    orgId !== undefined && (await pageActor(app, headers, request, '/connect', orgId).catch(noMember)) !== undefined
  )
}

function noMember(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.type !== 'not_found') throw error
}

type Setup = Awaited<ReturnType<typeof humanOf>>

async function showSetup(app: App, { link, actor, path }: Setup, status = 200, again: object = {}) {
  const facts = await setupFacts(app, link)
  return setupPage(app, status, { link, ...facts, path, formToken: formToken(app, actor, link.id), ...again })
}

const isForm = (headers: IncomingHttpHeaders): boolean =>
  /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')

export const connectLinkPageRoutes = [
  route({
    ...signedIn,
    method: 'get',
    path: '/connect/links/:id',
    operationId: 'showCalendarChoice',
    summary: 'The page on which a human chooses calendars',
    description: 'After the account is connected. Only the primary calendar is checked.',
    organizationOf,
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
      '`external_calendar_ids` if availability was requested,',
      '`destination_external_calendar_id` if events are to be published; nothing else.',
    ),
    organizationOf,
    perAddress: forms,
    params: linkPath,
    body: completeLinkForm,
    form: true,
    success: { status: 200, schema: linkRecord },
    also: [{ status: 200, schema: z.string(), contentType: 'text/html' }, elsewhere],
    errors: ['validation_error', 'not_found', 'conflict', 'agent_decommissioned'],
    async run({ app, actor, headers, params, body }) {
      const { form_token: given, ...choice } = body
      if (!isForm(headers)) return completeLink(app, actor, params.id, choice)
      const { row, calendars } = await requireHumanLink(app, actor, params.id)
      requireFormToken(app, actor, row.id, given, headers)
      const next = seeOther(app, `/connect/links/${params.id}`)
      try {
        await completeLink(app, actor, params.id, choice)
        return next
      } catch (error) {
        if (error instanceof ServiceError && error.status === 409 && (await isChosen(app, actor, row, choice)))
          return next
        if (!(error instanceof ServiceError) || error.status !== 400) throw error
        const problem = error.message.replace(/^\w+: /, '')
        return choicePage(app, 400, { link: row, calendars, formToken: formToken(app, actor, row.id), problem })
      }
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
    errors: ['forbidden', 'second_factor_required', 'not_found'],
    async run({ app, headers, request, params }) {
      const path = `/connect/${params.token}`
      if (await isDone({ app, headers, request }, params.token)) return completedPage(app, 404)
      await requireOpenLink(app, params.token)
      if (!(await sessionOf(app, 'get', headers))) return signInPage(app, 200, path)
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
      const link = await requireOpenLink(app, params.token)
      const recorded = { ...request, path: pathWithoutToken(link) }
      return enterFrom({ app, headers, request: recorded }, `/connect/${params.token}`, body)
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
      const link = await requireOpenLink(app, params.token)
      requireSameOrigin(app, headers)
      const session = await sessionOf(app, 'post', headers)
      const recorded = { ...request, path: pathWithoutToken(link) }
      if (session) await signOut(app, { ...session, keyPrefix: null, request: recorded })
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
    errors: [
      'validation_error',
      'authentication_error',
      'forbidden',
      'second_factor_required',
      'not_found',
      'quota_exceeded',
      'provider_error',
    ],
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
    description: 'A connection that was made for the link is disconnected.',
    perAddress: forms,
    params: tokenPath,
    body: tokenForm,
    form: true,
    success: { status: 200, ...page },
    errors: ['authentication_error', 'forbidden', 'second_factor_required', 'not_found'],
    async run({ app, headers, request, params, body }) {
      const human = await humanOf({ app, headers, request }, params.token)
      requireFormToken(app, human.actor, human.link.id, body.form_token, headers)
      await declineLink(app, human.actor, human.link)
      return declinedPage(app)
    },
    showError,
  }),
]
