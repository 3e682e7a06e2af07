// Calendars at a glance: their names to choose from, and their zones.
import type { Actor } from '../actors/actor.ts'
import { listedCalendars } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { calendarsNamed, type Owner, zonesOfAgents } from './queries.ts'

export type CalendarChoice = { id: string; name: string; timezone: string }

/** Calendars whose names contain `part`, in upper or lower case. Exact matches first, then the newest. */
export async function calendarChoices(app: App, actor: Actor, max: number, part = ''): Promise<CalendarChoice[]> {
  const owner: Owner = actor.agentId ? { kind: 'agent', agentId: actor.agentId } : { kind: 'all' }
  const rows = await calendarsNamed(app.sql, actor.orgId, { ...owner, only: listedCalendars(actor) }, part, max)
  return rows.map(({ id, name, timezone }) => ({ id: encodeId('cal', id), name, timezone }))
}

export type CalendarZone = { id: Uuid; timezone: string }

/** The calendars of agents with their zones; `calendarIds` narrows them. */
export async function agentCalendarZones(
  { sql }: App,
  actor: Actor,
  agentIds: readonly Uuid[],
  calendarIds = listedCalendars(actor),
): Promise<CalendarZone[]> {
  return zonesOfAgents(sql, actor.orgId, agentIds, calendarIds)
}
