// Calendars. Each belongs to the organization or to one agent.

import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireAllCalendars, requireListedCalendar } from '../actors/guardrails.ts'
import { agentDecommissioned, requireAgent, requireLiveAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { forbidden, notFound } from '../errors.ts'
import { addWithinCap } from '../organizations/caps.ts'
import { recordOf } from '../recording/record.ts'
import { together } from '../recording/together.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { decodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage, type Page } from '../shapes/lists.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { feedTokenContext, presentCalendar } from './present.ts'
import {
  type CalendarRow,
  calendarById,
  calendarsPage,
  calendarsThatExist,
  calendarTotal,
  calendarZone,
  existingCalendarsOf,
  type Owner,
} from './queries.ts'
import type { CalendarListQuery, CreateCalendarBody } from './schema.ts'
import { newCalendars } from './writes.ts'

/** How many calendars an organization has: the plan caps them. */
export const existingCalendars = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from calendars
  where org_id = ${orgId} and deleted_at is null`

export const createOrganizationCalendar = (app: App, actor: Actor, body: CreateCalendarBody) =>
  createCalendar(app, actor, body, async () => null)

export const createAgentCalendar = (app: App, actor: Actor, agentId: string, body: CreateCalendarBody) =>
  createCalendar(app, actor, body, async () => {
    requireAllCalendars(actor)
    return (await requireLiveAgent(app, actor, agentId)).id
  })

async function createCalendar(
  app: App,
  actor: Actor,
  body: CreateCalendarBody,
  requireOwner: () => Promise<Uuid | null>,
) {
  const now = app.clock.now()
  const id = newId()
  const token = randomToken(24)
  const row: CalendarRow = {
    orgId: actor.orgId,
    id,
    agentId: await requireOwner(),
    ownerStatus: null,
    name: body.name,
    timezone: body.timezone,
    agentStatus: body.agent_status,
    defaultReminders: body.default_reminders ?? null,
    metadata: body.metadata ?? {},
    externalId: null,
    provider: null,
    destinationId: null,
    feedTokenSealed: app.sealer.seal(feedTokenContext(id), token),
    busyTokenSealed: null,
    revision: 0,
    holdsRevision: 0,
    createdAt: now,
    updatedAt: now,
  }
  const calendar = presentCalendar(app, row)
  const recorded = recordOf(app, actor, {
    id,
    emission: { type: 'calendar.created', payload: { calendar } },
    ...{ action: 'calendar.create', resource: calendar.id, response: calendar, made: [calendar.id, calendar.ical_url] },
  })
  await addWithinCap(app, {
    ...{ actor, name: 'calendars', count: existingCalendars(app.sql, actor.orgId) },
    async add(seenRevision) {
      // The revision is another one if the agent is decommissioned after this check.
      await requireOwner()
      return together(app, newCalendars, { ...row, ...recorded, feedTokenHash: sha256(token), seenRevision })
    },
  })
  return calendar
}

/** An agent key sees only the calendars of its agent. */
export function listCalendars(app: App, actor: Actor, query: CalendarListQuery) {
  const { query: part } = query
  if (actor.agentId) return listOwned(app, actor, { kind: 'agent', agentId: actor.agentId, part }, query)
  return listOwned(app, actor, { kind: query.include === 'all' ? 'all' : 'organization', part }, query)
}

export async function listAgentCalendars(app: App, actor: Actor, agentId: string, page: Page) {
  const agent = await requireAgent(app, actor, agentId)
  return listOwned(app, actor, { kind: 'agent', agentId: agent.id }, page)
}

async function listOwned(app: App, actor: Actor, owner: Owner & { part?: string | undefined }, page: Page) {
  const only = listedCalendars(actor)
  const [rows, [count]] = await Promise.all([
    calendarsPage(app.sql, actor.orgId, { ...owner, only }, page),
    calendarTotal(app.sql, actor.orgId, { ...owner, only }),
  ])
  return listPage(
    rows.map((row) => presentCalendar(app, row)),
    count?.total ?? 0,
    page,
  )
}

/** All calendars of an organization, without a check of the caller. */
export const calendarsOf = ({ sql }: App, orgId: Uuid): Promise<CalendarRow[]> => existingCalendarsOf(sql, orgId)

export const getCalendar = async (app: App, actor: Actor, id: string) =>
  presentCalendar(app, await requireCalendar(app, actor, id))

/** Decodes an identifier that a caller sent. The calendar need not exist. */
export function requireCalendarId(id: string, param: string | null = null): Uuid {
  const uuid = decodeId('cal', id)
  if (!uuid) throw notFound('calendar', param, id)
  return uuid
}

/** For showing an answer about the calendar, which says itself who may read it. Undefined if there is no such calendar. */
export async function zoneOfCalendar(
  { sql }: App,
  { orgId }: Pick<Actor, 'orgId'>,
  id: string,
): Promise<string | undefined> {
  const uuid = decodeId('cal', id)
  const [row] = uuid ? await calendarZone(sql, orgId, uuid) : []
  return row?.timezone
}

/** 404 outside the organization; 403 for the key of an agent that does not own the calendar, or that does not list it. */
export async function requireCalendar(
  app: App,
  actor: Actor,
  id: string,
  param: string | null = null,
): Promise<CalendarRow> {
  const uuid = requireCalendarId(id, param)
  requireListedCalendar(actor, uuid)
  const [row] = await calendarById(app.sql, actor.orgId, uuid)
  if (!row) throw notFound('calendar', param, id)
  if (actor.agentId && actor.agentId !== row.agentId) throw forbidden("This key's agent does not own this calendar.")
  return row
}

/** For the organization. Throws 404 if one of them is not there. */
export async function requireCalendars(
  { sql }: App,
  { orgId }: Actor,
  ids: readonly string[],
  param: string,
): Promise<Uuid[]> {
  const uuids = ids.map((id) => requireCalendarId(id, param))
  const found = new Set((await calendarsThatExist(sql, orgId, uuids)).map(({ id }) => id))
  const missing = uuids.findIndex((uuid) => !found.has(uuid))
  if (missing >= 0) throw notFound('calendar', param, ids[missing])
  return uuids
}

/** As `requireCalendar`; also refuses a calendar whose owner is decommissioned. */
export async function requireLiveCalendar(app: App, actor: Actor, id: string, param?: string): Promise<CalendarRow> {
  const calendar = await requireCalendar(app, actor, id, param)
  refuseClosed(calendar)
  return calendar
}

/** Nothing can be written to the calendar of a decommissioned agent. */
export function refuseClosed({ ownerStatus }: CalendarRow): void {
  if (ownerStatus === 'decommissioned') throw agentDecommissioned()
}
