// When calendars and agents are free: checks who may ask what.
import type { Actor } from '../actors/actor.ts'
import { listedCalendars } from '../actors/guardrails.ts'
import { requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { badRequest, invalid, notFound } from '../errors.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, type Prefix, type Uuid } from '../shapes/ids.ts'
import { checkTime } from './checkTime.ts'
import { visibleTo } from './explained.ts'
import type { CheckQuery } from './explainSchema.ts'
import { findFree } from './findFree.ts'
import { findSlots, type Subject } from './findSlots.ts'
import { existingCalendarIds, type Scope } from './queries.ts'
import type { AvailabilityQuery, CrossAgentFreeQuery, CrossAgentQuery, FreeQuery } from './schema.ts'

/** Bounds the size of an answer if the plan does not: 35,136 slots of 15 minutes. As for an expanded list of events. */
const maxRangeDays = 366

export async function calendarAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, maxRangeDays)
  return findSlots(app, await calendarSubject(app, actor, id), query)
}

export async function agentAvailability(app: App, actor: Actor, id: string, query: AvailabilityQuery) {
  checkRange(query, maxRangeDays)
  return findSlots(app, await agentSubject(app, actor, id), query)
}

export async function crossAgentAvailability(app: App, actor: Actor, query: CrossAgentQuery) {
  checkAgents(actor, query.agents)
  checkRange(query, rangeDaysOf(actor))
  return findSlots(app, await agentsSubject(app, actor, query), query)
}

/** When a calendar is free from now on: stretches, and slots at quarter hours. */
export async function calendarFreeTimes(app: App, actor: Actor, id: string, sent: FreeQuery) {
  const query = fromNow(sent, app.clock.now())
  checkRange(query, maxRangeDays)
  return findFree(app, await calendarSubject(app, actor, id), query, maxRangeDays)
}

/** As `calendarFreeTimes`, of all calendars of an agent. */
export async function agentFreeTimes(app: App, actor: Actor, id: string, sent: FreeQuery) {
  const query = fromNow(sent, app.clock.now())
  checkRange(query, maxRangeDays)
  return findFree(app, await agentSubject(app, actor, id), query, maxRangeDays)
}

/** As `calendarFreeTimes`, when several agents are all free. */
export async function crossAgentFreeTimes(app: App, actor: Actor, sent: CrossAgentFreeQuery) {
  const query = fromNow(sent, app.clock.now())
  checkAgents(actor, query.agents)
  checkRange(query, rangeDaysOf(actor))
  return findFree(app, await agentsSubject(app, actor, query), query, rangeDaysOf(actor))
}

/** A window from now on must not be over. */
export function requireAhead(end: Date, now: Date): void {
  if (end <= now) throw invalid('end: the window lies in the past', 'end', 'window_in_past')
}

/** Without the part of the window that has passed. */
const fromNow = <Query extends FreeQuery>(query: Query, now: Date): Query =>
  query.start < now ? { ...query, start: now } : query

async function calendarSubject(app: App, actor: Actor, id: string): Promise<Subject> {
  const calendar = await requireCalendar(app, actor, id)
  const scope = { kind: 'calendar' as const, orgId: calendar.orgId, calendarId: calendar.id }
  return { key: [scope], scope: () => scope, zone: calendar.timezone, sees: visibleTo(actor) }
}

async function agentSubject(app: App, actor: Actor, id: string): Promise<Subject> {
  const agent = await requireAgent(app, actor, id)
  const scope = scopeOfAgent(actor, agent.id)
  return { key: [scope], scope: () => scope, sees: visibleTo(actor) }
}

const scopeOfAgent = (actor: Actor, agentId: Uuid): Scope => {
  const calendarIds = listedCalendars(actor)
  return { kind: 'agents', orgId: actor.orgId, agentIds: [agentId], ...(calendarIds && { calendarIds }) }
}

async function agentsSubject(
  app: App,
  actor: Actor,
  { agents, calendars }: Pick<CrossAgentQuery, 'agents' | 'calendars'>,
): Promise<Subject> {
  const calendarIds = calendars && (await requireCalendars(app, actor, calendars))
  const scope = (): Scope => {
    const agentIds = decodeAll('agt', agents)
    if (!agentIds) throw notFound('agent', 'agents', malformed('agt', agents))
    return { kind: 'agents', orgId: actor.orgId, agentIds, calendarIds }
  }
  return { key: [actor.orgId, agents, calendarIds], scope, sees: visibleTo(actor) }
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
  return checkTime(app, scopeOfAgent(actor, agent.id), query, visibleTo(actor))
}

async function requireCalendars({ sql }: App, { orgId }: Actor, ids: readonly string[]): Promise<Uuid[]> {
  const uuids = decodeAll('cal', ids)
  if (!uuids || (await existingCalendarIds(sql, orgId, uuids)).length < uuids.length) {
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

function checkAgents({ limits: { agents_per_query: max } }: Actor, agents: readonly string[]) {
  if (max == null || agents.length <= max) return
  throw badRequest(`The plan allows ${max} agents in one query; this one names ${agents.length}.`, 'agents')
}

const rangeDaysOf = ({ limits }: Actor): number => limits.query_range_days ?? maxRangeDays

function checkRange({ start, end }: CheckQuery, maxDays: number) {
  if (end.getTime() - start.getTime() > maxDays * dayMs) {
    throw badRequest(`The range from start to end must be at most ${maxDays} days.`, 'end')
  }
}
