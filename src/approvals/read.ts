import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireAllCalendars, requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { forbidden, notFound } from '../errors.ts'
import { sha256 } from '../sealing/sealer.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import {
  type ApprovalRow,
  approvalById,
  approvalByToken,
  approvalOfAny,
  approvalsByIds,
  approvalsPage,
  approvalTotal,
} from './queries.ts'
import type { ApprovalListQuery } from './schema.ts'
import { openRequest, presentApproval } from './stored.ts'

/** An agent key sees those of its agent; one with `calendar_ids` its own, and those about its calendars. */
export async function listApprovals(app: App, actor: Actor, query: ApprovalListQuery) {
  const now = app.clock.now()
  const { agentId, keyId } = actor
  const listing = { agentId, keyId, listed: listedCalendars(actor), status: query.status, now }
  const [rows, [count]] = await Promise.all([
    approvalsPage(app.sql, actor.orgId, listing, query),
    approvalTotal(app.sql, actor.orgId, listing),
  ])
  return listPage(
    rows.map((row) => presentApproval(app, row, now)),
    count?.total ?? 0,
    query,
  )
}

export const getApproval = async (app: App, actor: Actor, id: string) =>
  presentApproval(app, await requireApproval(app, actor, id), app.clock.now())

/** 404 outside the organization; 403 for the key of another agent. */
export async function requireApproval(app: App, actor: Actor, id: string): Promise<ApprovalRow> {
  const uuid = decodeId('apr', id)
  const [row] = uuid ? await approvalById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('approval', null, id)
  if (actor.agentId && actor.agentId !== row.agentId) throw forbidden('This key belongs to another agent.')
  if (row.keyId !== actor.keyId && row.calendarId) requireListedCalendar(actor, row.calendarId)
  else if (row.keyId !== actor.keyId) requireAllCalendars(actor)
  return row
}

/** The events that requests are about, where they are about one. */
export async function eventsOfApprovals(app: App, orgId: Uuid, ids: readonly Uuid[]) {
  const rows = ids.length > 0 ? await approvalsByIds(app.sql, orgId, ids) : []
  return rows.flatMap((row) => {
    const { eventId } = openRequest(app, row).ids
    return eventId === undefined ? [] : [{ id: row.id, eventId }]
  })
}

/** By the address of a page: it has the mailed secret, or the id of an approval that is decided after signing in. Throws 404. */
export async function requireAddressed(app: App, token: string): Promise<ApprovalRow> {
  const uuid = decodeId('apr', token)
  const [row] = uuid ? await approvalOfAny(app.sql, uuid) : await approvalByToken(app.sql, sha256(token))
  if (!row) throw notFound('approval')
  return row
}

/** The zone in which it is shown. Undefined if there is no such approval. */
export async function zoneOfApproval(app: App, { orgId }: Actor, id: string): Promise<string | undefined> {
  const uuid = decodeId('apr', id)
  const [row] = uuid ? await approvalById(app.sql, orgId, uuid) : []
  return row && openRequest(app, row).zone
}
