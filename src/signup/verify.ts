// The code that lifts the sandbox: the same key, the same data, the caps of the free plan.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { invalid } from '../errors.ts'
import { liftedSandbox } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { checkCode } from './code.ts'
import { spentCode } from './queries.ts'
import type { VerifyBody } from './schema.ts'

/** One refusal for whatever is wrong with it. */
const refused = () =>
  invalid('This code is wrong, has expired or was used up. Sign up again with the same address for a fresh one.', 'otp')

export async function verifyAgent(app: App, actor: Actor, body: VerifyBody) {
  const { orgId } = actor
  const hash = await checkCode(app, orgId, body.otp)
  if (!hash) throw refused()
  const { matched } = await commitParts(app, spentCode(app.sql, orgId, hash), {
    organization: liftedSandbox(app),
    audit: auditEntries(app, [
      { actor, action: 'org.update', resource: encodeId('org', orgId) },
      { actor, action: 'account.address_proven', resource: encodeId('org', orgId) },
    ]),
  })
  if (!matched) throw refused()
  await bumpEpoch(app, orgId)
  return {
    verified: true as const,
    message: 'Verified: the limits of the free plan hold from now on, with the same key.',
  }
}
