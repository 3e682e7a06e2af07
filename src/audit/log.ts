// Reading the audit log: newest first, no further back than the plan's retention.
import type { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { invalid } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type EntryRow, entriesPage } from './queries.ts'
import { keptSince } from './rules.ts'
import type { AuditLogQuery, auditEntry, auditLog } from './schema.ts'

/** No agent and no member has this id: a malformed one matches nothing, as an unknown one. */
const nobody = '00000000-0000-0000-0000-000000000000' as Uuid

export async function readAuditLog(
  { sql, clock }: App,
  actor: Actor,
  query: AuditLogQuery,
): Promise<z.infer<typeof auditLog>> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  if (query.cursor !== undefined && !after) {
    throw invalid('cursor: send the next_cursor of an earlier answer unchanged', 'cursor')
  }
  const now = clock.now()
  const retentionDays = actor.limits.audit_retention_days ?? null
  const since = keptSince(retentionDays, now)
  const isClamped = query.from !== undefined && query.from < since
  const filter = {
    from: query.from === undefined || isClamped ? since : query.from,
    to: query.to ?? now,
    action: query.action,
    actorKeyPrefix: query.actor_key_prefix,
    actorMember: query.actor_member === undefined ? undefined : (decodeId('mem', query.actor_member) ?? nobody),
    requestId: query.request_id,
    agentId: query.agent_id === undefined ? undefined : (decodeId('agt', query.agent_id) ?? nobody),
    resource: query.resource,
    after,
  }
  // One row more than requested shows whether another page follows.
  const rows = await entriesPage(sql, actor.orgId, filter, query.limit + 1)
  const data = rows.slice(0, query.limit)
  return {
    data: data.map((row) => presentEntry(row, query.include_member === true)),
    pagination: { next_cursor: rows.length > query.limit ? encodeCursor(data.at(-1)!) : null },
    retention_days: retentionDays,
    range_clamped: isClamped,
  }
}

const presentEntry = (row: EntryRow, withMember: boolean): z.infer<typeof auditEntry> => ({
  id: encodeId('aud', row.id),
  action: row.action,
  actor_key_prefix: row.actorKeyPrefix,
  ...(row.actorAccount !== null && { actor_account: row.actorAccount }),
  ...(withMember && {
    actor_member: row.actorMember && encodeId('mem', row.actorMember),
    actor_role: row.actorRole,
  }),
  agent_id: row.agentId && encodeId('agt', row.agentId),
  resource: row.resource,
  ip: row.ip,
  status: row.status,
  method: row.method,
  path: row.path,
  duration_ms: row.durationMs,
  request_id: row.requestId,
  created_at: isoTime(row.createdAt),
})
