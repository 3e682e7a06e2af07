// Rotates a secret without a gap: the old one signs too for a while.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { secretContext } from './present.ts'
import type { RotateSecretBody } from './schema.ts'
import { newSecret } from './signature.ts'
import { requireWebhook } from './subscriptions.ts'
import { endOverlapEffect, forgetPreviousSecrets, rotateSecretEffect } from './writes.ts'

type Rotated = { secret: string; previous_expires_at: string | null }

export async function rotateSecret(
  app: App,
  actor: Actor,
  id: string,
  { overlap_seconds, force }: RotateSecretBody,
): Promise<Rotated> {
  const now = app.clock.now()
  const overlapEndsAt = overlap_seconds === 0 ? null : new Date(now.getTime() + overlap_seconds * 1000)
  const rotated = { secret: newSecret(), previous_expires_at: isoTimeOrNull(overlapEndsAt) }
  await atRevision(app, actor, async (guard) => {
    const webhook = await requireWebhook(app, actor, id)
    const { previousExpiresAt } = webhook
    if (!force && previousExpiresAt && previousExpiresAt > now) throw overlapOpen(previousExpiresAt)
    const sealed = app.sealer.seal(secretContext(webhook.id), rotated.secret)
    return commitOrAgain(app, {
      guard,
      effects: [
        rotateSecretEffect(app, webhook, sealed, overlapEndsAt),
        auditEntry(app, actor, 'webhook.rotate', id),
        storeResponse(app, actor, rotated, { made: [rotated.secret] }),
      ],
    })
  })
  return rotated
}

const overlapOpen = (until: Date) =>
  conflict(
    `The previous secret signs until ${isoTime(until)}. End that with DELETE …/secret/previous, or send force: true.`,
    undefined,
    'force',
  )

/** It may be over already: then nothing changes. */
export async function endOverlap(app: App, actor: Actor, id: string): Promise<void> {
  await atRevision(app, actor, async (guard) => {
    const webhook = await requireWebhook(app, actor, id)
    const isOpen = webhook.previousExpiresAt !== null && webhook.previousExpiresAt > app.clock.now()
    return commitOrAgain(app, {
      guard,
      effects: [
        endOverlapEffect(app, webhook),
        isOpen ? auditEntry(app, actor, 'webhook.rotate', id) : undefined,
        storeResponse(app, actor, undefined),
      ],
    })
  })
}

/** The hourly purge: a secret that signs nothing is not kept. */
export async function purgePreviousSecrets({ sql, clock }: App): Promise<void> {
  await forgetPreviousSecrets(sql, clock.now())
}
