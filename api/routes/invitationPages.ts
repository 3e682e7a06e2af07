// The pages of an invitation, for the person who has its link. They work without a script. The token in the address is a secret, so
// whatever is recorded of a request names the invitation instead.
import { z } from 'zod'
import { newPassword } from '../../src/accounts/schema.ts'
import type { SessionPrincipal } from '../../src/accounts/sessions.ts'
import { signOut } from '../../src/accounts/signIn.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { notFound, type ServiceError, unauthenticated } from '../../src/errors.ts'
import type { OpenInvitation } from '../../src/members/invitationQueries.ts'
import { findInvitation, invitationTries } from '../../src/members/openInvitation.ts'
import { currentTerms } from '../../src/organizations/terms.ts'
import { tosVersion } from '../../src/organizations/termsSchema.ts'
import { throttleAddress } from '../../src/quotas/throttle.ts'
import { sha256 } from '../../src/sealing/sealer.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { acceptAs } from '../../src/signup/acceptInvitation.ts'
import { signUpInvited } from '../../src/signup/signUpInvited.ts'
import { sessionOf } from '../gate/credential.ts'
import { formToken, requireFormToken } from '../gate/pageSession.ts'
import { cookie, forgottenSession, requireSameOrigin, sessionCookie } from '../gate/session.ts'
import { asksForHtml } from '../http/accept.ts'
import { anyQuery } from '../http/paths.ts'
import { RawAnswer, type RefusedCall, route } from '../http/route.ts'
import { connectRefusal } from '../pages/connectFrame.ts'
import { acceptedPage, acceptPage, deadInvitationPage, otherAccountPage, waysPage } from '../pages/invitation.ts'
import { elsewhere, enterFrom, formTokenField, page, seeOther } from './connectPageParts.ts'

