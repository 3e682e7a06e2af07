// Making API keys. Only the hash is kept; the prefix tells keys apart in lists and in the audit log.
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

type KeyKind = 'svc_sk_' | 'svc_ak_'

const prefixLength = 20

const prefixOf = (secret: string): string => secret.slice(0, prefixLength)

/** Of whatever an `Authorization` header brought as a key, however malformed; null: nothing like a key. */
export function sentPrefix(authorization: string | undefined): string | null {
  const sent = /^Bearer (svc_\S+)/i.exec(authorization ?? '')?.[1]
  return sent ? prefixOf(sent) : null
}

export type MintedKey = { id: Uuid; secret: string; hash: Buffer; prefix: string; createdAt: Date }

export function mintKey(kind: KeyKind, now: Date): MintedKey {
  const secret = kind + randomToken()
  return { id: newId(), secret, hash: sha256(secret), prefix: prefixOf(secret), createdAt: now }
}

export const insertKey = (
  sql: Sql,
  key: MintedKey & { orgId: Uuid; agentId: Uuid | null; label: string | null },
  where: Fragment = sql``,
): Fragment => sql`
  insert into api_keys (org_id, id, agent_id, hash, prefix, label, created_at)
  select ${key.orgId}::uuid, ${key.id}::uuid, ${key.agentId}::uuid, ${key.hash}::bytea, ${key.prefix}::text,
    ${key.label}::text, ${key.createdAt}::timestamptz
  from guard ${where}`
