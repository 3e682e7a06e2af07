// Agents: the identities that own calendars. A decommissioned agent stays readable and never changes again.

import type { Actor } from '../actors/actor.ts'
import { requireAllCalendars } from '../actors/guardrails.ts'
import { requireMatch } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import type { Origin } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { conflict, forbidden, notFound } from '../errors.ts'
import { addWithinCap } from '../organizations/caps.ts'
import { bumpRevision } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recordOf } from '../recording/record.ts'
import { recorded } from '../recording/recorded.ts'
import { together } from '../recording/together.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { hurryGroups } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import { presentAgent } from './present.ts'
import { type AgentRow, agentById, agentsNamed, agentsPage, agentTotal } from './queries.ts'
import type { AgentListQuery, CreateAgentBody, UpdateAgentBody } from './schema.ts'
import { calendarIdsOf, decommissionAgentGuard, insertAgent, newAgents, updateAgentGuard } from './writes.ts'

/** How many agents an organization has: the plan caps them. */
export const activeAgents = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from agents
  where org_id = ${orgId} and status <> 'decommissioned'`

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
  const recorded = recordOf(app, actor, {
    id: row.id,
    emission: { type: 'agent.created', payload: { agent } },
    ...{ action: 'agent.create', resource: agent.id, response: agent, made: [agent.id] },
  })
  await addWithinCap(app, {
    ...{ actor, name: 'agents', count: activeAgents(app.sql, actor.orgId) },
    add: (seenRevision) => together(app, newAgents, { ...row, ...recorded, seenRevision }),
  })
  return agent
}

/** The first agent of a new organization, and the effects that insert it. */
export function firstAgent(app: App, origin: Origin, name: string) {
  const { orgId } = origin
  const now = app.clock.now()
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
  const agent = presentAgent(row)
  return {
    id: agent.id,
    effects: [insertAgent(app.sql, row), ...emit(app, origin, [{ type: 'agent.created', payload: { agent } }])],
  }
}

export async function listAgents(app: App, actor: Actor, query: AgentListQuery) {
  const [rows, [count]] = await Promise.all([
    agentsPage(app.sql, actor.orgId, query, actor.agentId),
    agentTotal(app.sql, actor.orgId, query, actor.agentId),
  ])
  return listPage(rows.map(presentAgent), count?.total ?? 0, query)
}

export const getAgent = async (app: App, actor: Actor, id: string) => presentAgent(await requireAgent(app, actor, id))

export const updateAgent = (app: App, actor: Actor, id: string, body: UpdateAgentBody) =>
  decide(app, { noun: 'agent', key: id }, async () => {
    const before = await requireAgent(app, actor, id)
    requireMatch(actor, () => presentAgent(before))
    refuseDecommissioned(before)
    // Always later than the last change, because its time also tells whether somebody else changed the agent meanwhile.
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
    const { matched } = await commit(app, {
      guard: updateAgentGuard(app.sql, row, before.updatedAt),
      effects: [
        ...recorded(app, actor, {
          action: 'agent.update',
          resource: agent.id,
          emits: [{ type: 'agent.updated', payload: { agent } }],
          response: agent,
        }),
      ],
    })
    if (!matched) return again
    if (row.status !== before.status) await bumpEpoch(app, actor.orgId)
    return agent
  })

/** The record stays; its keys stop working at once. Decommissioning an agent twice changes nothing. */
export const decommissionAgent = (app: App, actor: Actor, id: string): Promise<void> =>
  decide(app, { noun: 'agent', key: id }, async () => {
    const agent = await requireAgent(app, actor, id)
    requireAllCalendars(actor)
    requireMatch(actor, () => presentAgent(agent))
    if (agent.status === 'decommissioned') return commitResponse(app, actor, undefined)
    const now = app.clock.now()
    const decommissioned: AgentRow = { ...agent, status: 'decommissioned', updatedAt: now }
    const { matched } = await commit(app, {
      guard: decommissionAgentGuard(app.sql, agent, now),
      effects: [
        // A change that adds something under the agent is decided by this revision, so it is decided again.
        bumpRevision(app.sql, agent.orgId),
        hurryGroups(app, agent.orgId, calendarIdsOf(app.sql, agent), now),
        ...recorded(app, actor, {
          action: 'agent.delete',
          resource: encodeId('agt', agent.id),
          emits: [{ type: 'agent.decommissioned', payload: { agent: presentAgent(decommissioned) } }],
          response: undefined,
        }),
      ],
    })
    return matched ? bumpEpoch(app, actor.orgId) : again
  })

/** 404 outside the organization; 403 for the key of another agent. */
export async function requireAgent(app: App, actor: Actor, id: string, param: string | null = null): Promise<AgentRow> {
  const uuid = decodeId('agt', id)
  const [row] = uuid ? await agentById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('agent', param, id)
  if (actor.agentId && actor.agentId !== row.id) throw forbidden('This key belongs to another agent.')
  return row
}

/** For the page of an approval, whose address is the credential. */
export async function agentNameOf({ sql }: App, orgId: Uuid, id: Uuid): Promise<string> {
  const [row] = await agentById(sql, orgId, id)
  return row?.name ?? 'An agent'
}

/** As `requireAgent`; also refuses a decommissioned agent. */
export async function requireLiveAgent(app: App, actor: Actor, id: string, param?: string): Promise<AgentRow> {
  const agent = await requireAgent(app, actor, id, param)
  refuseDecommissioned(agent)
  return agent
}

function refuseDecommissioned({ status }: AgentRow): void {
  if (status === 'decommissioned') throw agentDecommissioned()
}

export const agentDecommissioned = () =>
  conflict('This agent is decommissioned for good. Nothing can be written for it.', 'agent_decommissioned')

/** One that a caller may choose. */
type AgentChoice = { id: string; name: string; type: string }

/** Active agents whose names contain `part`, in upper or lower case. Exact matches first, then the newest. */
export async function agentChoices(app: App, actor: Actor, max: number, part = ''): Promise<AgentChoice[]> {
  const rows = await agentsNamed(app.sql, actor.orgId, actor.agentId, part, max)
  return rows.map(({ id, name, type }) => ({ id: encodeId('agt', id), name, type }))
}
