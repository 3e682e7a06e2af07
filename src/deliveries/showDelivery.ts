// One delivery for the owner of its webhook: what was sent, and what came of each attempt.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { openAttemptLog } from '../webhooks/attemptLog.ts'
import { bodyOf, hasPayload, openPayload } from '../webhooks/payload.ts'
import { presentDelivery } from '../webhooks/present.ts'
import { requireWebhook } from '../webhooks/subscriptions.ts'
import { openTargets } from '../webhooks/target.ts'
import { headersOf } from './post.ts'
import { detailedDelivery } from './queries.ts'

export async function showDelivery(app: App, actor: Actor, webhookId: string, deliveryId: string) {
  const webhook = await requireWebhook(app, actor, webhookId)
  const id = decodeId('whd', deliveryId)
  const [row] = id ? await detailedDelivery(app.sql, actor.orgId, webhook.id, id) : []
  if (!row) throw notFound('delivery', null, deliveryId)
  const log = openAttemptLog(app, row.id, row.attemptLogSealed)
  const body = hasPayload(row) ? openPayload(app, row) : undefined
  const last = log.at(-1)
  return {
    ...presentDelivery(app, row),
    payload: body === undefined ? null : JSON.parse(body),
    request_headers: last && body !== undefined ? headersSent(app, row, body, new Date(last.at)) : null,
    attempt_log: log,
  }
}

type Row = Awaited<ReturnType<typeof detailedDelivery>>[number]

/** They are made again as they were made then. Secrets that have changed since would sign otherwise. Those of the receiver are its own. */
function headersSent(app: App, row: Row, payload: string, at: Date): Record<string, string> {
  const { standard, changeId, revision } = row
  const id = encodeId('whd', row.id)
  const message = {
    id,
    type: row.eventType,
    body: bodyOf(payload, { id, type: row.eventType, changedAt: row.changedAt }),
    ...(standard && { changeId, revision }),
  }
  const signing = row.targetUpdatedAt <= at && { keys: openTargets(app)(row, at).keys }
  const list = headersOf(message, { standard, ...signing }, at)
  return Object.fromEntries(list.flatMap((name, nth) => (nth % 2 === 0 ? [[name, list[nth + 1]!]] : [])))
}
