// The external calendars whose busy time counts for agents, as availability reads them in its own statement.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { interestMs } from './rules.ts'

/** A source, as JSON holds it. */
export type SourceRow = {
  id: Uuid
  connectionId: Uuid
  revision: number
  isActive: boolean
  lastReadAt: string | null
  coversFrom: string | null
  coversUntil: string | null
  /** Since when a change at the provider has been announced that no read has seen. */
  unreadSince: string | null
}

/** A query of the sources of agents: `agents` is a query of their `agent_id`. A source of several agents has a row for each. */
export const agentSources = (sql: Sql, orgId: Uuid, agents: Fragment): Fragment => sql`
  select distinct
    s.agent_id, x.id, x.connection_id, x.revision, n.status = 'active' as is_active,
    x.last_read_at, x.covers_from, x.covers_until, n.notified_at as unread_since
  from (${agents}) s
  join agents a on a.org_id = ${orgId} and a.id = s.agent_id
  join availability_grants g on g.org_id = ${orgId} and g.active and case g.audience
    when 'all_org_agents' then true
    when 'all_current_agents' then a.created_at <= g.audience_cutoff_at
    else exists (
      select from availability_grant_agents ga
      where ga.org_id = ${orgId} and ga.grant_id = g.id and ga.agent_id = s.agent_id)
    end
  join availability_grant_calendars gc on gc.org_id = ${orgId} and gc.grant_id = g.id
  join external_calendars x on x.org_id = ${orgId} and x.id = gc.external_calendar_id and x.is_selected
  join calendar_connections n on n.org_id = ${orgId} and n.id = x.connection_id`

/** The agents for whom the busy time of some connections counts: `connections` is a query of their `id`. */
export const grantedAgents = (sql: Sql, orgId: Uuid, connections: Fragment) =>
  own<{ agentId: Uuid }>(sql, orgId)`
  select distinct ${askedBy(sql, orgId)}, s.agent_id
  from (${agentSources(
    sql,
    orgId,
    sql`select l.id as agent_id from agents l where l.org_id = ${orgId} and l.status <> 'decommissioned'`,
  )}) s
  where s.connection_id in (${connections})
  order by s.agent_id`

/** The JSON of such a row, as `SourceRow`. */
export const sourceJson = (sql: Sql, source: Fragment): Fragment => sql`json_build_object(
  'id', ${source}.id, 'connectionId', ${source}.connection_id, 'revision', ${source}.revision,
  'isActive', ${source}.is_active, 'lastReadAt', ${source}.last_read_at,
  'coversFrom', ${source}.covers_from, 'coversUntil', ${source}.covers_until, 'unreadSince', ${source}.unread_since)`

const openRung = () => new Map<Uuid, number>()
const maxRemembered = 10_000

/** Somebody asked: copies that are not new are read, once a minute at most. Nothing waits for that, and nothing is written. */
export function noteInterest(app: App, orgId: Uuid, sources: readonly SourceRow[], now: Date): void {
  const rung = app.memory(openRung)
  const old = sources.filter(
    ({ isActive, lastReadAt, connectionId }) =>
      isActive &&
      (lastReadAt === null || now.getTime() - Date.parse(lastReadAt) > interestMs) &&
      now.getTime() - (rung.get(connectionId) ?? 0) >= interestMs,
  )
  if (old.length === 0) return
  if (rung.size > maxRemembered) rung.clear()
  const connections = new Set(old.map(({ connectionId }) => connectionId))
  for (const id of connections) rung.set(id, now.getTime())
  app.bell.ring([...connections].map((id) => wakeup('read', { orgId, id, interest: true }, now)))
}
