import { z } from 'zod'
import { beginSignIn, finishSignIn, requireProvider } from '../../src/accounts/oidc.ts'
import { forgetPassword, resetPassword } from '../../src/accounts/resets.ts'
import {
  account,
  forgotBody,
  resetBody,
  said,
  signedInRecord,
  signInBody,
  verifyEmailBody,
} from '../../src/accounts/schema.ts'
import { currentAccount, signIn, signOut } from '../../src/accounts/signIn.ts'
import { sealState } from '../../src/accounts/state.ts'
import { mailVerificationLink, verifyEmail } from '../../src/accounts/verifyEmail.ts'
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import { reauthenticateThrough } from '../../src/factors/reauthenticateThrough.ts'
import { reauthenticated } from '../../src/factors/schema.ts'
import { invitationToken } from '../../src/members/invitationSchema.ts'
import { requireCurrentTerms } from '../../src/organizations/terms.ts'
import { tosVersion } from '../../src/organizations/termsSchema.ts'
import { enterThrough } from '../../src/signup/oauth.ts'
import { signedInThrough } from '../../src/signup/schema.ts'
import { requireProviderSession, sessionOf } from '../gate/credential.ts'
import { forgottenSession, requireSameOrigin, signedIn } from '../gate/session.ts'
import { challenging } from '../gate/signInChallenge.ts'
import { findState, forgottenState, requireState, stateCookie } from '../gate/signInState.ts'
import { asksForHtml } from '../http/accept.ts'
import { prose } from '../http/prose.ts'
import { Answer, RawAnswer, route } from '../http/route.ts'
import { pageHeaders } from '../pages/document.ts'
import { linkUsedUpPage, passwordSetPage, resetPage, showResetRefusal } from '../pages/passwordReset.ts'
import { toFactorPage } from '../pages/secondFactor.ts'
import { emailVerifiedPage, showVerifyRefusal, verifyEmailPage } from '../pages/verifyEmail.ts'
import { beginInvitation, finishInvitation, showInvitationRefusal } from './invitationThrough.ts'

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

/** The refusal of a sign-in until a code is sent. */
const waitsForCode = { type: 'authentication_error', status: 401, code: 'second_factor_required' } as const

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
const verifying = { name: 'verify_email', max: 120, windowMs: 15 * 60_000 }

