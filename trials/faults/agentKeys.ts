// Keys of agents that are made under load.
import { askOnce, isDone } from './asking.ts'
import type { Caller, Client } from './client.ts'
import type { Tenant } from './tenants.ts'

type AgentKey = { id: string; secret: string; caller: Caller }

export function openAgentKeys({ as, owners }: Client) {
  /** `mayEnd`: the caller asks with a key that is refused sooner or later. */
  const known = (
    { orgId, address }: Tenant,
    { id, key, key_prefix }: Record<string, string>,
    mayEnd: boolean,
  ): AgentKey => {
    owners.note(orgId, key_prefix!)
    return { id: id!, secret: key!, caller: as({ ...(!mayEnd && { orgId }), address, token: key! }) }
  }
  return {
    known,
    async make(tenant: Tenant, guardrails: object | null, mayEnd = false): Promise<AgentKey | undefined> {
      const body = { agent_id: tenant.agentId, label: `Key of ${tenant.mark}`, guardrails }
      const made = await askOnce(tenant.api, 'POST', '/v1/keys', body)
      return isDone(made) ? known(tenant, made.body, mayEnd) : undefined
    },
  }
}
