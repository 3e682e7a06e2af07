// The end of a membership. It is in force before the answer: the sessions that are in this organization end, the account's others no
// longer reach it, and the calendars that the member connected are disconnected.
import type { Actor } from '../actors/actor.ts'
import { requireReauthentication } from '../actors/reauthentication.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { type Committed, commit } from '../commit/commit.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { sourcesOfMember } from '../connections/told.ts'
import { removeOfMember } from '../connections/writes.ts'
import { lastOwner } from '../errors.ts'
import { revokeKeysMadeBy } from '../keys/writes.ts'
import { sendLater } from '../mails/mails.ts'
import { changePeopleGuard } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { emit } from '../webhooks/emit.ts'
import { farewellMail } from './mails.ts'
import { changePeople, type PeopleNow, requirePerson, requireRole } from './people.ts'
import { membershipsOf } from './queries.ts'
import { addressWithout, isLastOwner, type Person, roleToTouch } from './rules.ts'
import { deleteMembership } from './writes.ts'

type Removal = { revokesKeys: boolean }

/** Whether `id`, as it was sent, is the member who asks. */
export const isSelf = ({ id }: { id: string }, member: NonNullable<Actor['member']>): boolean =>
  id === 'me' || id === encodeId('mem', member.id)

export async function removeMember(app: App, actor: Actor, id: string, removal: Removal): Promise<void> {
  const leaves = isSelf({ id }, actor.member!)
  // The last membership takes the account with it.
  if (leaves && (await membershipsOf(app.sql, actor.member!.accountId)).length === 1) {
    requireReauthentication(actor, 'always', app.clock.now())
  }
  await changePeople(app, actor, async (people) => {
    const person = leaves ? people.me : requirePerson(people, id)
    if (!leaves) requireRole(people, roleToTouch(person.role))
    if (isLastOwner(people, person)) throw lastOwner()
    return endMembership(app, actor, people, person, removal)
  })
  // Every process forgets the keys that it knows.
  if (removal.revokesKeys) await bumpEpoch(app, actor.orgId)
  else rouseCallers(app, actor.orgId)
}

async function endMembership(
  app: App,
  actor: Actor,
  people: PeopleNow,
  person: Person,
  { revokesKeys }: Removal,
): Promise<Committed<unknown>> {
  const { orgId, name } = people
  const now = app.clock.now()
  const action = person.id === people.me.id ? 'member.leave' : 'member.remove'
  const told = await sourcesOfMember(app, orgId, person.id)
  return commit(app, {
    guard: changePeopleGuard(app.sql, people, addressWithout(people, person), now),
    effects: [
      ...removeOfMember(app.sql, orgId, person.id, now),
      ...emit(app, byActor(actor), told),
      revokesKeys ? revokeKeysMadeBy(app.sql, orgId, person.id, now) : undefined,
      deleteMembership(app.sql, orgId, person.id),
      sendLater(app, farewellMail({ to: person.email, organization: name })),
      auditEntry(app, actor, action, encodeId('mem', person.id)),
      storeResponse(app, actor, undefined),
    ],
  })
}
