// Agents sign themselves up: an organization in the sandbox with its first agent and its key. The code that is mailed to its
// owner lifts the sandbox.
import { findKnown } from '../accounts/accounts.ts'
import { inConstantTime } from '../accounts/constantTime.ts'
import type { RequestContext } from '../actors/actor.ts'
import { firstAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { mintKey } from '../keys/mint.ts'
import { insertKey } from '../keys/writes.ts'
import { findByEmail, newOrganization } from '../organizations/organizations.ts'
import { recordAcceptance, requireCurrentTerms, type Terms } from '../organizations/terms.ts'
import { insertOrganizationGuard } from '../organizations/writes.ts'
import { secondsToWait, throttle } from '../quotas/throttle.ts'
import { encodeId } from '../shapes/ids.ts'
import { mailCode } from './code.ts'
import { type AgentSignUpBody, domainOf } from './schema.ts'
import { sandboxGuard } from './writes.ts'

/** Each code can be guessed ten times, and the address may be somebody else's. Beyond this no code is mailed; the answer stays the same. */
const codesPerEmail = { name: 'agent_sign_up_codes', max: 10, windowMs: 24 * 60 * 60_000 }
const perDomain = { name: 'agent_sign_up_domain', max: 10, windowMs: 60 * 60_000 }

/** Reveals nothing about the address. */
const opaque = {
  message:
    'If this address waits for its verification, a fresh code is on its way to it. Otherwise sign in, or use the key you have.',
}

/** A known address always gets the same answer after the same time. */
export async function signUpAgent(app: App, request: RequestContext, body: AgentSignUpBody) {
  const terms = await requireCurrentTerms(app, body.tos_version)
  await throttle(app, perDomain, domainOf(body.email))
  return inConstantTime(async () => {
    const known = await findKnown(app, body.email)
    const made = known.account || known.organization ? undefined : await openSandbox(app, request, body, terms)
    if (made) return made
    await mailAnotherCode(app, body.email)
    return opaque
  })
}

/** For an organization in the sandbox, including one that somebody else made at this moment. */
async function mailAnotherCode(app: App, email: string) {
  const holder = await findByEmail(app, email)
  if (holder?.verificationStatus !== 'unverified') return
  if ((await secondsToWait(app, codesPerEmail, holder.email.toLowerCase())) > 0) return
  await commit(app, {
    guard: sandboxGuard(app.sql, holder.id),
    effects: mailCode(app, holder.id, holder.email),
  })
}

/** Undefined if the address has got an organization since it was looked up. */
async function openSandbox(app: App, request: RequestContext, body: AgentSignUpBody, terms: Terms) {
  const now = app.clock.now()
  const given = {
    name: body.agent_name,
    email: body.email,
    plan: 'free-agent-unverified',
    verificationStatus: 'unverified',
    signupSource: 'agent',
    acceptedTermsVersion: terms.version,
    acceptedTermsAt: now,
  } as const
  const row = newOrganization(given, now)
  const orgId = encodeId('org', row.id)
  const key = mintKey('svc_sk_', now)
  const agent = firstAgent(app, byActor({ orgId: row.id, keyPrefix: key.prefix }), body.agent_name)
  const { matched } = await commit(app, {
    guard: insertOrganizationGuard(app.sql, row),
    effects: [
      ...agent.effects,
      insertKey(app.sql, { ...key, orgId: row.id }),
      recordAcceptance(app, terms, { source: 'agent', request, now }),
      auditEntry(app, { orgId: row.id, keyPrefix: key.prefix, request }, 'auth.signup', orgId),
      ...mailCode(app, row.id, body.email),
    ],
  })
  if (!matched) return undefined
  return {
    org_id: orgId,
    agent_id: agent.id,
    api_key: key.secret,
    message:
      'A code of 6 digits is on its way to the address. Send it to POST /v1/agent/verify to lift the limits of the sandbox.',
  }
}
