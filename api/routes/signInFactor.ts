// The second part of a sign-in: the code. A browser comes here with a cookie, a program with the challenge.
import { z } from 'zod'
import { signedInRecord } from '../../src/accounts/schema.ts'
import type { ServiceError } from '../../src/errors.ts'
import { factorBody } from '../../src/factors/schema.ts'
import { signInWithCode } from '../../src/factors/signIn.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { requireSameOrigin, signedIn } from '../gate/session.ts'
import { forgottenChallenge, sentChallenge } from '../gate/signInChallenge.ts'
import { asksForHtml } from '../http/accept.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, type RefusedCall, route } from '../http/route.ts'
import { pageHeaders } from '../pages/document.ts'
import { factorPage, factorPath, signInEndedPage } from '../pages/secondFactor.ts'
import { returnTo } from './authOauth.ts'

const tag = 'Accounts'
/** A challenge cannot be guessed; this bounds the work alone. */
const perAddress = { name: 'signin_factor', max: 600, windowMs: 15 * minuteMs }

/** One of our pages, or none. */
const pageIn = (sent: unknown): string | undefined => returnTo.safeParse(sent).data

export const signInFactorRoutes = [
  route({
    method: 'post',
    path: factorPath,
    tag,
    operationId: 'signInWithCode',
    summary: 'Finish a sign-in with a code',
    description: prose(
      'Of the authenticator app, or a recovery code, which works once. A code of the app works once as well, and none before it.',
      'Five wrong codes end the sign-in (`challenge_ended`).',
      'Ten wrong codes of an account in 15 minutes are `rate_limit_error`, and then right ones are too.',
    ),
    access: 'public',
    perAddress,
    body: factorBody,
    form: true,
    success: { status: 200, schema: signedInRecord, headers: ['Set-Cookie', 'Cache-Control'] },
    also: [
      {
        status: 303,
        description: 'After the form of our page: to the page that the person came from.',
        headers: ['Location', 'Set-Cookie', 'Cache-Control'],
      },
    ],
    errors: ['authentication_error', 'wrong_code', 'challenge_ended', 'forbidden', 'rate_limit_error'],
    async run({ app, request, headers, body }) {
      requireSameOrigin(app, headers)
      const challenge = body.challenge ?? sentChallenge(headers)
      const entered = await signInWithCode(app, request, { code: body.code, challenge })
      const answer = signedIn(app, 200, entered, forgottenChallenge(app))
      if (!asksForHtml(headers)) return answer
      return new RawAnswer(303, {
        ...answer.headers,
        Location: `${app.config.baseUrl}${pageIn(body.return_to) ?? '/connect'}`,
      })
    },
    showError: showRefusal,
  }),
  route({
    method: 'get',
    path: factorPath,
    tag,
    operationId: 'showSignInFactor',
    summary: 'The page that asks for the code of a sign-in',
    description: 'A sign-in with `return_to` leads here. Opening the page changes nothing.',
    access: 'public',
    perAddress,
    query: z.strictObject({ return_to: z.string().max(200).optional() }),
    success: { status: 200, schema: z.string(), contentType: 'text/html', headers: pageHeaders },
    errors: ['validation_error'],
    run: async ({ app, query }) => factorPage(app, 200, pageIn(query.return_to)),
  }),
]

/** Shows the form again if another code helps, or else the way back. */
async function showRefusal(error: ServiceError, { app, headers, body }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const page = pageIn((body as { return_to?: unknown } | undefined)?.return_to)
  return error.detail.code === 'wrong_code' || error.detail.param === 'code'
    ? factorPage(app, error.status, page, error.message)
    : signInEndedPage(app, error.status, page, error.message)
}