export const authRoutes = [
  route({
    method: 'post',
    path: '/v1/auth/signin',
    tag,
    operationId: 'signIn',
    summary: 'Sign in to the console',
    description: prose(
      'The token works as a bearer token for 12 hours, and is also set as the cookie `svc_session`.',
      'An unknown address and a wrong password get the same answer.',
      'After 10 failures in 15 minutes for one address from one place, the answer is `rate_limit_error`.',
      'An account with a second factor gets `second_factor_required` with a `challenge`, also as the cookie `svc_factor`:',
      '`POST /v1/auth/signin/factor` goes on.',
    ),
    access: 'public',
    body: signInBody,
    success: { status: 200, schema: signedInRecord, headers: ['Set-Cookie', 'Cache-Control'] },
    errors: ['validation_error', 'authentication_error', waitsForCode, 'forbidden', 'rate_limit_error'],
    async run({ app, request, headers, body }) {
      requireSameOrigin(app, headers)
      return signedIn(app, 200, await challenging(app, () => signIn(app, request, body)))
    },
  }),
  route({
    method: 'post',
    path: '/v1/auth/signout',
    tag,
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'From now on every process refuses the token.',
    access: 'session',
    role: 'self',
    success: { status: 204, headers: ['Set-Cookie'] },
    errors: ['validation_error'],
    async run({ app, actor }) {
      await signOut(app, actor)
      return new Answer(204, undefined, forgottenSession(app))
    },
  }),
  route({
    method: 'get',
    path: '/v1/auth/me',
    tag,
    operationId: 'getAccount',
    summary: 'Get the signed-in organization',
    description: prose(
      'Also works for organizations on the waitlist.',
      'A null `accepted_terms_version` means that no terms have been accepted yet.',
    ),
    access: 'session',
    role: 'self',
    success: { status: 200, schema: account },
    errors: [],
    run: ({ app, actor }) => currentAccount(app, actor),
  }),
  route({
    method: 'post',
    path: '/v1/auth/password/forgot',
    tag,
    operationId: 'requestPasswordReset',
    summary: 'Request a link to set a new password',
    description: prose(
      'The answer is the same for every address, known or unknown.',
      'The link works once, for 30 minutes; an address gets at most 5 links an hour.',
      'It also sets the first password of an organization that never had one.',
    ),
    access: 'public',
    body: forgotBody,
    success: { status: 202, schema: said },
    errors: ['validation_error'],
    run: ({ app, request, body }) => forgetPassword(app, request, body.email),
  }),
  route({
    method: 'post',
    path: '/v1/auth/password/reset',
    tag,
    operationId: 'resetPassword',
    summary: 'Set a new password',
    description: prose(
      'Takes the token of the mailed link, and ends every session.',
      'If the address was not proven before, everything made until then is switched off:',
      'keys, webhooks, booking pages',
      'and feed addresses. A mail lists what was switched off.',
      'A token that was used, has expired or never existed changes nothing; `message` says so.',
    ),
    access: 'public',
    perAddress: { name: 'reset', max: 120, windowMs: 15 * 60_000 },
    body: resetBody,
    form: true,
    success: { status: 202, schema: said },
    also: [{ status: 202, schema: z.string(), contentType: 'text/html' }],
    errors: ['validation_error'],
    async run({ app, request, headers, body }) {
      const { isSet, message } = await resetPassword(app, request, body)
      if (!asksForHtml(headers)) return { message }
      return isSet ? passwordSetPage(app, message) : linkUsedUpPage(app, message)
    },
    showError: showResetRefusal,
  }),
  route({
    method: 'get',
    path: '/v1/auth/password/reset',
    tag,
    operationId: 'showPasswordReset',
    summary: 'The page behind the mailed link',
    description: 'A form for people. The token is checked only when the password is sent.',
    access: 'public',
    query: z.strictObject({ token: z.string().max(200).default('') }),
    success: { status: 200, schema: z.string(), contentType: 'text/html', headers: pageHeaders },
    errors: ['validation_error'],
    run: async ({ app, query }) => resetPage(app, query.token),
  }),
  route({
    method: 'post',
    path: '/v1/auth/email/link',
    tag,
    operationId: 'requestEmailLink',
    summary: 'Request a link that proves the address',
    description: prose(
      'Signing up mails the first link; this mails another one, which works for 24 hours.',
      'An address gets at most 5 links an hour, links to set a password included.',
      'An address that is already proven is `conflict`.',
    ),
    access: 'session',
    role: 'self',
    success: { status: 202, schema: said },
    errors: ['validation_error', 'conflict', 'rate_limit_error'],
    run: ({ app, actor }) => mailVerificationLink(app, actor),
  }),
  route({
    method: 'post',
    path: '/v1/auth/email/verify',
    tag,
    operationId: 'verifyEmail',
    summary: 'Prove the address of a sign-up',
    description: prose(
      'Takes the token of the mailed link, and proof that the caller is the person who signed up:',
      'their session (cookie or bearer token) or their `password`. Everything made before stays.',
      'Without such proof, `POST /v1/auth/password/reset` with the same token also proves the address,',
      'and switches off what was made before.',
      'A token that was used, has expired or never existed, and a wrong password, are `validation_error`.',
    ),
    access: 'public',
    perAddress: verifying,
    body: verifyEmailBody,
    form: true,
    success: { status: 200, schema: account },
    also: [{ status: 200, schema: z.string(), contentType: 'text/html' }],
    errors: ['validation_error', 'forbidden'],
    async run({ app, request, headers, body }) {
      const answer = await verifyEmail(app, request, body, (await sessionOf(app, 'post', headers))?.member.accountId)
      return asksForHtml(headers) ? emailVerifiedPage(app) : answer
    },
    showError: showVerifyRefusal,
  }),
  route({
    method: 'get',
    path: '/v1/auth/email/verify',
    tag,
    operationId: 'showEmailVerification',
    summary: 'The page behind the mailed link of a sign-up',
    description: 'Forms for people. Opening the page changes nothing.',
    access: 'public',
    perAddress: verifying,
    query: z.strictObject({ token: z.string().max(200).default('') }),
    success: { status: 200, schema: z.string(), contentType: 'text/html', headers: pageHeaders },
    errors: ['validation_error'],
    run: async ({ app, headers, query }) =>
      verifyEmailPage(app, {
        token: query.token,
        signedInAs: (await sessionOf(app, 'get', headers))?.member.accountId,
      }),
  }),
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
      const page = state.returnTo ?? (isFollowing ? '/connect' : undefined)
      const enter = async () => {
        if (invitation !== undefined)
          return finishInvitation({ app, request, headers }, identity, { ...state, invitation })
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
      const { app, headers, params, query } = call
      const { provider: name } = params as { provider: string }
      const state = await findState(app, headers, name, (query as { state?: string }).state)
      const shown = state?.sessionId ? undefined : backToConsole(app, error, state?.returnTo)
      return shown ?? showInvitationRefusal(error, call)
    },
  }),
]

const again = (app: App, answer: object) =>
  new Answer(200, answer, { 'Set-Cookie': forgottenState(app), 'Cache-Control': 'no-store' })
