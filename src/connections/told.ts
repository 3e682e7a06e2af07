// Events about connections: how a link ended, and for which agents the calendars of a human are lost or found again. They name no
// account, no human and no provider.
import type { App } from '../app.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import type { Emission } from '../webhooks/emit.ts'
import type { LinkRow } from './linkQueries.ts'
import { grantedAgents } from './sources.ts'

type LinkEnd = 'completed' | 'declined' | 'cancelled' | 'expired'

export const linkEnded = ({ id, calendarId, agentId }: LinkRow, status: LinkEnd): Emission => ({
  type: status === 'completed' ? 'connection_link.completed' : 'connection_link.ended',
  payload: { connection_link: { id: encodeId('csl', id), calendar_id: encodeId('cal', calendarId), status } },
  agentId,
})

/** One for each agent with a grant. `connections` is a query of their `id`. */
export async function sourcesTold(
  { sql }: App,
  orgId: Uuid,
  connections: Fragment,
  what: 'interrupted' | 'restored',
): Promise<Emission[]> {
  const agents = await grantedAgents(sql, orgId, connections)
  return agents.map(({ agentId }) => ({
    type: `availability_source.${what}`,
    payload: { agent_id: encodeId('agt', agentId) },
  }))
}

/** The connections of a member end with the membership. */
export const sourcesOfMember = (app: App, orgId: Uuid, memberId: Uuid): Promise<Emission[]> =>
  sourcesTold(
    app,
    orgId,
    app.sql`
    select m.id
    from calendar_connections m
    where m.org_id = ${orgId} and m.member_id = ${memberId} and m.status <> 'disconnected'`,
    'interrupted',
  )

/** A connection that a link made and that ends with it may have grants already. */
export const endOfLink = async (app: App, link: LinkRow, status: LinkEnd): Promise<Emission[]> => [
  linkEnded(link, status),
  ...(await sourcesTold(
    app,
    link.orgId,
    app.sql`select m.id from calendar_connections m where m.org_id = ${link.orgId} and m.made_by_link = ${link.id}`,
    'interrupted',
  )),
]
