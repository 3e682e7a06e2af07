// Agent keys: made, listed, edited and revoked with a key of the organization.
import type { Actor } from '../actors/actor.ts'
import type { Guardrails } from '../actors/guardrails.ts'
import { requireLiveAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { notFound } from '../errors.ts'
import { atRevision, withinCap } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { agentKeyCount } from './count.ts'
import { refuseProlonging, requireEndAhead } from './ends.ts'
import { mintKey } from './mint.ts'
import { presentKey, presentKeyWithUse } from './present.ts'
import { agentKeyById, agentKeys } from './queries.ts'
import { recordCreation } from './recordCreation.ts'
import { type AgentKeyRow, newRow } from './row.ts'
import type { CreateKeyBody, KeyListQuery, UpdateKeyBody } from './schema.ts'
import { endKeys, insertKey, makerOf, updateKey as updateKeyEffect } from './writes.ts'

export async function createKey(app: App, actor: Actor, body: CreateKeyBody) {
  const now = app.clock.now()
  requireEndAhead(body.expires_at, now)
  const agent = await requireLiveAgent(app, actor, body.agent_id, 'agent_id')
  await requireCalendars(app, actor, body.guardrails)
  const { label = null, guardrails = null, expires_at: expiresAt = null } = body
  const minted = mintKey('svc_ak_', now)
  const row = { ...newRow(minted), agentId: agent.id, label, guardrails, expiresAt, ...makerOf(actor) }
  const made = { ...presentKey(row), key: minted.secret }
  await withinCap(app, actor, 'scoped_keys', agentKeyCount(app.sql, actor.orgId), async (guard) => {
    // The guard misses if the agent is decommissioned after this.
    await requireLiveAgent(app, actor, body.agent_id, 'agent_id')
    await requireProvenAddress(app, actor.orgId)
    return commitOrAgain(app, {
      guard,
      effects: [insertKey(app.sql, { ...minted, ...row, orgId: actor.orgId }), ...recordCreation(app, actor, made)],
    })
  })
  return made
}

export const listKeys = async (app: App, actor: Actor, { include_use }: KeyListQuery) => ({
  keys: (await agentKeys(app.sql, actor.orgId)).map((row) => (include_use ? presentKeyWithUse(row) : presentKey(row))),
})

/** In force on every process with the next request. */
export async function updateKey(app: App, actor: Actor, id: string, body: UpdateKeyBody) {
  const { orgId } = actor
  requireEndAhead(body.expires_at, app.clock.now())
  const key = await atRevision(app, actor, async (guard) => {
    const before = await requireAgentKey(app, actor, id)
    await requireCalendars(app, actor, body.guardrails)
    refuseProlonging(before, body.expires_at)
    const { label = before.label, guardrails = before.guardrails, expires_at: expiresAt = before.expiresAt } = body
    const after = { ...before, label, guardrails, expiresAt }
    const shown = presentKey(after)
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          updateKeyEffect(app.sql, orgId, after),
          ...recorded(app, actor, { action: 'key.update', resource: shown.id, response: shown }),
        ],
      },
      shown,
    )
  })
  await bumpEpoch(app, orgId)
  return key
}

/** Throws 404 unless it is the id of an agent key that can be used. */
export async function requireAgentKey({ sql }: App, { orgId }: Actor, id: string): Promise<AgentKeyRow> {
  const uuid = decodeId('key', id)
  const [row] = uuid ? await agentKeyById(sql, orgId, uuid) : []
  if (!row) throw notFound('key', null, id)
  return row
}

/** Throws 404 for a calendar that the organization does not have. */
async function requireCalendars(app: App, actor: Actor, guardrails: Guardrails | null | undefined): Promise<void> {
  for (const id of guardrails?.calendar_ids ?? []) await requireCalendar(app, actor, id, 'guardrails.calendar_ids')
}

/** The key is dead on every process before this returns. */
export async function revokeKey(app: App, actor: Actor, id: string): Promise<void> {
  await atRevision(app, actor, async (guard) => {
    const row = await requireAgentKey(app, actor, id)
    return commitOrAgain(app, {
      guard,
      effects: [
        endKeys(app.sql, actor.orgId, [{ id: row.id, expiresAt: null }], app.clock.now()),
        ...recorded(app, actor, { action: 'key.delete', resource: encodeId('key', row.id), response: undefined }),
      ],
    })
  })
  await bumpEpoch(app, actor.orgId)
}
