// A change of the people of an organization: it is decided by all of them as of one revision, and written only at that revision.
import { organizationHeader } from '../accounts/sessions.ts'
import type { Actor } from '../actors/actor.ts'
import { isAtLeast, type Role } from '../actors/roles.ts'
import type { App } from '../app.ts'
import type { Committed } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { notFound, roleRequired } from '../errors.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { type PeopleRow, peopleOf } from './queries.ts'
import type { Person } from './rules.ts'

export const findPeople = async ({ sql }: App, orgId: Uuid): Promise<PeopleRow | undefined> =>
  (await peopleOf(sql, orgId))[0]

/** `me`: the member who acts. Their role may have changed since the gate read it. */
export type PeopleNow = PeopleRow & { me: Person }

/** `change` decides and commits at the revision of `people`. Throws as `asMember`. */
export async function changePeople(
  app: App,
  { orgId, member }: Pick<Actor, 'orgId' | 'member'>,
  change: (people: PeopleNow) => Promise<Committed<unknown>>,
): Promise<void> {
  await decide(app, { noun: 'organization', key: orgId }, async () => {
    const people = await findPeople(app, orgId)
    return (await change(asMember(people, member))).matched || again
  })
}

/** Throws 404 for somebody who is no longer a member. */
export function asMember(people: PeopleRow | undefined, member: Actor['member']): PeopleNow {
  const me = people?.members.find(({ id }) => id === member!.id)
  if (!people || !me) throw notFound('organization', organizationHeader)
  return { ...people, me }
}

export function requirePerson({ members }: PeopleRow, id: string): Person {
  const uuid = decodeId('mem', id)
  const person = members.find((one) => one.id === uuid)
  if (!person) throw notFound('member', null, id)
  return person
}

export function requireRole({ me }: PeopleNow, least: Role): void {
  if (!isAtLeast(me.role, least)) throw roleRequired(least)
}
