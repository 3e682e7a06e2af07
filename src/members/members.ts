// The members of an organization: who they are, and their roles.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { lastOwner } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { changePeopleGuard } from '../organizations/writes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { listPage, type Page } from '../shapes/lists.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { roleMail } from './mails.ts'
import { changePeople, requirePerson, requireRole } from './people.ts'
import { presentMember } from './present.ts'
import { memberById, membersPage, memberTotal } from './queries.ts'
import { addressWithout, isLastOwner, roleToTouch } from './rules.ts'
import type { UpdateMemberBody } from './schema.ts'
import { setRole } from './writes.ts'

export async function listMembers(app: App, actor: Actor, page: Page) {
  const { orgId, member } = actor
  const [rows, [count]] = await Promise.all([membersPage(app.sql, orgId, page), memberTotal(app.sql, orgId)])
  return listPage(
    rows.map((row) => presentMember(row, member!)),
    count?.total ?? 0,
    page,
  )
}

/** A role above the own is neither given nor taken, and the last owner stays one. */
export async function changeRole(app: App, actor: Actor, id: string, { role }: UpdateMemberBody) {
  let changed: ReturnType<typeof presentMember> | undefined
  await changePeople(app, actor, async (people) => {
    const { orgId, name } = people
    const person = requirePerson(people, id)
    requireRole(people, roleToTouch(person.role))
    requireRole(people, roleToTouch(role))
    if (role !== 'owner' && isLastOwner(people, person)) throw lastOwner()
    const now = app.clock.now()
    const email = role === 'owner' ? undefined : addressWithout(people, person)
    const me = { ...actor.member!, role: person.id === people.me.id ? role : people.me.role }
    changed = presentMember({ ...(await requireRow(app, orgId, person.id)), role }, me)
    return commit(app, {
      guard: changePeopleGuard(app.sql, people, email, now),
      effects: [
        setRole(app.sql, orgId, person.id, role),
        role === person.role ? undefined : sendLater(app, roleMail({ to: person.email, organization: name, role })),
        auditEntry(app, actor, 'member.update', encodeId('mem', person.id)),
        storeResponse(app, actor, changed),
      ],
    })
  })
  return changed!
}

async function requireRow(app: App, orgId: Uuid, id: Uuid) {
  const [row] = await memberById(app.sql, orgId, id)
  return row!
}
