// Turning a second factor off, by its person or by the administrator.
import { accountByEmail } from '../accounts/queries.ts'
import { unmarkSessions } from '../accounts/sessionWrites.ts'
import { endSessions } from '../accounts/writes.ts'
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { notFound, requiredByOrganization } from '../errors.ts'
import { bumpRevisions } from '../organizations/writes.ts'
import { encodeId } from '../shapes/ids.ts'
import { dryRunEnd, storeResponse } from '../storedResponses/storeResponse.ts'
import { requireAccountFactor, requireFactorOn } from './factors.ts'
import { noticeOf } from './notice.ts'
import { organizationsOf } from './queries.ts'
import { lockOrganizations, removeRecoveryCodes, resetFactorGuard, turnOffGuard } from './writes.ts'

export async function turnOffTotp(app: App, actor: Actor): Promise<void> {
  const { accountId } = actor.member!
  await decide(app, { noun: 'account', key: accountId }, async () => {
    const factor = await requireFactorOn(app, { accountId })
    const requiring = (await organizationsOf(app.sql, accountId)).filter(({ requiresFactor }) => requiresFactor)
    if (requiring.length > 0) throw requiredByOrganization(requiring.map(({ orgId }) => encodeId('org', orgId)))
    const organizations = lockOrganizations(app.sql, accountId)
    return commitOrAgain(app, {
      // An owner who turns the policy on at this moment decides by the revision, and looks again.
      steps: [organizations, bumpRevisions(app.sql, organizations)],
      guard: turnOffGuard(app.sql, factor, organizations, app.clock.now()),
      effects: [
        removeRecoveryCodes(app.sql),
        unmarkSessions(app.sql, accountId),
        ...(await noticeOf(app, { ...actor, ...factor }, 'off')),
        dryRunEnd(app, actor, undefined),
      ],
    })
  })
}

/** For somebody who has lost the app and the recovery codes. Ends all sessions of the account. */
export async function resetFactor(app: App, request: RequestContext, email: string): Promise<void> {
  const [account] = await accountByEmail(app.sql, email.toLowerCase())
  if (!account) throw notFound('account', 'email')
  const organizations = await organizationsOf(app.sql, account.id)
  await decide(app, { noun: 'account', key: account.id }, async () => {
    const factor = await requireAccountFactor(app, account.id)
    return commitOrAgain(app, {
      guard: resetFactorGuard(app.sql, factor, app.clock.now()),
      effects: [
        removeRecoveryCodes(app.sql),
        endSessions(app.sql, account.id),
        ...(await noticeOf(app, { ...factor, request }, 'reset')),
        storeResponse(app, { request }, undefined),
      ],
    })
  })
  for (const { orgId } of organizations) rouseCallers(app, orgId)
}
