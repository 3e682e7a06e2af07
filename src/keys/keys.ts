// Agent keys: made, listed, edited and revoked with the organization's key.
import type { Actor } from '../actors/actor.ts'
import type { Guardrails } from '../actors/guardrails.ts'
import { requireLiveAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { notFound } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { agentKeyCount } from './count.ts'
import { mintKey } from './mint.ts'
import { agentKeyById, agentKeys, type KeyRow } from './queries.ts'
import type { CreateKeyBody, UpdateKeyBody } from './schema.ts'
import { insertKey, revokeKeyGuard, updateKeyGuard } from './writes.ts'

const presentKey = (row: KeyRow) => ({
  id: encodeId('key', row.id),
  key_prefix: row.prefix,
  agent_id: encodeId('agt', row.agentId),
  label: row.label,
  created_at: isoTime(row.createdAt),
  ...(row.guardrails && { guardrails: row.guardrails }),
})

export async function createKey(app: App, actor: Actor, body: CreateKeyBody) {
  const agent = await requireLiveAgent(app, actor, body.agent_id, 'agent_id')
  await requireCalendars(app, actor, body.guardrails)
  const { label = null, guardrails = null } = body
  const key = { ...mintKey('svc_ak_', app.clock.now()), agentId: agent.id, label, guardrails }
  const made = { ...presentKey(key), key: key.secret }
  await withinCap(app, actor, 'scoped_keys', agentKeyCount(app.sql, actor.orgId), async (guard) => {
    // The guard misses if the agent is decommissioned after this.
    await requireLiveAgent(app, actor, body.agent_id, 'agent_id')
    await requireProvenAddress(app, actor.orgId)
    return commit(app, {
      guard,
      effects: [
        insertKey(app.sql, { ...key, orgId: actor.orgId }),
        ...recorded(app, actor, {
          action: 'key.create',
          resource: made.id,
          response: made,
          created: [made.id, made.key, made.key_prefix],
        }),
      ],
    })
  })
  return made
}

export const listKeys = async (app: App, actor: Actor) => ({
  keys: (await agentKeys(app.sql, actor.orgId)).map(presentKey),
})

/** In force on every process with the next request. */
export const updateKey = (app: App, actor: Actor, id: string, body: UpdateKeyBody) =>
  decide(app, { noun: 'key', key: id }, async () => {
    const { orgId } = actor
    const uuid = decodeId('key', id)
    const [before] = uuid ? await agentKeyById(app.sql, orgId, uuid) : []
    if (!before) throw notFound('key', null, id)
    await requireCalendars(app, actor, body.guardrails)
    const { label = before.label, guardrails = before.guardrails } = body
    const after = { ...before, label, guardrails }
    const key = presentKey(after)
    const { matched } = await commit(app, {
      guard: updateKeyGuard(app.sql, { ...before, orgId }, { ...after, orgId }),
      effects: recorded(app, actor, { action: 'key.update', resource: key.id, response: key }),
    })
    if (!matched) return again
    await bumpEpoch(app, orgId)
    return key
  })

/** Throws 404 for a calendar that the organization does not have. */
async function requireCalendars(app: App, actor: Actor, guardrails: Guardrails | null | undefined): Promise<void> {
  for (const id of guardrails?.calendar_ids ?? []) await requireCalendar(app, actor, id, 'guardrails.calendar_ids')
}

/** The key is dead on every process before this returns. */
export async function revokeKey(app: App, actor: Actor, id: string): Promise<void> {
  const uuid = decodeId('key', id)
  if (!uuid) throw notFound('key', null, id)
  const { matched } = await commit(app, {
    guard: revokeKeyGuard(app.sql, actor.orgId, uuid, app.clock.now()),
    effects: recorded(app, actor, { action: 'key.delete', resource: id, response: undefined }),
  })
  if (!matched) throw notFound('key')
  await bumpEpoch(app, actor.orgId)
}
