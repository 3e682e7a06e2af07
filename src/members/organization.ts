// The organization as its members see it.
import { findAccountById } from '../accounts/accounts.ts'
import type { Actor } from '../actors/actor.ts'
import { requireReauthentication } from '../actors/reauthentication.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { roleRequired, secondFactorMissing } from '../errors.ts'
import { requireAccess } from '../organizations/caps.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import type { OrganizationRow } from '../organizations/row.ts'
import { changeByMemberGuard } from '../organizations/writes.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import type { UpdateOwnOrganizationBody } from './schema.ts'

export const getOrganization = async (app: App, { orgId }: Actor) =>
  presentDetail(await requireOrganization(app, encodeId('org', orgId)))

/** The policy is the owners'. Turning a factor off bumps the revision, so an owner who requires one of others has one. */
export async function changeOrganization(app: App, actor: Actor, body: UpdateOwnOrganizationBody) {
  const { name, require_second_factor } = body
  const id = encodeId('org', actor.orgId)
  if (require_second_factor !== undefined) requirePolicyMaker(app, actor)
  return decide(app, { noun: 'organization', key: actor.orgId }, async () => {
    const before = await requireOrganization(app, id)
    await requireAccess(app, actor)
    if (require_second_factor && !(await findAccountById(app, actor.member!.accountId))?.hasFactor)
      throw secondFactorMissing()
    const requireSecondFactor = require_second_factor ?? before.requireSecondFactor
    const row = { ...before, name: name ?? before.name, requireSecondFactor, updatedAt: app.clock.now() }
    const answer = presentDetail(row)
    return commitOrAgain(
      app,
      {
        guard: changeByMemberGuard(app.sql, row),
        effects: [auditEntry(app, actor, 'org.update', id), storeResponse(app, actor, answer)],
      },
      answer,
    )
  })
}

function requirePolicyMaker(app: App, actor: Actor): void {
  if (actor.member!.role !== 'owner') throw roleRequired('owner')
  requireReauthentication(actor, 'always', app.clock.now())
}

const presentDetail = (row: OrganizationRow) => ({
  org: presentOrganization(row),
  policy: { require_second_factor: row.requireSecondFactor },
})
