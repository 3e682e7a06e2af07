// Signing in through an identity provider: to it, and back.
import { z } from 'zod'
import { beginSignIn, finishSignIn, requireProvider } from '../../src/accounts/oidc.ts'
import { sealState } from '../../src/accounts/state.ts'
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import { reauthenticateThrough } from '../../src/factors/reauthenticateThrough.ts'
import { reauthenticated } from '../../src/factors/schema.ts'
import { invitationToken } from '../../src/members/invitationSchema.ts'
import { requireCurrentTerms } from '../../src/organizations/terms.ts'
import { tosVersion } from '../../src/organizations/termsSchema.ts'
import { enterThrough } from '../../src/signup/oauth.ts'
import { signedInThrough } from '../../src/signup/schema.ts'
import { requireProviderSession } from '../gate/credential.ts'
import { signedIn } from '../gate/session.ts'
import { challenging } from '../gate/signInChallenge.ts'
import { forgottenState, requireState, startedState, stateCookie } from '../gate/signInState.ts'
import { asksForHtml } from '../http/accept.ts'
import { prose } from '../http/prose.ts'
import { Answer, RawAnswer, route } from '../http/route.ts'
import { toFactorPage } from '../pages/secondFactor.ts'
import { waitsForCode } from './auth.ts'
import { beginInvitation, finishInvitation, sentInvitation, showInvitationRefusal } from './invitationThrough.ts'

