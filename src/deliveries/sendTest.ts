// One attempt now with an example, to try a receiver: signed like every delivery, written nowhere.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { notFound, overloaded } from '../errors.ts'
import { ofAll, refuseExcess, throttle } from '../quotas/throttle.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import type { EventType } from '../webhooks/catalog.ts'
import { endOf } from '../webhooks/outcome.ts'
import { bodyOf } from '../webhooks/payload.ts'
import { targetOfWebhook } from '../webhooks/queries.ts'
import type { TestResult, TestWebhookBody } from '../webhooks/schema.ts'
import { openTargets } from '../webhooks/target.ts'
import { signedRequest } from './post.ts'

/** Of a webhook, so that trying one leaves the others alone; and, as it can be made anew, of all those of its organization. */
const perSecond = { name: 'webhook_test_second', max: 1, windowMs: 1_000 }
const perDay = { name: 'webhook_test_day', max: 100, windowMs: dayMs }

/** A dry run sends nothing. */
const unknownResult = { delivered: null, outcome: null, http_status: null, duration_ms: null, body_start: null }

/** `examples`: the payload of each type, as the reference shows it. */
export async function sendTest(
  app: App,
  actor: Actor,
  webhookId: string,
  { type: asked }: TestWebhookBody,
  examples: (type: EventType) => unknown,
): Promise<TestResult> {
  const id = decodeId('whk', webhookId)
  const [row] = id ? await targetOfWebhook(app.sql, actor.orgId, id) : []
  if (!row) throw notFound('webhook', null, webhookId)
  const isDry = actor.request.dryRun !== undefined
  const count = isDry ? refuseExcess : throttle
  for (const limit of [perSecond, perDay]) {
    await count(app, limit, row.subscriptionId)
    await count(app, ofAll(limit, actor.limits.webhooks), actor.orgId)
  }
  if (isDry) await commitResponse(app, actor, unknownResult)
  const type = asked ?? row.events[0]!
  const now = app.clock.now()
  const deliveryId = encodeId('whd', newId())
  const message = {
    id: deliveryId,
    type,
    body: bodyOf(JSON.stringify(examples(type)), { id: deliveryId, type, changedAt: row.envelope ? now : null }),
    isTest: true,
  } as const
  const outcome = await app.http.send(signedRequest(row, openTargets(app)(row, now), message, now))
  if (outcome.kind === 'failed' && outcome.reason === 'closed') {
    throw overloaded('This process is ending, and the attempt with it. Try again.')
  }
  const end = endOf(outcome)
  app.metrics.webhookTests.inc({ outcome: end.outcome })
  const result = {
    delivered: end.outcome === 'delivered',
    outcome: end.outcome,
    http_status: end.httpStatus ?? null,
    duration_ms: end.durationMs,
    body_start: end.bodyStart,
  }
  await commitResponse(app, actor, result)
  return result
}
