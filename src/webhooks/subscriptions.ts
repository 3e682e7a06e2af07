// Webhook subscriptions: create, read, change, remove. The organization's revision makes both the cap and the rule
// against duplicates exact.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { atRevision, withinCap } from '../organizations/caps.ts'
import { checkSentTarget } from '../outbound/addresses.ts'
import { sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { type List, listPage, type Page } from '../shapes/lists.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { Filters } from './filters.ts'
import { headersContext } from './headers.ts'
import { presentWebhook, secretContext, urlContext } from './present.ts'
import { type NewTarget, rivalWebhooks, type WebhookRow, webhookById, webhooksOf } from './queries.ts'
import { requireFilters } from './requireFilters.ts'
import type { CreateWebhookBody, UpdateWebhookBody } from './schema.ts'
import { newSecret } from './signature.ts'
import { resumeDeliveries, suspendDeliveries } from './suspension.ts'
import { deleteWebhook, insertWebhook, rewriteWebhook } from './writes.ts'

/** The number of subscriptions of an organization, as a scalar query, for the cap of the plan. */
export const webhookCount = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) from webhook_subscriptions where org_id = ${orgId} and deleted_at is null`

type Webhook = ReturnType<typeof presentWebhook>

export async function createWebhook(
  app: App,
  actor: Actor,
  body: CreateWebhookBody,
): Promise<Webhook & { secret: string }> {
  const { sql, sealer, clock } = app
  const urlHash = requireTarget(app, body.url)
  const filters = await requireFilters(app, actor, body, noFilters)
  const id = newId()
  const secret = newSecret()
  const row = {
    orgId: actor.orgId,
    id,
    urlSealed: sealer.seal(urlContext(id), body.url),
    urlHash,
    events: body.events,
    active: true,
    consecutiveFailures: 0,
    firstFailureAt: null,
    createdAt: clock.now(),
    ...filters,
    standard: body.standard ?? false,
    headersSealed: sealedHeaders(app, id, body.headers ?? null),
    envelope: body.envelope ?? false,
    previousExpiresAt: null,
  }
  const webhook = { ...presentWebhook(app, row), ...shownOptions(body), secret }
  await withinCap(app, actor, 'webhooks', webhookCount(sql, actor.orgId), async (guard) => {
    await refuseDuplicate(app, actor, { urlHash, events: body.events, filters }, null)
    return commitOrAgain(app, {
      guard,
      effects: [
        insertWebhook(app, { ...row, secretSealed: sealer.seal(secretContext(id), secret) }),
        auditEntry(app, actor, 'webhook.create', webhook.id),
        storeResponse(app, actor, webhook, { made: [webhook.id, secret] }),
      ],
    })
  })
  return webhook
}

export async function listWebhooks(app: App, actor: Actor, page: Page): Promise<List<Webhook>> {
  const { sql } = app
  const [rows, [count]] = await Promise.all([
    webhooksOf(sql, actor.orgId, page),
    own<{ total: number }>(sql, actor.orgId)`
      select ${askedBy(sql, actor.orgId)}, (${webhookCount(sql, actor.orgId)})::integer as total`,
  ])
  return listPage(
    rows.map((row) => presentWebhook(app, row)),
    count?.total ?? 0,
    page,
  )
}

export const getWebhook = async (app: App, actor: Actor, id: string): Promise<Webhook> =>
  presentWebhook(app, await requireWebhook(app, actor, id))

export async function updateWebhook(app: App, actor: Actor, id: string, body: UpdateWebhookBody): Promise<Webhook> {
  const urlHash = body.url === undefined ? undefined : requireTarget(app, body.url)
  return atRevision(app, actor, async (guard) => {
    const before = await requireWebhook(app, actor, id)
    const after = {
      ...body,
      events: body.events ?? before.events,
      urlHash: urlHash ?? before.urlHash,
      filters: await requireFilters(app, actor, body, before),
      standard: body.standard ?? before.standard,
      headersSealed: body.headers === undefined ? before.headersSealed : sealedHeaders(app, before.id, body.headers),
      envelope: body.envelope ?? before.envelope,
    }
    if (body.url !== undefined || body.events || namesFilters(body)) {
      await refuseDuplicate(app, actor, after, before.id)
    }
    const written = rewriteWebhook(app, before, after)
    const { standard, headersSealed, envelope } = after
    const shown = presentWebhook(app, { ...before, ...after.filters, standard, headersSealed, envelope })
    const webhook: Webhook = { ...shown, ...shownChange(body), ...shownOptions(body) }
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          written,
          body.active && !before.active ? resumeDeliveries(app, before, written) : undefined,
          body.active === false ? suspendDeliveries(app, before, written) : undefined,
          auditEntry(app, actor, 'webhook.update', id),
          storeResponse(app, actor, webhook),
        ],
      },
      webhook,
    )
  })
}

/** Null for none. */
const sealedHeaders = ({ sealer }: App, id: Uuid, headers: Record<string, string> | null): Buffer | null =>
  headers && Object.keys(headers).length > 0 ? sealer.seal(headersContext(id), JSON.stringify(headers)) : null

const noFilters: Filters = { calendarIds: null, agentIds: null }

type Options = Pick<UpdateWebhookBody, 'calendar_ids' | 'agent_ids' | 'standard'>

const namesFilters = ({ calendar_ids, agent_ids }: Options): boolean =>
  calendar_ids !== undefined || agent_ids !== undefined

/** An answer to a request that names an option shows it, also where it is not used. */
const shownOptions = ({ calendar_ids, agent_ids, standard }: Options): Partial<Webhook> => ({
  ...(calendar_ids !== undefined && { calendarIds: calendar_ids as Webhook['calendarIds'] }),
  ...(agent_ids !== undefined && { agentIds: agent_ids as Webhook['agentIds'] }),
  ...(standard !== undefined && { standard }),
})

/** Switching it on clears its failures. */
const shownChange = ({ url, events, active }: UpdateWebhookBody): Partial<Webhook> => ({
  ...(url !== undefined && { url }),
  ...(events && { events }),
  ...(active !== undefined && { active }),
  ...(active && { consecutiveFailures: 0, firstFailureAt: null }),
})

export async function removeWebhook(app: App, actor: Actor, id: string): Promise<void> {
  await atRevision(app, actor, async (guard) => {
    const webhook = await requireWebhook(app, actor, id)
    const written = deleteWebhook(app, webhook)
    return commitOrAgain(app, {
      guard,
      effects: [
        written,
        suspendDeliveries(app, webhook, written),
        auditEntry(app, actor, 'webhook.delete', id),
        storeResponse(app, actor, undefined),
      ],
    })
  })
}

export async function requireWebhook(app: App, actor: Actor, id: string): Promise<WebhookRow> {
  const uuid = decodeId('whk', id)
  const [row] = uuid ? await webhookById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('webhook', null, id)
  return row
}

/** The hash that finds duplicates, of the address as it is requested. The record keeps the spelling of the caller. */
function requireTarget(app: App, address: string): Buffer {
  const target = checkSentTarget(address, app.config.trustedHosts)
  if (!target.ok) throw invalid(target.reason, 'url')
  const { origin, pathname, search } = target.url
  return sha256(origin + pathname + search)
}

async function refuseDuplicate(app: App, actor: Actor, proposed: NewTarget, except: Uuid | null) {
  const [rival] = await rivalWebhooks(app.sql, actor.orgId, proposed, except)
  if (!rival) return
  throw conflict(
    `The webhook ${encodeId('whk', rival.id)} already sends ${rival.shared.join(', ')} to this address. Change that one instead.`,
    undefined,
    'events',
  )
}
