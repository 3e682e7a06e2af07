// The entries of the change feed as they are stored, in their order, with their payloads opened and their ids as the API shows
// them.
import { type Moment, momentColumn, payloadText } from '../changeLog/moment.ts'
import { decodeId, encodeId, type Prefix, type Uuid } from '../shapes/ids.ts'
import type { TestService } from './harness.ts'

type Row = {
  seq: string
  changeId: Uuid
  position: number
  type: string
  calendarId: Uuid | null
  agentId: Uuid | null
  resourceId: Uuid
  revision: number | null
  cause: string
  actor: { agent_id: string | null; key_prefix: string | null } | null
  payloadSealed: Buffer
  moment: Moment | null
  createdAt: Date
}

// biome-ignore lint/suspicious/noExplicitAny: a payload is looked into field by field
type Any = any

export type StoredChange = Omit<Row, 'payloadSealed' | 'moment'> & { payload: Any }

export async function changesOf({ app }: TestService, orgId: string): Promise<StoredChange[]> {
  const { sql } = app
  const rows = await sql<Row[]>`
    select seq::text, change_id, position, type, calendar_id, agent_id, resource_id, revision, cause, actor, payload_sealed, created_at,
      ${momentColumn(sql, sql`changes`)} as moment
    from changes where org_id = ${decodeId('org', orgId)!} order by changes.seq, change_id, position`
  return rows.map(({ payloadSealed, moment, ...row }) => ({
    ...row,
    payload: JSON.parse(payloadText(app, { ...row, payloadSealed, moment })),
  }))
}

/** `idText(null)` is null. */
export const idText = (prefix: Prefix, id: Uuid | null): string | null => id && encodeId(prefix, id)
