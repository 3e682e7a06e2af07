// The entries of the change feed as they are stored, in their order, with their payloads opened and their ids as the API shows
// them.
import { payloadPlace } from '../changelog/sealed.ts'
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
  createdAt: Date
}

// biome-ignore lint/suspicious/noExplicitAny: a payload is looked into field by field
type Any = any

export type StoredChange = Omit<Row, 'payloadSealed'> & { payload: Any }

export async function changesOf({ app }: TestService, orgId: string): Promise<StoredChange[]> {
  const rows = await app.sql<Row[]>`
    select seq::text, change_id, position, type, calendar_id, agent_id, resource_id, revision, cause, actor, payload_sealed, created_at
    from changes where org_id = ${decodeId('org', orgId)!} order by changes.seq, change_id, position`
  return rows.map(({ payloadSealed, ...row }) => ({
    ...row,
    payload: JSON.parse(app.sealer.unseal(payloadPlace(row.changeId, row.position), payloadSealed)),
  }))
}

/** `idText(null)` is null. */
export const idText = (prefix: Prefix, id: Uuid | null): string | null => id && encodeId(prefix, id)
