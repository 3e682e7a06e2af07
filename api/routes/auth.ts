import { z } from 'zod'
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
import { mailVerificationLink, verifyEmail } from '../../src/accounts/verifyEmail.ts'
import { sessionOf } from '../gate/credential.ts'
import { forgottenSession, requireSameOrigin, signedIn } from '../gate/session.ts'
import { challenging } from '../gate/signInChallenge.ts'
import { asksForHtml } from '../http/accept.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'
import { pageHeaders } from '../pages/document.ts'
import { linkUsedUpPage, passwordSetPage, resetPage, showResetRefusal } from '../pages/passwordReset.ts'
import { emailVerifiedPage, showVerifyRefusal, verifyEmailPage } from '../pages/verifyEmail.ts'

const tag = 'Accounts'

/** The refusal of a sign-in until a code is sent. */
export const waitsForCode = { type: 'authentication_error', status: 401, code: 'second_factor_required' } as const

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
]
