import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { AgentKeyRow, KeyRow } from './row.ts'

export const presentKey = (row: AgentKeyRow) => ({
  id: encodeId('key', row.id),
  key_prefix: row.prefix,
  agent_id: encodeId('agt', row.agentId),
  label: row.label,
  created_at: isoTime(row.createdAt),
  ...(row.guardrails && { guardrails: row.guardrails }),
  ...(row.expiresAt && { expires_at: isoTime(row.expiresAt) }),
})

const useOf = (row: KeyRow) => ({
  created_by: row.createdByMember && {
    member_id: encodeId('mem', row.createdByMember),
    email: row.createdByEmail ?? '',
  },
  last_used_at: isoTimeOrNull(row.lastUsedAt),
  expires_at: isoTimeOrNull(row.expiresAt),
  replaced_by: row.replacedBy && encodeId('key', row.replacedBy),
})

export const presentKeyWithUse = (row: AgentKeyRow) => ({ ...presentKey(row), ...useOf(row) })

export const presentOrganizationKey = (row: KeyRow) => ({
  id: encodeId('key', row.id),
  key_prefix: row.prefix,
  name: row.label,
  scope: row.scope,
  primary: row.isPrimary,
  allowed_ips: row.allowedIps,
  created_at: isoTime(row.createdAt),
  ...useOf(row),
})
