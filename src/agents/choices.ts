// The agents that a caller may choose from, at a glance.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { encodeId } from '../shapes/ids.ts'
import { agentsNamed } from './queries.ts'

type AgentChoice = { id: string; name: string; type: string }

/** Active agents whose names contain `part`, in upper or lower case. Exact matches first, then the newest. */
export async function agentChoices(app: App, actor: Actor, max: number, part = ''): Promise<AgentChoice[]> {
  const rows = await agentsNamed(app.sql, actor.orgId, actor.agentId, part, max)
  return rows.map(({ id, name, type }) => ({ id: encodeId('agt', id), name, type }))
}
