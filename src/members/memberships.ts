// The organizations of an account, and another one that it makes.
import { countOrganizationGuard, insertMembership } from '../accounts/writes.ts'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { accountGone, addressUnproven, capReached } from '../errors.ts'
import { newOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { recordAcceptance, requireCurrentTerms } from '../organizations/terms.ts'
import { insertOrganization } from '../organizations/writes.ts'
import { secondsLeft } from '../plans/period.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { presentMembership, presentSelf } from './present.ts'
import { membershipsOf, ownerOf } from './queries.ts'
import type { OpenOrganizationBody } from './schema.ts'

const maxFreeOrganizations = 3

export const listMemberships = async (app: App, actor: Actor) => ({
  data: (await membershipsOf(app.sql, actor.member!.accountId)).map(presentMembership),
})

/** On the free plan, with the account as its owner. */
export async function openAnother(app: App, actor: Actor, body: OpenOrganizationBody) {
  const { accountId } = actor.member!
  const terms = await requireCurrentTerms(app, body.tos_version)
  return decide(app, { noun: 'account', key: accountId }, async () => {
    const [owner] = await ownerOf(app.sql, accountId)
    if (!owner) throw accountGone()
    if (!owner.provenAt) throw addressUnproven()
    const now = app.clock.now()
    if (owner.freeOrganizations >= maxFreeOrganizations) {
      throw capReached('Free organizations of one owner', maxFreeOrganizations, secondsLeft(actor.period, now))
    }
    const given = {
      name: body.name,
      email: owner.email,
      emailVerified: true,
      signupSource: 'console',
      sharesAddress: true,
      acceptedTermsVersion: terms.version,
      acceptedTermsAt: now,
    }
    const row = newOrganization(given, now)
    const member = { id: newId(), accountId, role: 'owner' } as const
    const { orgId, request } = { orgId: row.id, request: actor.request }
    const answer = { org: presentOrganization(row), member: presentSelf(member) }
    return commitOrAgain(
      app,
      {
        guard: countOrganizationGuard(app.sql, owner, orgId),
        effects: [
          insertOrganization(app.sql, row),
          insertMembership(app.sql, { ...member, joinedAt: now }),
          recordAcceptance(app, terms, { source: 'console', request, now }),
          auditEntry(app, { ...actor, orgId, member }, 'org.create', encodeId('org', orgId)),
          storeResponse(app, actor, answer, { made: [answer.org.id, answer.member.id] }),
        ],
      },
      answer,
    )
  })
}
