// The content of the pages for humans: the requester, and all connections.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { encodeId } from '../shapes/ids.ts'
import { agentNames, grantsPage } from './grantQueries.ts'
import { type LinkRow, linkedCalendar } from './linkQueries.ts'
import { calendarsOf, connectionsPage } from './queries.ts'

export type { ConnectionRow, ExternalCalendarRow } from './queries.ts'

export async function setupFacts(app: App, link: LinkRow) {
  const { name } = await requireOrganization(app, encodeId('org', link.orgId))
  const [calendar] = await linkedCalendar(app.sql, link.orgId, link.calendarId)
  return {
    organization: name,
    agent: calendar?.agentName ?? null,
    calendar: { name: calendar?.name ?? '', timezone: calendar?.timezone ?? 'UTC' },
  }
}

/** More than anybody has; the page has no second one. */
const everything = { limit: 200, offset: 0 }

/** Those of the member who looks. */
export async function connectionsOf({ sql }: App, actor: Actor) {
  const { orgId } = actor
  const [connections, grants, agents] = await Promise.all([
    connectionsPage(sql, orgId, actor.member!.id, everything),
    grantsPage(sql, actor, everything),
    agentNames(sql, orgId),
  ])
  const listed = connections.map(async (connection) => ({
    connection,
    calendars: await calendarsOf(sql, orgId, connection.id),
  }))
  return {
    connections: await Promise.all(listed),
    grants,
    agentNames: new Map(agents.map(({ id, name }) => [id, name])),
  }
}
