// The code that lifts the sandbox: the same key and data, with the limits of the free plan.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { invalid } from '../errors.ts'
import { liftSandbox } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { checkCode } from './code.ts'
import type { VerifyBody } from './schema.ts'
import { giveAttempt, spendCodeGuard } from './writes.ts'

const verified = {
  verified: true as const,
  message: 'Verified: the limits of the free plan hold from now on, with the same key.',
}

/** One refusal, whatever is wrong with the code. */
const refused = () =>
  invalid('This code is wrong, has expired or was used up. Sign up again with the same address for a fresh one.', 'otp')

export async function verifyAgent(app: App, actor: Actor, body: VerifyBody) {
  const { orgId } = actor
  const hash = await checkCode(app, orgId, body.otp)
  if (!hash) throw refused()
  // A dry run tells whether a code is right, so a wrong guess counts in it as well.
  if (actor.request.dryRun) await giveAttempt(app.sql, orgId, hash)
  const resource = encodeId('org', orgId)
  const { matched } = await commit(app, {
    guard: spendCodeGuard(app.sql, orgId, hash),
    effects: [
      liftSandbox(app.sql, app.clock.now()),
      auditEntries(app, [
        { actor, action: 'org.update', resource },
        { actor, action: 'account.address_proven', resource },
      ]),
      storeResponse(app, actor, verified),
    ],
  })
  if (!matched) throw refused()
  await bumpEpoch(app, orgId)
  return verified
}
