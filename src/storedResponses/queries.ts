import type { ResponseKey } from '../actors/actor.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export type StoredRow = {
  orgId: Uuid
  id: Uuid
  fingerprint: Buffer
  status: number
  answerSealed: Buffer
  requestId: Uuid
  createdAt: Date
}

/** Of several organizations: each row is compared with the key that asked for it. */
export function responsesByKey(sql: Sql, keys: readonly Pick<ResponseKey, 'orgId' | 'id'>[]) {
  const asked = new Map(keys.map(({ id, orgId }) => [id, orgId]))
  return answersTo<StoredRow>(sql, ({ id, orgId }) => asked.get(id) === orgId)`
    select a.org_id, a.id, a.fingerprint, a.status, a.answer_sealed, a.request_id, a.created_at
    from ${rowsOf(sql, keys, { orgId: 'uuid', id: 'uuid' }, 'k')}
    join answers a on a.org_id = k.org_id and a.id = k.id`
}