const common = { tag: 'Invitation pages', access: 'public' } as const
const looks = { name: 'invitation_pages', max: 60, windowMs: minuteMs }
const forms = { name: 'invitation_forms', max: 10, windowMs: minuteMs }
const tokenPath = z.object({ token: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4Xw9Rb6Zk8vT2qLm4X' }) })

const pathOf = (token: string) => `/invitations/${token}`

async function requireOpen(app: App, token: string): Promise<OpenInvitation> {
  const invitation = await findInvitation(app, sha256(token))
  if (!invitation) throw notFound('invitation')
  return invitation
}

/** Of one network, over all doors to a token. */
async function requireOpenForm(app: App, request: RequestContext, token: string) {
  await throttleAddress(app, invitationTries, request.ip)
  const invitation = await requireOpen(app, token)
  return { invitation, recorded: { ...request, path: pathOf(encodeId('inv', invitation.id)) } }
}

type Shown = { token: string; invitation: OpenInvitation; session: SessionPrincipal | undefined; problem?: string }

async function show(app: App, status: number, { token, invitation, session, problem }: Shown): Promise<RawAnswer> {
  const path = pathOf(token)
  if (!session) return waysPage(app, status, { invitation, path, problem, token, terms: await currentTerms(app) })
  if (session.account !== invitation.email) return otherAccountPage(app, path, session.account)
  return acceptPage(app, status, { invitation, path, problem, formToken: formToken(app, session, invitation.id) })
}

/** The page again, with the problem. */
async function showError(error: ServiceError, { app, headers, params }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token = '' } = (params ?? {}) as { token?: string }
  if (error.type === 'rate_limit_error' || error.status >= 500) return connectRefusal(app, error)
  const invitation = await findInvitation(app, sha256(token))
  if (!invitation) return deadInvitationPage(app)
  const session = await sessionOf(app, 'get', headers)
  return show(app, error.status, { token, invitation, session, problem: error.message.replace(/^\w+: /, '') })
}

export const invitationPageRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/invitations/:token',
    operationId: 'showInvitation',
    summary: 'The page behind the link of an invitation',
    description: 'Opening it changes nothing. A link that does not work is `not_found`, whatever the reason.',
    perAddress: looks,
    params: tokenPath,
    query: anyQuery,
    success: { status: 200, ...page },
    errors: ['forbidden', 'not_found'],
    run: async ({ app, headers, params: { token } }) =>
      show(app, 200, {
        token,
        invitation: await requireOpen(app, token),
        session: await sessionOf(app, 'get', headers),
      }),
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/invitations/:token/accept',
    operationId: 'acceptInvitationOnPage',
    summary: 'The form that accepts an invitation',
    description: 'For the person who is signed in with the invited address.',
    perAddress: forms,
    params: tokenPath,
    body: z.strictObject({ form_token: formTokenField }).meta({ example: { form_token: 'Zk8vT2qLm4Xw9Rb6' } }),
    form: true,
    success: { status: 200, ...page },
    errors: ['authentication_error', 'forbidden', 'wrong_account', 'not_found', 'quota_exceeded'],
    async run({ app, headers, request, params: { token }, body }) {
      const { invitation, recorded } = await requireOpenForm(app, request, token)
      const session = await sessionOf(app, 'post', headers)
      if (!session) throw unauthenticated('Sign in first.')
      requireFormToken(app, session, invitation.id, body.form_token, headers)
      const { org, member } = await acceptAs(app, recorded, sha256(token), session)
      const lacksFactor = invitation.requiresFactor && !session.session.hasFactor
      return acceptedPage(app, { name: org.name, role: member.role, lacksFactor })
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/invitations/:token/signup',
    operationId: 'signUpOnInvitation',
    summary: 'The form that makes an account and accepts an invitation',
    description: 'The account has the invited address, and no organization of its own.',
    perAddress: forms,
    params: tokenPath,
    body: z
      .strictObject({ password: newPassword, tos_version: tosVersion })
      .meta({ example: { password: 'correct horse battery staple', tos_version: '2026-11-01' } }),
    form: true,
    success: { status: 201, ...page },
    errors: ['forbidden', 'not_found', 'email_taken', 'tos_version_stale', 'quota_exceeded'],
    async run({ app, headers, request, params: { token }, body }) {
      requireSameOrigin(app, headers)
      const { invitation, recorded } = await requireOpenForm(app, request, token)
      const link = { hash: sha256(token), password: body.password, tosVersion: body.tos_version }
      const { org, member, token: session } = await signUpInvited(app, recorded, link)
      const { requiresFactor: lacksFactor } = invitation
      return withSession(
        app,
        session,
        acceptedPage(app, { status: 201, name: org.name, role: member.role, lacksFactor }),
      )
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/invitations/:token/signin',
    operationId: 'signInToInvitation',
    summary: 'The form that signs in on the page of an invitation',
    description: 'Leads back to that page, and accepts nothing.',
    perAddress: forms,
    params: tokenPath,
    body: z.strictObject({ password: z.string().max(1000) }).meta({ example: { password: 'correct horse battery' } }),
    form: true,
    success: elsewhere,
    errors: ['authentication_error', 'forbidden', 'not_found'],
    async run({ app, headers, request, params: { token }, body }) {
      const { invitation, recorded } = await requireOpenForm(app, request, token)
      const who = { email: invitation.email, password: body.password }
      return enterFrom({ app, headers, request: recorded }, pathOf(token), who)
    },
    showError,
  }),
  route({
    ...common,
    method: 'post',
    path: '/invitations/:token/signout',
    operationId: 'signOutOfInvitation',
    summary: 'The form that signs out on the page of an invitation',
    description: 'Leads back to that page.',
    perAddress: forms,
    params: tokenPath,
    form: true,
    success: elsewhere,
    errors: ['forbidden', 'not_found'],
    async run({ app, headers, request, params: { token } }) {
      requireSameOrigin(app, headers)
      const { recorded } = await requireOpenForm(app, request, token)
      const session = await sessionOf(app, 'post', headers)
      if (session) await signOut(app, { ...session, keyPrefix: null, request: recorded })
      return seeOther(app, pathOf(token), forgottenSession(app))
    },
    showError,
  }),
]

const sessionHeader = (app: App, token: string) => ({
  'Set-Cookie': cookie(app, sessionCookie, token, { maxAgeMs: sessionMs, path: '/' }),
})

const withSession = (app: App, token: string, { status, headers, body }: RawAnswer): RawAnswer =>
  new RawAnswer(status, { ...headers, ...sessionHeader(app, token) }, body)
