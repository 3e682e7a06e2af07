// The scope of a reader: the requested one, within the allowed one.
import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { forbidden, notFound } from '../errors.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import type { Filter } from './filter.ts'
import { agentsById, calendarsById, type Known } from './queries.ts'
import type { StreamQuery } from './schema.ts'

/** Throws 404 for an id that never existed, 403 for one that the agent's key must not see. */
export async function filterOf({ sql }: App, actor: Actor, query: StreamQuery): Promise<Filter> {
  const { orgId, agentId } = actor
  const { types, calendar_ids, agent_ids } = query
  const [calendarIds, agentIds] = await Promise.all([
    known('cal', calendar_ids, 'calendar_ids', agentId, (ids) => calendarsById(sql, orgId, ids)),
    known('agt', agent_ids, 'agent_ids', agentId, (ids) => agentsById(sql, orgId, ids)),
  ])
  for (const id of calendarIds ?? []) requireListedCalendar(actor, id)
  return { types, calendarIds, agentIds, only: agentId, listed: listedCalendars(actor) }
}

async function known(
  prefix: 'cal' | 'agt',
  sent: readonly string[] | undefined,
  param: string,
  only: Uuid | undefined,
  read: (ids: readonly Uuid[]) => Promise<readonly Known[]>,
): Promise<Uuid[] | undefined> {
  if (!sent) return undefined
  const noun = prefix === 'cal' ? 'calendar' : 'agent'
  const ids = sent.map((text) => {
    const id = decodeId(prefix, text)
    if (!id) throw notFound(noun, param, text)
    return id
  })
  const rows = await read(ids)
  if (rows.length < ids.length) throw notFound(noun, param)
  if (only && rows.some(({ agentId }) => agentId !== only)) {
    throw forbidden(`This key can only read the changes of its own agent (${param}).`)
  }
  return ids
}
