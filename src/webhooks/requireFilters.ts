// The filters of a request: they may name only agents and calendars of the organization.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import type { Filters } from './filters.ts'
import { missingOf } from './queries.ts'
import type { UpdateWebhookBody } from './schema.ts'

type Sent = Pick<UpdateWebhookBody, 'calendar_ids' | 'agent_ids'>

/** `before`: the values that stay if the request does not name them. */
export async function requireFilters(app: App, actor: Actor, sent: Sent, before: Filters): Promise<Filters> {
  const named = {
    calendarIds: decodeAll('calendar', sent.calendar_ids),
    agentIds: decodeAll('agent', sent.agent_ids),
  }
  const [missing] = await missingOf(app.sql, actor.orgId, named)
  for (const id of missing!.calendars) throw notFound('calendar', 'calendar_ids', encodeId('cal', id))
  for (const id of missing!.agents) throw notFound('agent', 'agent_ids', encodeId('agt', id))
  return {
    calendarIds: sent.calendar_ids === undefined ? before.calendarIds : named.calendarIds,
    agentIds: sent.agent_ids === undefined ? before.agentIds : named.agentIds,
  }
}

function decodeAll(noun: 'calendar' | 'agent', ids: readonly string[] | null | undefined): Uuid[] | null {
  const prefix = noun === 'calendar' ? 'cal' : 'agt'
  if (!ids) return null
  return ids.map((id) => {
    const uuid = decodeId(prefix, id)
    if (!uuid) throw notFound(noun, `${noun}_ids`, id)
    return uuid
  })
}
