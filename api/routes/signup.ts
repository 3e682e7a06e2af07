import { signedInRecord } from '../../src/accounts/schema.ts'
import { signUpAgent } from '../../src/signup/agent.ts'
import { signUp } from '../../src/signup/console.ts'
import { agentSignedUp, agentSignUpBody, signUpBody, verified, verifyBody } from '../../src/signup/schema.ts'
import { verifyAgent } from '../../src/signup/verify.ts'
import { requireSameOrigin, signedIn } from '../gate/session.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const signupRoutes = [
  route({
    method: 'post',
    path: '/v1/auth/signup',
    tag: 'Accounts',
    operationId: 'signUp',
    summary: 'Sign up for the console',
    description: prose(
      'Creates an organization on the free plan, and mails a link that proves its address',
      '(`POST /v1/auth/email/verify`).',
      'The session is in the body and in the cookie `svc_session`; use it to create an API key.',
      '`tos_version` is the `version` of `GET /v1/auth/terms/current`.',
      'A client address may sign up 100 times an hour, a mail domain 200 times.',
    ),
    access: 'public',
    perAddress: { name: 'signup', max: 100, windowMs: 60 * 60_000 },
    body: signUpBody,
    success: { status: 201, schema: signedInRecord, headers: ['Set-Cookie', 'Cache-Control'] },
    errors: ['validation_error', 'email_taken', 'tos_version_stale', 'forbidden'],
    async run({ app, request, headers, body }) {
      requireSameOrigin(app, headers)
      return signedIn(app, 201, await signUp(app, request, body))
    },
  }),
  route({
    method: 'post',
    path: '/v1/agent/sign-up',
    tag: 'Agent self-signup',
    operationId: 'signUpAgent',
    summary: 'Sign up as an agent',
    description: prose(
      'Creates an organization with one agent and a key in the sandbox (10 events a month, one calendar),',
      'and mails a code that lifts its limits.',
      'For an address that is already known, the answer has only `message`;',
      'if it was never verified, a fresh code is mailed.',
    ),
    access: 'public',
    perAddress: { name: 'agent_sign_up', max: 5, windowMs: 60_000 },
    body: agentSignUpBody,
    success: { status: 200, schema: agentSignedUp },
    errors: ['validation_error', 'tos_version_stale'],
    run: ({ app, request, body }) => signUpAgent(app, request, body),
  }),
  route({
    method: 'post',
    path: '/v1/agent/verify',
    tag: 'Agent self-signup',
    operationId: 'verifyAgent',
    summary: 'Lift the limits of the sandbox',
    description: prose(
      'Use the key of the sign-up, which stays the same.',
      'A code works for 10 minutes and 10 attempts; the answer does not say why a code is wrong.',
      'Signing up again with the same address mails a fresh code.',
    ),
    access: 'organization',
    role: 'admin',
    beyondQuota: true,
    body: verifyBody,
    success: { status: 200, schema: verified },
    errors: ['validation_error'],
    run: ({ app, actor, body }) => verifyAgent(app, actor, body),
  }),
]
