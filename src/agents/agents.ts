// Agents: the identities calendars belong to. A decommissioned one stays readable and is never changed again.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { openTurns } from '../changes/turns.ts'
import { conflict, forbidden, notFound, overloaded } from '../errors.ts'
import { withinCap } from '../quotas/caps.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listed } from '../shapes/lists.ts'
import { emit } from '../webhooks/emit.ts'
import { presentAgent } from './present.ts'
import {
  type AgentRow,
  agentById,
  agentsPage,
  agentTotal,
  changeAgent,
  decommissionedAgent,
  insertAgent,
  livingAgents,
} from './queries.ts'
import type { AgentListQuery, CreateAgentBody, UpdateAgentBody } from './schema.ts'

/** How many the plan's cap counts. */
export { livingAgents } from './queries.ts'

export async function createAgent(app: App, actor: Actor, body: CreateAgentBody) {
  const now = app.clock.now()
  const row: AgentRow = {
    orgId: actor.orgId,
    id: newId(),
    name: body.name,
    type: body.type,
    description: body.description ?? null,
    status: 'active',
    metadata: body.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  }
  const agent = presentAgent(row)
  await withinCap(app, actor, 'agents', livingAgents(app.sql, actor.orgId), (guard) =>
    commitParts(app, guard, {
      agent: insertAgent(app.sql, row),
      deliveries: emit(app, actor.orgId, [{ type: 'agent.created', payload: { agent } }]),
      audit: auditEntry(app, actor, 'agent.create', agent.id),
    }),
  )
  return agent
}

/** The agent that an organization begins with, and the effect that inserts it. */
export function firstAgent({ sql, clock }: App, orgId: Uuid, name: string) {
  const now = clock.now()
  const row: AgentRow = {
    orgId,
    id: newId(),
    name,
    type: 'ai',
    description: null,
    status: 'active',
    metadata: {},
    createdAt: now,
    updatedAt: now,
  }
  return { id: encodeId('agt', row.id), effect: insertAgent(sql, row) }
}

export async function listAgents(app: App, actor: Actor, query: AgentListQuery) {
  const [rows, [count]] = await Promise.all([
    agentsPage(app.sql, actor.orgId, query, actor.agentId),
    agentTotal(app.sql, actor.orgId, query, actor.agentId),
  ])
  return listed(rows.map(presentAgent), count?.total ?? 0, query)
}

export const getAgent = async (app: App, actor: Actor, id: string) => presentAgent(await requireAgent(app, actor, id))

const inTurn = openTurns()
const maxTries = 10

export const updateAgent = (app: App, actor: Actor, id: string, body: UpdateAgentBody) =>
  inTurn(id, () => changeInTurn(app, actor, id, body))

async function changeInTurn(app: App, actor: Actor, id: string, body: UpdateAgentBody) {
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await requireLiveAgent(app, actor, id)
    // Strictly later than before: the time of the last change is also what tells concurrent changes apart.
    const now = new Date(Math.max(app.clock.now().getTime(), before.updatedAt.getTime() + 1))
    const row: AgentRow = {
      ...before,
      name: body.name ?? before.name,
      description: body.description === undefined ? before.description : body.description,
      status: body.status ?? before.status,
      metadata: body.metadata ?? before.metadata,
      updatedAt: now,
    }
    const agent = presentAgent(row)
    const { matched } = await commitParts(app, changeAgent(app.sql, row, before.updatedAt), {
      deliveries: emit(app, actor.orgId, [{ type: 'agent.updated', payload: { agent } }]),
      audit: auditEntry(app, actor, 'agent.update', agent.id),
    })
    if (!matched) continue
    if (row.status !== before.status) await bumpEpoch(app, actor.orgId)
    return agent
  }
  throw overloaded('Too many changes at once to this agent. Try again.')
}

/** The record stays; its keys are dead from then on. Removing a decommissioned agent again changes nothing. */
export async function decommissionAgent(app: App, actor: Actor, id: string): Promise<void> {
  const { sql, clock } = app
  const agent = await requireAgent(app, actor, id)
  if (agent.status === 'decommissioned') return
  await commitParts(app, decommissionedAgent(sql, agent.orgId, agent.id, clock.now()), {
    // Whoever is about to add something under it, by a count of this revision, finds it changed and looks again.
    revision: sql`update organizations set revision = revision + 1 from guard where organizations.id = ${agent.orgId}`,
    audit: auditEntry(app, actor, 'agent.delete', encodeId('agt', agent.id)),
  })
  await bumpEpoch(app, actor.orgId)
}

/** The agent, if the caller may touch it: 404 outside the organization, 403 for another agent's key. */
export async function requireAgent(app: App, actor: Actor, id: string, param: string | null = null): Promise<AgentRow> {
  const uuid = decodeId('agt', id)
  const [row] = uuid ? await agentById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('agent', param, id)
  if (actor.agentId && actor.agentId !== row.id) throw forbidden('This key belongs to another agent.')
  return row
}

/** An agent that can still be written under. */
export async function requireLiveAgent(app: App, actor: Actor, id: string, param?: string): Promise<AgentRow> {
  const agent = await requireAgent(app, actor, id, param)
  if (agent.status === 'decommissioned') throw agentDecommissioned()
  return agent
}

export const agentDecommissioned = () =>
  conflict('This agent is decommissioned and stays so. Nothing can be written under it.', 'agent_decommissioned')
