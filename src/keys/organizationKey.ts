// The organization's own key, made and replaced in the console. An organization has at most one.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { conflict } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { type MintedKey, mintKey } from './mint.ts'
import { activeOrganizationKey } from './queries.ts'
import { insertKey, revokeOrganizationKey } from './writes.ts'

const presentMinted = ({ id, secret, prefix, createdAt }: MintedKey) => ({
  id: encodeId('key', id),
  key: secret,
  key_prefix: prefix,
  created_at: isoTime(createdAt),
})

export async function createOrganizationKey(app: App, actor: Actor) {
  const key = mintKey('svc_sk_', app.clock.now())
  const minted = presentMinted(key)
  await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, actor.orgId)
    const [active] = await activeOrganizationKey(app.sql, actor.orgId)
    if (active) throw conflict('This organization has a key already. Regenerate it to get a new one.')
    return commit(app, {
      guard,
      effects: [
        insertKey(app.sql, { ...key, orgId: actor.orgId, agentId: null, label: null }),
        ...recorded(app, actor, {
          action: 'key.create',
          resource: encodeId('key', key.id),
          response: minted,
          created: [minted.id, minted.key, minted.key_prefix],
        }),
      ],
    })
  })
  return minted
}

/** The old key is dead on every process before this returns. Of several concurrent calls the last one's key lives. */
export async function regenerateOrganizationKey(app: App, actor: Actor) {
  const key = mintKey('svc_sk_', app.clock.now())
  const minted = presentMinted(key)
  await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, actor.orgId)
    const revoked = revokeOrganizationKey(app.sql, actor.orgId, key.createdAt)
    return commit(app, {
      guard,
      effects: [
        revoked,
        insertKey(app.sql, { ...key, orgId: actor.orgId, agentId: null, label: null }, revoked),
        ...recorded(app, actor, {
          action: 'key.regenerate',
          resource: encodeId('key', key.id),
          response: minted,
          created: [minted.id, minted.key, minted.key_prefix],
        }),
      ],
    })
  })
  await bumpEpoch(app, actor.orgId)
  return minted
}
