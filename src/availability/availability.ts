// When calendars and agents are free: who may ask what. `answer.ts` answers.
import type { Actor } from '../actors/actor.ts'
import { requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { badRequest, notFound } from '../errors.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, type Prefix, type Uuid } from '../shapes/ids.ts'
import { answer } from './answer.ts'
import { livingCalendarIds, type Scope } from './queries.ts'
import type { AvailabilityQuery, CrossAgentQuery } from './schema.ts'

/**
 * Where no plan says otherwise, so that the size of an answer has an end: as much as an expanded list may span, and
 * 35,136 slots of 15 minutes.
 */
const widestDays = 366

export async function calendarAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, widestDays)
  const calendar = await requireCalendar(app, actor, id)
  const scope = { kind: 'calendar' as const, orgId: calendar.orgId, calendarId: calendar.id }
  return answer(app, { key: [scope], scope: () => scope }, query)
}

export async function agentAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, widestDays)
  const agent = await requireAgent(app, actor, id)
  const scope = { kind: 'agents' as const, orgId: agent.orgId, agentIds: [agent.id] }
  return answer(app, { key: [scope], scope: () => scope }, query)
}

export async function crossAgentAvailability(app: App, actor: Actor, query: CrossAgentQuery) {
  const maxAgents = actor.limits.agents_per_query
  if (maxAgents != null && query.agents.length > maxAgents) {
    throw badRequest(`The plan allows ${maxAgents} agents in one query; these are ${query.agents.length}.`, 'agents')
  }
  checkRange(query, actor.limits.query_range_days ?? widestDays)
  const calendarIds = query.calendars && (await livingCalendars(app, actor, query.calendars))
  const scope = (): Scope => {
    const agentIds = decodedAll('agt', query.agents)
    if (!agentIds) throw notFound('agent', 'agents', misfit('agt', query.agents))
    return { kind: 'agents', orgId: actor.orgId, agentIds, calendarIds }
  }
  return answer(app, { key: [actor.orgId, query.agents, calendarIds], scope }, query)
}

async function livingCalendars({ sql }: App, { orgId }: Actor, ids: readonly string[]): Promise<Uuid[]> {
  const uuids = decodedAll('cal', ids)
  if (!uuids || (await livingCalendarIds(sql, orgId, uuids)).length < uuids.length) {
    throw notFound('calendar', 'calendars', misfit('cal', ids))
  }
  return uuids
}

/** Undefined when one of them is none. */
function decodedAll(prefix: Prefix, ids: readonly string[]): Uuid[] | undefined {
  const uuids = ids.map((id) => decodeId(prefix, id))
  return uuids.includes(undefined) ? undefined : (uuids as Uuid[])
}

const misfit = (prefix: Prefix, ids: readonly string[]) => ids.find((id) => !decodeId(prefix, id))

function checkRange({ start, end }: AvailabilityQuery, maxDays: number) {
  if (end.getTime() - start.getTime() > maxDays * dayMs) {
    throw badRequest(`The range from start to end may be ${maxDays} days at most.`, 'end')
  }
}
