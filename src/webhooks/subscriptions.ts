// Webhook subscriptions: create, read, change, remove. The organization's revision makes both the cap and the rule
// against duplicates exact.
import { randomBytes } from 'node:crypto'
import type { Actor } from '../actor.ts'
import { checkTarget } from '../addresses.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { commit } from '../change.ts'
import type { Fragment } from '../db.ts'
import { conflict, invalid, notFound, overloaded } from '../errors.ts'
import { decodeId, encodeId, newId } from '../ids.ts'
import { type List, listed, type Page } from '../lists.ts'
import { bumpOrganization, withinCap } from '../quotas/caps.ts'
import { sha256 } from '../secrets.ts'
import { presentWebhook, secretPlace, urlPlace } from './present.ts'
import { rivalWebhooks, type WebhookRow, webhookById, webhookCount, webhooksOf } from './queries.ts'
import type { CreateWebhookBody, UpdateWebhookBody } from './schema.ts'

export type Webhook = ReturnType<typeof presentWebhook>

export async function createWebhook(
  app: App,
  actor: Actor,
  body: CreateWebhookBody,
): Promise<Webhook & { secret: string }> {
  const { sql, sealer, clock } = app
  const target = requireTarget(app, body.url)
  const id = newId()
  const now = clock.now()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const row = {
    orgId: actor.orgId,
    id,
    urlSealed: sealer.seal(urlPlace(id), body.url),
    events: body.events,
    active: true,
    consecutiveFailures: 0,
    firstFailureAt: null,
    createdAt: now,
  }
  const add = async (guard: Fragment) => {
    await refuseDuplicate(app, actor, target, body.events, null)
    return commit(app, guard, {
      subscription: sql`
        insert into webhook_subscriptions (org_id, id, url_sealed, url_hash, events, secret_sealed, created_at, updated_at)
        select ${actor.orgId}::uuid, ${id}::uuid, ${row.urlSealed}::bytea, ${sha256(target)}::bytea,
          ${body.events as never}::text[], ${sealer.seal(secretPlace(id), secret)}::bytea, ${now}::timestamptz, ${now}::timestamptz
        from guard`,
      audit: audited(app, actor, 'webhook.create', encodeId('whk', id)),
    })
  }
  await withinCap(app, actor, 'webhooks', webhookCount(sql, actor.orgId), add)
  return { ...presentWebhook(app, row), secret }
}

export async function listWebhooks(app: App, actor: Actor, page: Page): Promise<List<Webhook>> {
  const [rows, [count]] = await Promise.all([
    webhooksOf(app.sql, actor.orgId, page),
    app.sql<{ total: number }[]>`${webhookCount(app.sql, actor.orgId)}`,
  ])
  return listed(
    rows.map((row) => presentWebhook(app, row)),
    count?.total ?? 0,
    page,
  )
}

export const getWebhook = async (app: App, actor: Actor, id: string): Promise<Webhook> =>
  presentWebhook(app, await requireWebhook(app, actor, id))

const mostTries = 10

export async function updateWebhook(app: App, actor: Actor, id: string, body: UpdateWebhookBody): Promise<Webhook> {
  if (body.url !== undefined) requireTarget(app, body.url)
  for (let tries = 0; tries < mostTries; tries++) {
    const seen = await organizationRevision(app, actor)
    const before = await requireWebhook(app, actor, id)
    const address = body.url ?? presentWebhook(app, before).url
    const events = body.events ?? before.events
    if (body.url || body.events) await refuseDuplicate(app, actor, normalized(address), events, before.id)
    if (await writeUpdate(app, actor, before, { address, events, active: body.active }, seen))
      return getWebhook(app, actor, id)
  }
  throw overloaded('Too many changes at once to this organization. Try again.')
}

type Update = { address: string; events: string[]; active: boolean | undefined }

async function writeUpdate(app: App, actor: Actor, before: WebhookRow, update: Update, seen: number): Promise<boolean> {
  const { sql, sealer, clock } = app
  const now = clock.now()
  const { orgId, id } = before
  const { matched } = await commit(app, bumpOrganization(app, orgId, seen), {
    subscription: sql`
      update webhook_subscriptions set url_sealed = ${sealer.seal(urlPlace(id), update.address)},
        url_hash = ${sha256(normalized(update.address))}, events = ${update.events as never}::text[], updated_at = ${now}
        ${update.active === undefined ? sql`` : sql`, active = ${update.active}`}
        ${update.active ? sql`, consecutive_failures = 0, first_failure_at = null` : sql``}
      from guard where org_id = ${orgId} and id = ${id} and deleted_at is null`,
    // What waited for the subscription goes on: of each change the first that is still to be delivered.
    deliveries:
      update.active && !before.active
        ? sql`
          update webhook_deliveries d set next_retry_at = ${now} from guard
          where d.org_id = ${orgId} and d.subscription_id = ${id} and d.status = 'pending' and not exists (
            select from webhook_deliveries p where p.org_id = d.org_id and p.subscription_id = d.subscription_id
              and p.change_id = d.change_id and p.status = 'pending' and p.position < d.position)
          returning d.org_id, d.id, d.subscription_id, d.attempts, d.next_retry_at`
        : undefined,
    parked: update.active === false ? parkDeliveries(app, orgId, id) : undefined,
    audit: audited(app, actor, 'webhook.update', encodeId('whk', id)),
  })
  return matched
}

/** Pending deliveries of a subscription that is switched off wait for it to be switched on again. */
export const parkDeliveries = ({ sql }: App, orgId: string, id: string): Fragment => sql`
  update webhook_deliveries set next_retry_at = null from guard
  where webhook_deliveries.org_id = ${orgId} and subscription_id = ${id} and status = 'pending'`

export async function removeWebhook(app: App, actor: Actor, id: string): Promise<void> {
  const { sql, clock } = app
  const { orgId, id: uuid } = await requireWebhook(app, actor, id)
  const now = clock.now()
  const { matched } = await commit(app, bumpOrganization(app, orgId), {
    subscription: sql`
      update webhook_subscriptions set deleted_at = ${now}, active = false, updated_at = ${now} from guard
      where org_id = ${orgId} and id = ${uuid} and deleted_at is null`,
    parked: parkDeliveries(app, orgId, uuid),
    audit: audited(app, actor, 'webhook.delete', encodeId('whk', uuid)),
  })
  if (!matched) throw notFound('webhook')
}

export async function requireWebhook(app: App, actor: Actor, id: string): Promise<WebhookRow> {
  const uuid = decodeId('whk', id)
  const [row] = uuid ? await webhookById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('webhook')
  return row
}

/** The address in its one normal form, by which duplicates are found; the record keeps it as it was sent. */
function requireTarget(app: App, address: string): string {
  const target = checkTarget(address, app.config.trustedHosts)
  if (!target.ok) throw invalid(target.reason, 'url')
  return normalized(address)
}

function normalized(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}

async function refuseDuplicate(
  app: App,
  actor: Actor,
  target: string,
  events: readonly string[],
  except: string | null,
) {
  const [rival] = await rivalWebhooks(app.sql, actor.orgId, sha256(target), events, except)
  if (!rival) return
  throw conflict(
    `The webhook ${encodeId('whk', rival.id)} already sends ${rival.shared.join(', ')} to this address. Change that one instead.`,
    undefined,
    'events',
  )
}

async function organizationRevision(app: App, actor: Actor): Promise<number> {
  const [row] = await app.sql<{ revision: number }[]>`select revision from organizations where id = ${actor.orgId}`
  return row?.revision ?? -1
}
