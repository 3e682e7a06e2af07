// The keys of the organization itself that have a name: made, listed, edited and revoked in the console.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { notFound } from '../errors.ts'
import { atRevision, withinCap } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { ownKeyCount } from './count.ts'
import { refuseProlonging, requireEndAhead } from './ends.ts'
import { mintKey } from './mint.ts'
import type { NamedKeyBody, UpdateOrganizationKeyBody } from './organizationKeySchema.ts'
import { presentOrganizationKey } from './present.ts'
import { ownKeyById, ownKeys } from './queries.ts'
import { recordCreation } from './recordCreation.ts'
import { type KeyRow, newRow } from './row.ts'
import { endKeys, insertKey, makerOf, updateKey } from './writes.ts'

export const listOrganizationKeys = async ({ sql }: App, { orgId }: Actor) => ({
  keys: (await ownKeys(sql, orgId)).map(presentOrganizationKey),
})

export async function createNamedKey(app: App, actor: Actor, body: NamedKeyBody) {
  const { orgId } = actor
  const now = app.clock.now()
  requireEndAhead(body.expires_at, now)
  const { name: label, scope = 'full', expires_at: expiresAt = null, allowed_ips: allowedIps = null } = body
  const minted = mintKey('svc_sk_', now)
  const row = { ...newRow(minted), label, scope, expiresAt, allowedIps, isPrimary: false, ...makerOf(actor) }
  const made = { ...presentOrganizationKey(row), key: minted.secret }
  await withinCap(app, actor, 'organization_keys', ownKeyCount(app.sql, orgId), async (guard) => {
    await requireProvenAddress(app, orgId)
    return commitOrAgain(app, {
      guard,
      effects: [insertKey(app.sql, { ...minted, ...row, orgId }), ...recordCreation(app, actor, made)],
    })
  })
  return made
}

/** In force on every process with the next request. */
export async function updateOrganizationKey(app: App, actor: Actor, id: string, body: UpdateOrganizationKeyBody) {
  const { orgId } = actor
  requireEndAhead(body.expires_at, app.clock.now())
  const key = await atRevision(app, actor, async (guard) => {
    const before = await requireOwnKey(app, actor, id)
    refuseProlonging(before, body.expires_at)
    const { name = before.label, expires_at = before.expiresAt, allowed_ips = before.allowedIps } = body
    const after = { ...before, label: name, expiresAt: expires_at, allowedIps: allowed_ips }
    const shown = presentOrganizationKey(after)
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          updateKey(app.sql, orgId, after),
          ...recorded(app, actor, { action: 'key.update', resource: shown.id, response: shown }),
        ],
      },
      shown,
    )
  })
  await bumpEpoch(app, orgId)
  return key
}

/** The key is dead on every process before this returns. */
export async function revokeOrganizationKey(app: App, actor: Actor, id: string): Promise<void> {
  const { orgId } = actor
  await atRevision(app, actor, async (guard) => {
    const row = await requireOwnKey(app, actor, id)
    return commitOrAgain(app, {
      guard,
      effects: [
        endKeys(app.sql, orgId, [{ id: row.id, expiresAt: null }], app.clock.now()),
        ...recorded(app, actor, { action: 'key.delete', resource: encodeId('key', row.id), response: undefined }),
      ],
    })
  })
  await bumpEpoch(app, orgId)
}

/** Throws 404 unless it is the id of a key of the organization itself that can be used. */
export async function requireOwnKey({ sql }: App, { orgId }: Actor, id: string): Promise<KeyRow> {
  const uuid = decodeId('key', id)
  const [row] = uuid ? await ownKeyById(sql, orgId, uuid) : []
  if (!row) throw notFound('key', null, id)
  return row
}
