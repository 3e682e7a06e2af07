// The operator in the place of an organization's owner: a command does what the owner could do, by the same use case.
import type { Actor } from '../../src/actors/actor.ts'
import { requireOrganization } from '../../src/organizations/organizations.ts'
import { periodAt } from '../../src/plans/period.ts'
import { limitsOf } from '../../src/plans/plans.ts'
import { requestOf, type Tools } from './command.ts'

/** `id` is the organization's, as the API shows it. Throws `notFound`. */
export async function ownerOf(tools: Tools, command: string, id: string): Promise<Actor> {
  const { id: orgId, plan, limits, createdAt } = await requireOrganization(tools.app, id)
  const period = periodAt(createdAt, tools.app.clock.now())
  return { orgId, plan, limits: limitsOf(plan, limits), period, keyPrefix: null, request: requestOf(tools, command) }
}
