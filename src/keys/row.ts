import type { Guardrails } from '../actors/guardrails.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { KeyScope } from './organizationKeySchema.ts'

export type KeyRow = {
  id: Uuid
  prefix: string
  /** Null: a key of the organization itself. */
  agentId: Uuid | null
  /** Of an organization's key its name. */
  label: string | null
  guardrails: Guardrails | null
  isPrimary: boolean
  scope: KeyScope
  allowedIps: readonly string[] | null
  createdAt: Date
  createdByMember: Uuid | null
  createdByEmail: string | null
  lastUsedAt: Date | null
  expiresAt: Date | null
  replacedBy: Uuid | null
}

export type AgentKeyRow = KeyRow & { agentId: Uuid }

/** A key as it is made, without anything that one may ask for. */
export const newRow = ({ id, prefix, createdAt }: Pick<KeyRow, 'id' | 'prefix' | 'createdAt'>): KeyRow => ({
  ...{ id, prefix, createdAt },
  agentId: null,
  label: null,
  guardrails: null,
  isPrimary: true,
  scope: 'full',
  allowedIps: null,
  createdByMember: null,
  createdByEmail: null,
  lastUsedAt: null,
  expiresAt: null,
  replacedBy: null,
})

/** The key that takes the place of another one: it may do the same. */
export const successorOf = (before: KeyRow, minted: Pick<KeyRow, 'id' | 'prefix' | 'createdAt'>): KeyRow => ({
  ...before,
  ...{ id: minted.id, prefix: minted.prefix, createdAt: minted.createdAt },
  lastUsedAt: null,
  replacedBy: null,
})
