// The operator in the place of an organization's owner: a command does what the owner could do, by the same use case.
import type { Actor } from '../../src/actors/actor.ts'
import { requireOrganization } from '../../src/organizations/organizations.ts'
import { periodAt } from '../../src/plans/period.ts'
import { limitsOf } from '../../src/plans/plans.ts'
import { requestOf, type Tools } from './command.ts'

type OrganizationRow = Awaited<ReturnType<typeof requireOrganization>>

/** `id` is the organization's, as the API shows it. Throws `notFound`. */
export const ownerOf = async (tools: Tools, command: string, id: string): Promise<Actor> =>
  ownerIn(tools, command, await requireOrganization(tools.app, id))

/** Of an organization that has been read. */
export function ownerIn(tools: Tools, command: string, row: OrganizationRow): Actor {
  const { id: orgId, plan, limits, createdAt } = row
  const period = periodAt(createdAt, tools.app.clock.now())
  return { orgId, plan, limits: limitsOf(plan, limits), period, keyPrefix: null, request: requestOf(tools, command) }
}
