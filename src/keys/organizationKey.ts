// The primary key of an organization, made and replaced in the console. An organization has at most one.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict } from '../errors.ts'
import { atRevision, withinCap } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { ownKeyCount } from './count.ts'
import { type MintedKey, mintKey } from './mint.ts'
import type { RegenerateKeyBody } from './organizationKeySchema.ts'
import { predecessorOf, primaryKey } from './queries.ts'
import { recordCreation } from './recordCreation.ts'
import { replaceKey } from './replace.ts'
import { endOfReplaced, isOver } from './rules.ts'
import { endKeys, insertKey, makerOf } from './writes.ts'

const presentMinted = ({ id, secret, prefix, createdAt }: MintedKey) => ({
  id: encodeId('key', id),
  key: secret,
  key_prefix: prefix,
  created_at: isoTime(createdAt),
})

/** Takes the place of one that has expired. */
export async function createOrganizationKey(app: App, actor: Actor) {
  const { orgId } = actor
  const minted = mintKey('svc_sk_', app.clock.now())
  const made = presentMinted(minted)
  await withinCap(app, actor, 'organization_keys', ownKeyCount(app.sql, orgId), async (guard) => {
    await requireProvenAddress(app, orgId)
    const [before] = await primaryKey(app.sql, orgId)
    if (before && !isOver(before, minted.createdAt)) {
      throw conflict('This organization has a key already. Regenerate it to get a new one.')
    }
    const ended = before && endKeys(app.sql, orgId, [{ ...before, replacedBy: minted.id }], minted.createdAt)
    return commitOrAgain(app, {
      guard,
      effects: [
        ended,
        insertKey(app.sql, { ...minted, ...makerOf(actor), orgId }, ended),
        ...recordCreation(app, actor, made),
      ],
    })
  })
  return made
}

type Regenerated = ReturnType<typeof presentMinted> & { previous_expires_at?: string | null }

/**
 * The old key ends on every process before this returns, unless it was asked to work for a while; the one before it ends in any
 * case. Of several concurrent calls the last one's key lives.
 */
export async function regenerateOrganizationKey(
  app: App,
  actor: Actor,
  { overlap_seconds }: RegenerateKeyBody,
): Promise<Regenerated> {
  const { orgId } = actor
  const minted = mintKey('svc_sk_', app.clock.now())
  const made = await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, orgId)
    const [before] = await primaryKey(app.sql, orgId)
    const [older] = before ? await predecessorOf(app.sql, orgId, before.id) : []
    const isAlive = before !== undefined && !isOver(before, minted.createdAt)
    const endOfBefore = isAlive ? endOfReplaced(before, overlap_seconds ?? 0, minted.createdAt) : null
    const shown: Regenerated = {
      ...presentMinted(minted),
      ...(overlap_seconds !== undefined && { previous_expires_at: isoTimeOrNull(endOfBefore) }),
    }
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          ...replaceKey(app, actor, { minted, before, endOfBefore, older }).effects,
          ...recorded(app, actor, {
            action: 'key.regenerate',
            resource: shown.id,
            response: shown,
            created: [shown.id, shown.key, shown.key_prefix],
          }),
        ],
      },
      shown,
    )
  })
  await bumpEpoch(app, orgId)
  return made
}

/** Ends the key that the primary one has replaced. It may have ended already: then nothing changes. */
export async function endPreviousKey(app: App, actor: Actor): Promise<void> {
  const { orgId } = actor
  await atRevision(app, actor, async (guard) => {
    const [primary] = await primaryKey(app.sql, orgId)
    const [previous] = primary ? await predecessorOf(app.sql, orgId, primary.id) : []
    if (!previous) return commitOrAgain(app, { guard, effects: [storeResponse(app, actor, undefined)] })
    const resource = encodeId('key', previous.id)
    return commitOrAgain(app, {
      guard,
      effects: [
        endKeys(app.sql, orgId, [{ id: previous.id, expiresAt: null }], app.clock.now()),
        ...recorded(app, actor, { action: 'key.delete', resource, response: undefined }),
      ],
    })
  })
  await bumpEpoch(app, orgId)
}