const tag = 'Accounts'
const provider = z.object({ provider: z.string().meta({ example: 'google' }) })
/** Our pages that need a session. Other targets are refused, so that this is not an open redirect. */
export const returnTo = z
  .string()
  .max(1_000)
  .regex(
    /^\/(connect(\/[\w-]{43})?|invitations\/[\w-]{43}|approve\/apr_[0-9a-z]{26}|console([/?#][\x21-\x5b\x5d-\x7e]*)?)$/,
    'expected /connect, the path of a setup_url, an invitation or an approval, or /console or a path below it',
  )
  .meta({ description: 'Where the browser goes afterwards, instead of the JSON answer.', example: '/connect' })

const failedSignIn = {
  status: 303,
  description:
    'If `return_to` is a page of the console and the sign-in fails: to its sign-in page, with the type of the error.',
  headers: ['Location', 'Set-Cookie', 'Cache-Control'],
} as const

/** Undefined unless the browser was to go to the console: then the error is the usual answer. */
function backToConsole(app: App, { type }: ServiceError, to: unknown): RawAnswer | undefined {
  if (!returnTo.safeParse(to).success || !String(to).startsWith('/console')) return undefined
  return new RawAnswer(303, {
    Location: `${app.config.baseUrl}/console/sign-in?failed=${type}`,
    'Set-Cookie': forgottenState(app),
    'Cache-Control': 'no-store',
  })
}

const perAddress = { name: 'oauth', max: 60, windowMs: 60_000 }

export const oauthRoutes = [
  route({
    method: 'get',
    path: '/v1/auth/oauth/:provider',
    tag,
    operationId: 'startOauthSignIn',
    summary: 'Sign in through an identity provider',
    description: prose(
      'Redirects a browser to the provider; a cookie keeps the state.',
      'A new account needs `tos_version`, the version of the current terms of service.',
      'With `purpose=reauthenticate` and the session of an account without password and second factor, the provider asks',
      'for the sign-in again, and the callback answers as `POST /v1/auth/reauthenticate`.',
      'A provider that is unknown or not configured is `not_found`.',
      'With `invitation`, the token of a mailed link, the person joins that organization,',
      'if the provider vouches for the invited address.',
    ),
    access: 'public',
    perAddress,
    params: provider,
    query: z.strictObject({
      tos_version: tosVersion.optional(),
      return_to: returnTo.optional(),
      purpose: z.literal('reauthenticate').optional(),
      invitation: invitationToken.optional(),
    }),
    success: { status: 302, description: 'To the provider.', headers: ['Location', 'Set-Cookie', 'Cache-Control'] },
    also: [failedSignIn],
    errors: ['validation_error', 'authentication_error', 'not_found', 'tos_version_stale'],
    async run({ app, request, headers, params, query }) {
      requireProvider(app, params.provider)
      if (query.tos_version !== undefined) await requireCurrentTerms(app, query.tos_version)
      const sessionId = query.purpose && (await requireProviderSession(app, headers))
      const invitation =
        query.invitation === undefined ? undefined : await beginInvitation(app, request.ip, query.invitation)
      const { url, state } = await beginSignIn(app, params.provider, {
        tos: query.tos_version,
        again: sessionId !== undefined,
      })
      return new RawAnswer(302, {
        Location: url,
        'Set-Cookie': stateCookie(
          app,
          await sealState(app, { ...state, sessionId, invitation, returnTo: query.return_to }),
        ),
        'Cache-Control': 'no-store',
      })
    },
    async showError(error, { app, query }) {
      const { return_to: page, purpose } = query as Record<string, unknown>
      return purpose === undefined ? backToConsole(app, error, page) : undefined
    },
  }),
  route({
    method: 'get',
    path: '/v1/auth/oauth/:provider/callback',
    tag,
    operationId: 'finishOauthSignIn',
    summary: 'The address that an identity provider redirects to',
    description: prose(
      'The browser calls it, not you; the answer is that of signing in.',
      'The provider proves the address: if it was not proven before, everything made until then is switched off,',
      'as when a new password is set.',
      'An address that the provider does not vouch for is `forbidden`; on the way of an invitation, with the code `wrong_account`.',
    ),
    access: 'public',
    perAddress,
    params: provider,
    query: z.looseObject({ code: z.string().optional(), state: z.string().optional() }),
    asksOthers: true,
    success: { status: 200, schema: signedInThrough, headers: ['Set-Cookie', 'Cache-Control'] },
    also: [
      { status: 200, schema: reauthenticated },
      { status: 200, schema: z.string(), contentType: 'text/html' },
      {
        status: 303,
        description: 'To `return_to`; if that is a page of the console, failures lead to its sign-in page.',
        headers: ['Location', 'Set-Cookie', 'Cache-Control'],
      },
    ],
    errors: [
      'validation_error',
      'authentication_error',
      waitsForCode,
      'forbidden',
      'wrong_account',
      'not_found',
      'tos_version_stale',
      'quota_exceeded',
    ],
    async run({ app, request, headers, params, query }) {
      requireProvider(app, params.provider)
      const state = await requireState(app, headers, params.provider, query.state)
      const identity = await finishSignIn(app, state, new URLSearchParams(query as Record<string, string>))
      const { sessionId, invitation } = state
      const isFollowing = invitation !== undefined && asksForHtml(headers)
      const page = state.returnTo ?? (isFollowing ? `/invitations/${sentInvitation(app, state)}` : undefined)
      const enter = async () => {
        if (invitation !== undefined) return finishInvitation({ app, request, headers }, identity, state)
        const answer = sessionId
          ? again(app, await reauthenticateThrough(app, sessionId, identity))
          : signedIn(app, 200, await enterThrough(app, request, identity, state.tos), forgottenState(app))
        if (page === undefined) return answer
        return new RawAnswer(303, { ...answer.headers, Location: `${app.config.baseUrl}${page}` })
      }
      const toCode =
        page === undefined ? undefined : (sent: string) => toFactorPage(app, page, sent, forgottenState(app))
      return challenging<Answer | RawAnswer>(app, enter, toCode)
    },
    async showError(error, call) {
      const { app, headers, params } = call
      const { provider: name } = params as { provider: string }
      // Also where the person comes back from another sign-in: the last one says where they are.
      const started = await startedState(app, headers, name)
      const shown = started?.sessionId ? undefined : backToConsole(app, error, started?.returnTo)
      return shown ?? showInvitationRefusal(error, call)
    },
  }),
]

const again = (app: App, answer: object) =>
  new Answer(200, answer, { 'Set-Cookie': forgottenState(app), 'Cache-Control': 'no-store' })
