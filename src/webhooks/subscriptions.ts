// Webhook subscriptions: create, read, change, remove. The organization's revision makes both the cap and the rule
// against duplicates exact.
import { randomBytes } from 'node:crypto'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { checkSentTarget } from '../outbound/addresses.ts'
import { atRevision, withinCap } from '../quotas/caps.ts'
import { sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { type List, listed, type Page } from '../shapes/lists.ts'
import type { Fragment } from '../stores/postgres.ts'
import { parkDeliveries, resumeDeliveries } from './parking.ts'
import { presentWebhook, secretPlace, urlPlace } from './present.ts'
import { rivalWebhooks, type WebhookRow, webhookById, webhookCount, webhooksOf, webhookTotal } from './queries.ts'
import type { CreateWebhookBody, UpdateWebhookBody } from './schema.ts'

/** For what an organization is told of its use. */
export { webhookCount } from './queries.ts'

type Webhook = ReturnType<typeof presentWebhook>

export async function createWebhook(
  app: App,
  actor: Actor,
  body: CreateWebhookBody,
): Promise<Webhook & { secret: string }> {
  const { sql, sealer, clock } = app
  const urlHash = requireTarget(app, body.url)
  const id = newId()
  const now = clock.now()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const row = {
    orgId: actor.orgId,
    id,
    urlSealed: sealer.seal(urlPlace(id), body.url),
    urlHash,
    events: body.events,
    active: true,
    consecutiveFailures: 0,
    firstFailureAt: null,
    createdAt: now,
  }
  const add = async (guard: Fragment) => {
    await refuseDuplicate(app, actor, urlHash, body.events, null)
    return commitParts(app, guard, {
      subscription: sql`
        insert into webhook_subscriptions (org_id, id, url_sealed, url_hash, events, secret_sealed, created_at, updated_at)
        select ${actor.orgId}::uuid, ${id}::uuid, ${row.urlSealed}::bytea, ${urlHash}::bytea,
          ${body.events}::text[], ${sealer.seal(secretPlace(id), secret)}::bytea, ${now}::timestamptz, ${now}::timestamptz
        from guard`,
      audit: auditEntry(app, actor, 'webhook.create', encodeId('whk', id)),
    })
  }
  await withinCap(app, actor, 'webhooks', webhookCount(sql, actor.orgId), add)
  return { ...presentWebhook(app, row), secret }
}

export async function listWebhooks(app: App, actor: Actor, page: Page): Promise<List<Webhook>> {
  const [rows, [count]] = await Promise.all([
    webhooksOf(app.sql, actor.orgId, page),
    webhookTotal(app.sql, actor.orgId),
  ])
  return listed(
    rows.map((row) => presentWebhook(app, row)),
    count?.total ?? 0,
    page,
  )
}

export const getWebhook = async (app: App, actor: Actor, id: string): Promise<Webhook> =>
  presentWebhook(app, await requireWebhook(app, actor, id))

export async function updateWebhook(app: App, actor: Actor, id: string, body: UpdateWebhookBody): Promise<Webhook> {
  const urlHash = body.url === undefined ? undefined : requireTarget(app, body.url)
  await atRevision(app, actor, async (guard) => {
    const before = await requireWebhook(app, actor, id)
    const after = { ...body, events: body.events ?? before.events, urlHash: urlHash ?? before.urlHash }
    const written = app.sql`did_subscription`
    if (body.url !== undefined || body.events) {
      await refuseDuplicate(app, actor, after.urlHash, after.events, before.id)
    }
    return commitParts(app, guard, {
      subscription: rewriteWebhook(app, before, after),
      deliveries: body.active && !before.active ? resumeDeliveries(app, before.orgId, before.id, written) : undefined,
      parked: body.active === false ? parkDeliveries(app.sql, before.orgId, before.id, written) : undefined,
      audit: auditEntry(app, actor, 'webhook.update', id),
    })
  })
  return getWebhook(app, actor, id)
}

type Rewrite = { url?: string | undefined; urlHash: Buffer; events: string[]; active?: boolean | undefined }

const rewriteWebhook = ({ sql, sealer, clock }: App, { orgId, id }: WebhookRow, after: Rewrite): Fragment => sql`
  update webhook_subscriptions set url_hash = ${after.urlHash}::bytea, events = ${after.events}::text[],
    updated_at = ${clock.now()}
    ${after.url === undefined ? sql`` : sql`, url_sealed = ${sealer.seal(urlPlace(id), after.url)}::bytea`}
    ${after.active === undefined ? sql`` : sql`, active = ${after.active}`}
    ${after.active ? sql`, consecutive_failures = 0, first_failure_at = null` : sql``}
  from guard where org_id = ${orgId} and id = ${id} and deleted_at is null
  returning id`

export async function removeWebhook(app: App, actor: Actor, id: string): Promise<void> {
  const { sql, clock } = app
  await atRevision(app, actor, async (guard) => {
    const { orgId, id: uuid } = await requireWebhook(app, actor, id)
    const now = clock.now()
    return commitParts(app, guard, {
      subscription: sql`
        update webhook_subscriptions set deleted_at = ${now}, active = false, updated_at = ${now} from guard
        where org_id = ${orgId} and id = ${uuid} and deleted_at is null
        returning id`,
      parked: parkDeliveries(sql, orgId, uuid, sql`did_subscription`),
      audit: auditEntry(app, actor, 'webhook.delete', id),
    })
  })
}

export async function requireWebhook(app: App, actor: Actor, id: string): Promise<WebhookRow> {
  const uuid = decodeId('whk', id)
  const [row] = uuid ? await webhookById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('webhook', null, id)
  return row
}

/** The hash by which duplicates are found: of what goes over the wire. The record keeps the address as it was sent. */
function requireTarget(app: App, address: string): Buffer {
  const target = checkSentTarget(address, app.config.trustedHosts)
  if (!target.ok) throw invalid(target.reason, 'url')
  const { origin, pathname, search } = target.url
  return sha256(origin + pathname + search)
}

async function refuseDuplicate(
  app: App,
  actor: Actor,
  urlHash: Buffer,
  events: readonly string[],
  except: Uuid | null,
) {
  const [rival] = await rivalWebhooks(app.sql, actor.orgId, urlHash, events, except)
  if (!rival) return
  throw conflict(
    `The webhook ${encodeId('whk', rival.id)} already sends ${rival.shared.join(', ')} to this address. Change that one instead.`,
    undefined,
    'events',
  )
}
