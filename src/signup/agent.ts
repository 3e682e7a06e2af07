// Agents sign themselves up: an organization in the sandbox with its first agent and its key, until the code that was
// mailed to its owner lifts the caps.
import { paced } from '../accounts/pace.ts'
import type { RequestContext } from '../actors/actor.ts'
import { firstAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { insertKey, mintKey } from '../keys/mint.ts'
import { findByEmail, newOrganization } from '../organizations/organizations.ts'
import { secondsToWait, throttled } from '../quotas/throttle.ts'
import { encodeId } from '../shapes/ids.ts'
import { acceptance, requireCurrentTerms, type Terms } from '../terms/terms.ts'
import { freshCode } from './code.ts'
import { unverified } from './queries.ts'
import { type AgentSignUpBody, domainOf } from './schema.ts'

/** A code may be guessed ten times, and the address may be somebody else's. Beyond this none is mailed; the answer stays the same. */
const codesPerEmail = { name: 'agent_sign_up_codes', most: 10, windowMs: 24 * 60 * 60_000 }
const perDomain = { name: 'agent_sign_up_domain', most: 10, windowMs: 60 * 60_000 }

/** Says nothing about the address. */
const opaque = {
  message:
    'If this address waits for its verification, a fresh code is on its way to it. Otherwise sign in, or use the key you have.',
}

/** A known address is answered the same, after the same time, whoever has it. */
export async function signUpAgent(app: App, request: RequestContext, body: AgentSignUpBody) {
  const terms = await requireCurrentTerms(app, body.tos_version)
  await throttled(app, perDomain, domainOf(body.email))
  return paced(async () => {
    const known = await findByEmail(app, body.email)
    const made = known ? undefined : await openSandbox(app, request, body, terms)
    if (made) return made
    // Somebody else was faster: their organization waits for its code, too.
    const holder = known ?? (await findByEmail(app, body.email))
    if (holder?.verificationStatus === 'unverified' && (await isWithinCodes(app, holder.email))) {
      await commitParts(app, unverified(app.sql, holder.id), freshCode(app, holder.id, holder.email))
    }
    return opaque
  })
}

const isWithinCodes = async (app: App, email: string): Promise<boolean> =>
  (await secondsToWait(app, codesPerEmail, email.toLowerCase())) === 0

/** Undefined when the address has an organization meanwhile. */
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
  const { row, guard } = newOrganization(app, given, now)
  const key = mintKey('svc_sk_', now)
  const agent = firstAgent(app, row.id, body.agent_name)
  const { matched } = await commitParts(app, guard, {
    agent: agent.effect,
    key: insertKey(app.sql, { ...key, orgId: row.id, agentId: null, label: null }),
    acceptance: acceptance(app, terms, { source: 'agent', request, now }),
    audit: auditEntry(app, { orgId: row.id, keyPrefix: key.prefix, request }, 'auth.signup', encodeId('org', row.id)),
    ...freshCode(app, row.id, body.email),
  })
  if (!matched) return undefined
  return {
    org_id: encodeId('org', row.id),
    agent_id: agent.id,
    api_key: key.secret,
    message:
      'A code of 6 digits is on its way to the address. Send it to POST /v1/agent/verify to lift the limits of the sandbox.',
  }
}
