// Rotates a key without a gap: the old one works for a while beside the new one.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict, notFound } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { requireProvenAddress } from '../organizations/organizations.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { recorded } from '../recording/recorded.ts'
import { isoTimeOrNull } from '../shapes/datetimes.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { alreadyReplaced, requireEndAhead } from './ends.ts'
import { requireAgentKey } from './keys.ts'
import { mintKey } from './mint.ts'
import { requireOwnKey } from './organizationKeys.ts'
import { presentKey, presentOrganizationKey } from './present.ts'
import { predecessorOf, replacedKey } from './queries.ts'
import { replaceKey } from './replace.ts'
import type { AgentKeyRow, KeyRow } from './row.ts'
import { endOfReplaced, refuseRotation } from './rules.ts'
import type { RotateKeyBody } from './schema.ts'

type Kind<Row extends KeyRow, Record> = {
  prefix: 'svc_sk_' | 'svc_ak_'
  /** Throws 404 unless it is the id of such a key that can be used. */
  require(app: App, actor: Actor, id: string): Promise<Row>
  present(row: Row): Record
}

const ofOrganization: Kind<KeyRow, ReturnType<typeof presentOrganizationKey>> = {
  prefix: 'svc_sk_',
  require: requireOwnKey,
  present: presentOrganizationKey,
}

const ofAgent: Kind<AgentKeyRow, ReturnType<typeof presentKey>> = {
  prefix: 'svc_ak_',
  require: requireAgentKey,
  present: presentKey,
}

export const rotateOrganizationKey = (app: App, actor: Actor, id: string, body: RotateKeyBody) =>
  rotate(app, actor, id, body, ofOrganization)

export const rotateAgentKey = (app: App, actor: Actor, id: string, body: RotateKeyBody) =>
  rotate(app, actor, id, body, ofAgent)

/** Of several concurrent calls one rotates. */
async function rotate<Row extends KeyRow, Shown extends object>(
  app: App,
  actor: Actor,
  id: string,
  { overlap_seconds, expires_at, force }: RotateKeyBody,
  kind: Kind<Row, Shown>,
) {
  const { orgId } = actor
  const minted = mintKey(kind.prefix, app.clock.now())
  requireEndAhead(expires_at, minted.createdAt)
  const rotated = await atRevision(app, actor, async (guard) => {
    await requireProvenAddress(app, orgId)
    const before = await requireUnreplaced(app, actor, id, kind)
    const [older] = await predecessorOf(app.sql, orgId, before.id)
    const refusal = refuseRotation(before, older, force)
    if (refusal) throw refusals[refusal]()
    const endOfBefore = endOfReplaced(before, overlap_seconds, minted.createdAt)
    const { row, effects } = replaceKey(app, actor, { minted, before, endOfBefore, older, expiresAt: expires_at })
    const shown = {
      ...kind.present(row as Row),
      key: minted.secret,
      previous_expires_at: isoTimeOrNull(endOfBefore),
    }
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          ...effects,
          ...recorded(app, actor, {
            action: 'key.rotate',
            resource: encodeId('key', before.id),
            response: shown,
            created: [encodeId('key', row.id), minted.secret, row.prefix],
          }),
        ],
      },
      shown,
    )
  })
  await bumpEpoch(app, orgId)
  return rotated
}

/** A key that was replaced says so even after its end: of two that rotate it at once, the loser learns why. */
async function requireUnreplaced<Row extends KeyRow>(
  app: App,
  actor: Actor,
  id: string,
  kind: Pick<Kind<Row, unknown>, 'prefix' | 'require'>,
): Promise<Row> {
  const uuid = decodeId('key', id)
  if (!uuid) throw notFound('key', null, id)
  const [replaced] = await replacedKey(app.sql, actor.orgId, uuid, kind.prefix === 'svc_ak_')
  if (replaced) throw alreadyReplaced()
  return kind.require(app, actor, id)
}

const refusals = {
  key_replaced: alreadyReplaced,
  overlap_open: () =>
    conflict('The key before this one still works. Revoke it, or send force: true to end it.', 'overlap_open', 'force'),
}
