import { signedInRecord } from '../../src/accounts/schema.ts'
import { signUpAgent } from '../../src/signup/agent.ts'
import { signUp } from '../../src/signup/console.ts'
import { agentSignedUp, agentSignUpBody, signUpBody, verified, verifyBody } from '../../src/signup/schema.ts'
import { verifyAgent } from '../../src/signup/verify.ts'
import { requireSameOrigin, signedIn } from '../gate/session.ts'
import { route } from '../http/route.ts'

export const signupRoutes = [
  route({
    method: 'post',
    path: '/v1/auth/signup',
    tag: 'Accounts',
    operationId: 'signUp',
    summary: 'Sign up to the console',
    description:
      'Makes an organization on the free plan, and mails a link that proves its address (`POST /v1/auth/email/verify`). The session comes in the body and as the cookie `svc_session`; an API key is created with it afterwards. `tos_version` is the `version` of `GET /v1/auth/terms/current`. One client address signs up 100 times an hour, one mail domain 200 times.',
    access: 'public',
    perAddress: { name: 'signup', most: 100, windowMs: 60 * 60_000 },
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
    description:
      'Makes an organization with one agent and a key in the sandbox (10 events a month, one calendar), and mails a code that lifts its limits. For an address that is known already only `message` is answered, and a fresh code is mailed if it was never verified.',
    access: 'public',
    perAddress: { name: 'agent_sign_up', most: 5, windowMs: 60_000 },
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
    description:
      'With the key of the sign-up, which stays the same. A code is good for 10 minutes and 10 attempts; what is wrong with one is not told. Signing up again with the same address mails a fresh one.',
    access: 'organization',
    beyondQuota: true,
    body: verifyBody,
    success: { status: 200, schema: verified },
    errors: ['validation_error'],
    run: ({ app, actor, body }) => verifyAgent(app, actor, body),
  }),
]
