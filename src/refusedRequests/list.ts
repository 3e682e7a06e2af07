// Reading refused requests: newest first, no further back than the plan keeps them.
import type { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { decodeCursor, encodeCursor } from '../audit/cursor.ts'
import { invalid } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { type RefusedRow, refusedPage } from './queries.ts'
import { keptSince, retentionHours } from './rules.ts'
import type { RefusedRequestsQuery, refusedRequest, refusedRequests } from './schema.ts'

export async function listRefusedRequests(
  { sql, clock }: App,
  { orgId, plan }: Actor,
  query: RefusedRequestsQuery,
): Promise<z.infer<typeof refusedRequests>> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  if (query.cursor !== undefined && !after) {
    throw invalid('cursor: send the next_cursor of an earlier answer unchanged', 'cursor')
  }
  const now = clock.now()
  const since = keptSince(plan, now)
  const id = query.request_id === undefined ? undefined : decodeId('req', query.request_id)
  const filter = {
    now,
    from: query.from && query.from > since ? query.from : since,
    to: query.to ?? now,
    id,
    status: query.status,
    code: query.code,
    keyPrefix: query.key_prefix,
    after,
  }
  const isOfNone = query.request_id !== undefined && id === undefined
  // One row more than requested shows whether another page follows.
  const rows = isOfNone ? [] : await refusedPage(sql, orgId, filter, query.limit + 1)
  const data = rows.slice(0, query.limit)
  const last = data.at(-1)
  return {
    data: data.map(presentRefused),
    pagination: {
      next_cursor: last && rows.length > query.limit ? encodeCursor({ createdAt: last.at, id: last.id }) : null,
    },
    retention_hours: retentionHours(plan),
  }
}

const presentRefused = (row: RefusedRow): z.infer<typeof refusedRequest> => ({
  request_id: encodeId('req', row.id),
  at: isoTime(row.at),
  method: row.method,
  path: row.path,
  status: row.status,
  type: row.type,
  code: row.code,
  param: row.param,
  key_prefix: row.keyPrefix,
  actor_account: row.actorAccount,
  agent_id: row.agentId && encodeId('agt', row.agentId),
  ip: row.ip,
  duration_ms: row.durationMs,
})
