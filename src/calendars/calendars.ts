// Calendars: of the organization or of one agent.
import type { Actor } from '../actors/actor.ts'
import { agentDecommissioned, requireAgent, requireLiveAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { forbidden, notFound } from '../errors.ts'
import { withinCap } from '../quotas/caps.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listed, type Page } from '../shapes/lists.ts'
import { feedTokenPlace, presentCalendar } from './present.ts'
import {
  type CalendarRow,
  calendarById,
  calendarsPage,
  calendarTotal,
  changeCalendar,
  deletedCalendar,
  deletedSeries,
  insertCalendar,
  livingCalendars,
  type Owner,
} from './queries.ts'
import { inheritedReminders } from './reminders.ts'
import { onCalendar, stale } from './revision.ts'
import type { CalendarListQuery, CreateCalendarBody, UpdateCalendarBody } from './schema.ts'

/** How many the plan's cap counts. */
export { livingCalendars } from './queries.ts'

export const createOrganizationCalendar = (app: App, actor: Actor, body: CreateCalendarBody) =>
  createCalendar(app, actor, body, async () => null)

export const createAgentCalendar = (app: App, actor: Actor, agentId: string, body: CreateCalendarBody) =>
  createCalendar(app, actor, body, async () => (await requireLiveAgent(app, actor, agentId)).id)

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
    feedTokenSealed: app.sealer.seal(feedTokenPlace(id), token),
    revision: 0,
    holdsRevision: 0,
    createdAt: now,
    updatedAt: now,
  }
  await withinCap(app, actor, 'calendars', livingCalendars(app.sql, actor.orgId), async (guard) => {
    // From here on a decommissioning makes the guard miss.
    await requireOwner()
    return commitParts(app, guard, {
      calendar: insertCalendar(app.sql, row, sha256(token)),
      audit: auditEntry(app, actor, 'calendar.create', encodeId('cal', id)),
    })
  })
  return presentCalendar(app, row)
}

/** An agent key sees its agent's calendars only. */
export function listCalendars(app: App, actor: Actor, query: CalendarListQuery) {
  if (actor.agentId) return listOwned(app, actor, { kind: 'agent', agentId: actor.agentId }, query)
  return listOwned(app, actor, { kind: query.include === 'all' ? 'all' : 'organization' }, query)
}

export async function listAgentCalendars(app: App, actor: Actor, agentId: string, page: Page) {
  const agent = await requireAgent(app, actor, agentId)
  return listOwned(app, actor, { kind: 'agent', agentId: agent.id }, page)
}

async function listOwned(app: App, actor: Actor, owner: Owner, page: Page) {
  const [rows, [count]] = await Promise.all([
    calendarsPage(app.sql, actor.orgId, owner, page),
    calendarTotal(app.sql, actor.orgId, owner),
  ])
  return listed(
    rows.map((row) => presentCalendar(app, row)),
    count?.total ?? 0,
    page,
  )
}

export const getCalendar = async (app: App, actor: Actor, id: string) =>
  presentCalendar(app, await requireCalendar(app, actor, id))

export const updateCalendar = async (app: App, actor: Actor, id: string, body: UpdateCalendarBody) =>
  onCalendar(requireCalendarId(id), async () => {
    const before = await requireLiveCalendar(app, actor, id)
    const row: CalendarRow = {
      ...before,
      name: body.name ?? before.name,
      timezone: body.timezone ?? before.timezone,
      agentStatus: body.agent_status ?? before.agentStatus,
      defaultReminders: body.default_reminders === undefined ? before.defaultReminders : body.default_reminders,
      metadata: body.metadata ?? before.metadata,
      updatedAt: app.clock.now(),
    }
    const reminders = body.default_reminders === undefined ? {} : await inheritedReminders(app, row)
    const { matched } = await commitParts(app, changeCalendar(app.sql, row), {
      ...reminders,
      audit: auditEntry(app, actor, 'calendar.update', encodeId('cal', row.id)),
    })
    return matched ? presentCalendar(app, row) : stale
  })

/**
 * Its events go with it, and emit nothing each; its feed answers 404 from now on. Only the calendar's own row is written:
 * whatever reads an event or fires a timer asks for a calendar that lives, so that a full one is deleted as fast as an
 * empty one.
 */
export async function deleteCalendar(app: App, actor: Actor, id: string): Promise<void> {
  const { orgId, id: uuid } = await requireLiveCalendar(app, actor, id)
  const now = app.clock.now()
  const { matched } = await commitParts(app, deletedCalendar(app.sql, orgId, uuid, now), {
    series: deletedSeries(app.sql, orgId, uuid, now),
    audit: auditEntry(app, actor, 'calendar.delete', encodeId('cal', uuid)),
  })
  if (!matched) throw notFound('calendar')
}

/** The identifier inside, of whatever text a caller sent; a calendar of it there may be or not. */
export function requireCalendarId(id: string, param: string | null = null): Uuid {
  const uuid = decodeId('cal', id)
  if (!uuid) throw notFound('calendar', param, id)
  return uuid
}

/** The calendar, if the caller may touch it: 404 outside the organization, 403 for an agent key of another owner. */
export async function requireCalendar(
  app: App,
  actor: Actor,
  id: string,
  param: string | null = null,
): Promise<CalendarRow> {
  const [row] = await calendarById(app.sql, actor.orgId, requireCalendarId(id, param))
  if (!row) throw notFound('calendar', param, id)
  if (actor.agentId && actor.agentId !== row.agentId) throw forbidden("This key's agent does not own this calendar.")
  return row
}

/** A calendar that can be written to: its owner is not decommissioned. */
export async function requireLiveCalendar(app: App, actor: Actor, id: string, param?: string): Promise<CalendarRow> {
  const calendar = await requireCalendar(app, actor, id, param)
  if (calendar.ownerStatus === 'decommissioned') throw agentDecommissioned()
  return calendar
}
