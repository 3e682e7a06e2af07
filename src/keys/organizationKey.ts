// The organization's own key, made and replaced in the console. There is one at a time.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict } from '../errors.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { atRevision } from '../quotas/caps.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { insertKey, type MintedKey, mintKey } from './mint.ts'
import { livingOrganizationKey, revokeOrganizationKey } from './queries.ts'

const presentMinted = ({ id, secret, prefix, createdAt }: MintedKey) => ({
  id: encodeId('key', id),
  key: secret,
  key_prefix: prefix,
  created_at: isoTime(createdAt),
})

export async function createOrganizationKey(app: App, actor: Actor) {
  const key = mintKey('svc_sk_', app.clock.now())
  await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, actor.orgId)
    const [living] = await livingOrganizationKey(app.sql, actor.orgId)
    if (living) throw conflict('This organization has a key already. Regenerate it to get a new one.')
    return commitParts(app, guard, {
      key: insertKey(app.sql, { ...key, orgId: actor.orgId, agentId: null, label: null }),
      audit: auditEntry(app, actor, 'key.create', encodeId('key', key.id)),
    })
  })
  return presentMinted(key)
}

/** The old key is dead on every process before this returns. Of several at once, the last one's key lives. */
export async function regenerateOrganizationKey(app: App, actor: Actor) {
  const key = mintKey('svc_sk_', app.clock.now())
  await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, actor.orgId)
    return commitParts(app, guard, {
      revoked: revokeOrganizationKey(app.sql, actor.orgId, key.createdAt),
      key: insertKey(app.sql, { ...key, orgId: actor.orgId, agentId: null, label: null }, afterRevoking(app.sql)),
      audit: auditEntry(app, actor, 'key.regenerate', encodeId('key', key.id)),
    })
  })
  await bumpEpoch(app, actor.orgId)
  return presentMinted(key)
}

/** There is one living key at most, so the old one must be gone before the new one is there. */
const afterRevoking = (sql: App['sql']) => sql`where (select count(*) from did_revoked) >= 0`
