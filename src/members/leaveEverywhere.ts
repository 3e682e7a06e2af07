// The end of an account by its person: it leaves every organization.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { lastOwner, ServiceError } from '../errors.ts'
import { allOf, changePeopleOf, organizationsAt } from '../organizations/writes.ts'
import { encodeId } from '../shapes/ids.ts'
import { membershipsOf, peopleOfOwner } from './queries.ts'
import { removeMember } from './removal.ts'
import { addressWithout, isLastOwner } from './rules.ts'
import { demoteOwner } from './writes.ts'

/** A refusal comes before anything is done. */
export async function leaveEverywhere(app: App, actor: Actor): Promise<void> {
  const { accountId } = actor.member!
  let memberships = await membershipsOf(app.sql, accountId)
  await giveUpOwnership(app, actor)
  const { responseKey, ...request } = actor.request
  // Further ones were joined in the meantime.
  for (; memberships.length > 0; memberships = await membershipsOf(app.sql, accountId)) {
    for (const [nth, { orgId, id, role }] of memberships.entries()) {
      const isEnd = nth === memberships.length - 1
      const member = { id, accountId, role }
      const leaving = { ...actor, orgId, member, request: isEnd ? actor.request : request }
      await removeMember(app, leaving, 'me', { revokesKeys: false }).catch(unlessGone)
    }
  }
}

/** Somebody else removed the member, or deleted the organization. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ServiceError && error.type === 'not_found')) throw error
}

/**
 * Makes the account an admin wherever it is an owner, in one statement: from then on nothing refuses to let it leave. Throws `last_owner`
 * with the organizations that would have no owner left.
 */
async function giveUpOwnership(app: App, { member, request }: Actor): Promise<void> {
  const { accountId } = member!
  await decide(app, { noun: 'account', key: accountId }, async () => {
    const people = await peopleOfOwner(app.sql, accountId)
    const owned = people.map((one) => ({ ...one, me: one.members.find((person) => person.accountId === accountId)! }))
    const last = owned.filter((one) => isLastOwner(one, one.me))
    if (last.length > 0) throw lastOwner(last.map(({ orgId }) => encodeId('org', orgId)))
    if (owned.length === 0 || request.dryRun) return undefined
    const given = owned.map((one) => ({ ...one, email: addressWithout(one, one.me) ?? null }))
    const locked = organizationsAt(app.sql, given)
    const changed = changePeopleOf(app.sql, given, app.clock.now())
    return commitOrAgain(app, {
      steps: [locked],
      guard: allOf(app.sql, locked, given.length),
      effects: [changed, demoteOwner(app.sql, accountId, changed)],
    })
  })
}
