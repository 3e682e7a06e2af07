// The organization as its members see it.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import type { OrganizationRow } from '../organizations/row.ts'
import { renameOrganizationGuard } from '../organizations/writes.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import type { RenameBody } from './schema.ts'

export const getOrganization = async (app: App, { orgId }: Actor) =>
  presentDetail(await requireOrganization(app, encodeId('org', orgId)))

export async function renameOrganization(app: App, actor: Actor, { name }: RenameBody) {
  const id = encodeId('org', actor.orgId)
  return decide(app, { noun: 'organization', key: actor.orgId }, async () => {
    const before = await requireOrganization(app, id)
    const row = { ...before, name: name ?? before.name, updatedAt: app.clock.now() }
    const answer = presentDetail(row)
    const { matched } = await commit(app, {
      guard: renameOrganizationGuard(app.sql, row),
      effects: [auditEntry(app, actor, 'org.update', id), storeResponse(app, actor, answer)],
    })
    return matched ? answer : again
  })
}

const presentDetail = (row: OrganizationRow) => ({
  org: presentOrganization(row),
  policy: { require_second_factor: false },
})
