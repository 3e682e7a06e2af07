import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { forbidden, notFound } from '../errors.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { presentGroup } from './present.ts'
import { type GroupRow, groupById, groupsPage, groupTotal, membersById } from './queries.ts'
import type { GroupListQuery } from './schema.ts'

/** The key of an agent sees the groups that are all on its agent's calendars. */
export async function listGroups(app: App, actor: Actor, query: GroupListQuery) {
  const { orgId } = actor
  const now = app.clock.now()
  const filter = { status: query.status, only: actor.agentId, listed: listedCalendars(actor), now }
  const [rows, [count]] = await Promise.all([
    groupsPage(app.sql, orgId, filter, query),
    groupTotal(app.sql, orgId, filter),
  ])
  const members = await membersOf(app, orgId, rows)
  const byGroup = (row: GroupRow) => {
    const ids = new Set(memberIds(row))
    return members.filter(({ id }) => ids.has(id))
  }
  return listPage(await mapInSlices(rows, (row) => presentGroup(app, row, byGroup(row), now)), count?.total ?? 0, query)
}

export async function getGroup(app: App, actor: Actor, id: string) {
  const row = await requireGroup(app, actor, id)
  return presentGroup(app, row, await membersById(app.sql, actor.orgId, memberIds(row)), app.clock.now())
}

/** 404 outside the organization; 403 for the key of an agent that does not own all its calendars. */
export async function requireGroup(app: App, actor: Actor, id: string): Promise<GroupRow> {
  const uuid = decodeId('hgr', id)
  const [row] = uuid ? await groupById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('hold group', null, id)
  if (actor.agentId && actor.agentId !== row.agentId)
    throw forbidden("This key's agent does not own all calendars of this group.")
  if (!listedCalendars(actor)) return row
  for (const { calendarId } of await membersById(app.sql, actor.orgId, memberIds(row)))
    requireListedCalendar(actor, calendarId)
  return row
}

export const memberIds = ({ requirements }: Pick<GroupRow, 'requirements'>) =>
  requirements.flatMap(({ members }) => members)

/** The members of these groups, in any order. */
export const membersOf = ({ sql }: App, orgId: Uuid, groups: readonly Pick<GroupRow, 'requirements'>[]) =>
  membersById(sql, orgId, groups.flatMap(memberIds))
