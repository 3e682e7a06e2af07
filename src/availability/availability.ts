// When calendars and agents are free: checks who may ask what.
import type { Actor } from '../actors/actor.ts'
import { requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { badRequest, notFound } from '../errors.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, type Prefix, type Uuid } from '../shapes/ids.ts'
import { checkTime } from './checkTime.ts'
import { visibleTo } from './explained.ts'
import type { CheckQuery } from './explainSchema.ts'
import { findSlots } from './findSlots.ts'
import { livingCalendarIds, type Scope } from './queries.ts'
import type { AvailabilityQuery, CrossAgentQuery } from './schema.ts'

/** Bounds the size of an answer if the plan does not: 35,136 slots of 15 minutes. As for an expanded list of events. */
const maxRangeDays = 366

export async function calendarAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, maxRangeDays)
  const calendar = await requireCalendar(app, actor, id)
  const scope = { kind: 'calendar' as const, orgId: calendar.orgId, calendarId: calendar.id }
  return findSlots(app, { key: [scope], scope: () => scope, zone: calendar.timezone, sees: visibleTo(actor) }, query)
}

export async function agentAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, maxRangeDays)
  const agent = await requireAgent(app, actor, id)
  const scope = { kind: 'agents' as const, orgId: agent.orgId, agentIds: [agent.id] }
  return findSlots(app, { key: [scope], scope: () => scope, sees: visibleTo(actor) }, query)
}

export async function crossAgentAvailability(app: App, actor: Actor, query: CrossAgentQuery) {
  const maxAgents = actor.limits.agents_per_query
  if (maxAgents != null && query.agents.length > maxAgents) {
    throw badRequest(
      `The plan allows ${maxAgents} agents in one query; this one names ${query.agents.length}.`,
      'agents',
    )
  }
  checkRange(query, actor.limits.query_range_days ?? maxRangeDays)
  const calendarIds = query.calendars && (await requireCalendars(app, actor, query.calendars))
  const scope = (): Scope => {
    const agentIds = decodeAll('agt', query.agents)
    if (!agentIds) throw notFound('agent', 'agents', malformed('agt', query.agents))
    return { kind: 'agents', orgId: actor.orgId, agentIds, calendarIds }
  }
  return findSlots(app, { key: [actor.orgId, query.agents, calendarIds], scope, sees: visibleTo(actor) }, query)
}

/** Whether this time is free on a calendar, and when it next is. */
export async function checkCalendar(app: App, actor: Actor, id: string, query: CheckQuery) {
  checkRange(query, maxRangeDays)
  const { orgId, id: calendarId } = await requireCalendar(app, actor, id)
  return checkTime(app, { kind: 'calendar', orgId, calendarId }, query, visibleTo(actor))
}

/** As `checkCalendar`, on all calendars of an agent. */
export async function checkAgent(app: App, actor: Actor, id: string, query: CheckQuery) {
  checkRange(query, maxRangeDays)
  const agent = await requireAgent(app, actor, id)
  return checkTime(app, { kind: 'agents', orgId: agent.orgId, agentIds: [agent.id] }, query, visibleTo(actor))
}

async function requireCalendars({ sql }: App, { orgId }: Actor, ids: readonly string[]): Promise<Uuid[]> {
  const uuids = decodeAll('cal', ids)
  if (!uuids || (await livingCalendarIds(sql, orgId, uuids)).length < uuids.length) {
    throw notFound('calendar', 'calendars', malformed('cal', ids))
  }
  return uuids
}

/** Undefined if one of them is malformed. */
function decodeAll(prefix: Prefix, ids: readonly string[]): Uuid[] | undefined {
  const uuids = ids.map((id) => decodeId(prefix, id))
  return uuids.includes(undefined) ? undefined : (uuids as Uuid[])
}

const malformed = (prefix: Prefix, ids: readonly string[]): string | undefined =>
  ids.find((id) => !decodeId(prefix, id))

function checkRange({ start, end }: CheckQuery, maxDays: number) {
  if (end.getTime() - start.getTime() > maxDays * dayMs) {
    throw badRequest(`The range from start to end must be at most ${maxDays} days.`, 'end')
  }
}
