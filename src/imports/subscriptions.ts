// Subscriptions to external feeds: create, read, change, sync now, remove. Imported events stay when one is removed.

import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireListedCalendar } from '../actors/guardrails.ts'
import { agentDecommissioned, requireAgent, requireLiveAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { conflict, forbidden, notFound, ServiceError } from '../errors.ts'
import type { Keepable } from '../icalendar/contentLines.ts'
import { withinCap } from '../organizations/caps.ts'
import { checkSentTarget } from '../outbound/addresses.ts'
import { recorded } from '../recording/recorded.ts'
import { randomToken } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { liveSubscriptions } from './paused.ts'
import { digestKeyContext, presentSubscription, urlContext } from './present.ts'
import { type SubscriptionRow, subscriptionById, subscriptionsPage, subscriptionTotal } from './queries.ts'
import type { CreateSubscriptionBody, SubscriptionListQuery, UpdateSubscriptionBody } from './schema.ts'
import { unreportedOf } from './unreported.ts'
import { editSubscriptionGuard, insertSubscription, removeSubscriptionGuard, startSyncGuard } from './writes.ts'

export async function createSubscription(app: App, actor: Actor, agentId: string, body: CreateSubscriptionBody) {
  requireTarget(app, body.url)
  const agent = await requireLiveAgent(app, actor, agentId)
  const calendar = await requireOwnCalendar(app, actor, agent.id, body.calendar_id)
  const id = newId()
  const now = app.clock.now()
  const row = {
    orgId: actor.orgId,
    id,
    agentId: agent.id,
    calendarId: calendar.id,
    urlSealed: app.sealer.seal(urlContext(id), body.url),
    label: body.label ?? null,
    keep: keptOf(body) ?? null,
    status: 'active' as const,
    lastSyncedAt: null,
    lastError: null,
    unread: 0,
    createdAt: now,
    ownerStatus: agent.status,
    digestKeySealed: app.sealer.seal(digestKeyContext(id), randomToken()),
  }
  const subscription = presentSubscription(app, row)
  await withinCap(app, actor, 'ical_subscriptions', liveSubscriptions(app.sql, actor.orgId), async (guard) => {
    // Read after the revision: a decommissioning from here on makes the guard miss.
    await requireLiveAgent(app, actor, agentId)
    return commitOrAgain(app, {
      guard,
      effects: [
        insertSubscription(app.sql, row),
        ...recorded(app, actor, {
          action: 'ical_subscription.create',
          resource: subscription.id,
          emits: [{ type: 'ical_subscription.created', payload: { ical_subscription: subscription } }],
          response: subscription,
          created: [subscription.id],
        }),
      ],
    })
  })
  app.bell.ring([wakeup('sync', { orgId: actor.orgId, id }, now)])
  return subscription
}

/** null: nothing; undefined: the body does not say. */
const keptOf = ({ keep }: UpdateSubscriptionBody): Keepable[] | null | undefined => (keep?.length === 0 ? null : keep)

export async function listAgentSubscriptions(app: App, actor: Actor, agentId: string, query: SubscriptionListQuery) {
  const agent = await requireAgent(app, actor, agentId)
  return listed(app, actor, agent.id, query)
}

/** An agent key sees those of its agent. */
export const listSubscriptions = (app: App, actor: Actor, query: SubscriptionListQuery) =>
  listed(app, actor, actor.agentId, query)

async function listed(app: App, actor: Actor, agentId: Uuid | undefined, query: SubscriptionListQuery) {
  const listing = { agentId, status: query.status, only: listedCalendars(actor) }
  const [rows, [count]] = await Promise.all([
    subscriptionsPage(app.sql, actor.orgId, listing, query),
    subscriptionTotal(app.sql, actor.orgId, listing),
  ])
  return listPage(
    rows.map((row) => presentSubscription(app, row)),
    count?.total ?? 0,
    query,
  )
}

export const getSubscription = async (app: App, actor: Actor, id: string) =>
  presentSubscription(app, await requireSubscription(app, actor, id))

export async function updateSubscription(app: App, actor: Actor, id: string, body: UpdateSubscriptionBody) {
  if (body.url !== undefined) requireTarget(app, body.url)
  const before = await requireLiveSubscription(app, actor, id)
  const now = app.clock.now()
  const urlSealed = body.url === undefined ? undefined : app.sealer.seal(urlContext(before.id), body.url)
  const keep = keptOf(body)
  const after = {
    ...before,
    label: body.label === undefined ? before.label : body.label,
    keep: keep === undefined ? before.keep : keep,
    urlSealed: urlSealed ?? before.urlSealed,
  }
  const subscription = presentSubscription(app, after)
  const { matched } = await commit(app, {
    guard: editSubscriptionGuard(app.sql, before, { label: body.label, urlSealed, keep }, now),
    effects: [
      ...recorded(app, actor, {
        action: 'ical_subscription.update',
        resource: id,
        emits: [{ type: 'ical_subscription.updated', payload: { ical_subscription: subscription } }],
        response: subscription,
      }),
    ],
  })
  if (!matched) throw notFound('iCal subscription')
  if (urlSealed || keep !== undefined) app.bell.ring([wakeup('sync', { orgId: before.orgId, id: before.id }, now)])
  return subscription
}

/** The sync itself runs in a worker. */
export async function syncSubscription(app: App, actor: Actor, id: string): Promise<{ status: 'syncing' }> {
  const row = await requireLiveSubscription(app, actor, id)
  if (row.status === 'paused') throw conflict('The calendar was deleted; this subscription no longer syncs.')
  const now = app.clock.now()
  const answer = { status: 'syncing' as const }
  const { matched } = await commit(app, {
    guard: startSyncGuard(app.sql, row, now),
    effects: [storeResponse(app, actor, answer)],
  })
  if (!matched) throw notFound('iCal subscription')
  app.bell.ring([wakeup('sync', { orgId: row.orgId, id: row.id }, now)])
  return answer
}

export const removeSubscription = (app: App, actor: Actor, id: string): Promise<void> =>
  decide(app, { noun: 'iCal subscription', key: id }, async () => {
    const row = await requireLiveSubscription(app, actor, id)
    const { calendarId, agentId } = row
    const payload = { ical_subscription_id: encodeId('ics', row.id) }
    const left = await unreportedOf(app, row)
    return commitOrAgain(app, {
      steps: left.calendar && [left.calendar],
      guard: removeSubscriptionGuard(app.sql, row, left),
      effects: [
        ...recorded(app, actor, {
          action: 'ical_subscription.delete',
          resource: id,
          emits: [...left.emitted, { type: 'ical_subscription.removed', payload, calendarId, agentId }],
          response: undefined,
        }),
      ],
    })
  })

async function requireSubscription(app: App, actor: Actor, id: string): Promise<SubscriptionRow> {
  const uuid = decodeId('ics', id)
  const [row] = uuid ? await subscriptionById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('iCal subscription', null, id)
  if (actor.agentId && actor.agentId !== row.agentId) throw forbidden('This key belongs to another agent.')
  requireListedCalendar(actor, row.calendarId)
  return row
}

/** One that can be changed: its agent is not decommissioned. */
async function requireLiveSubscription(app: App, actor: Actor, id: string): Promise<SubscriptionRow> {
  const row = await requireSubscription(app, actor, id)
  if (row.ownerStatus === 'decommissioned') throw agentDecommissioned()
  return row
}

/** The agent's own, or one of the organization itself; another agent's counts as absent. */
async function requireOwnCalendar(app: App, actor: Actor, agentId: string, calendarId: string) {
  const calendar = await requireLiveCalendar(app, actor, calendarId, 'calendar_id')
  if (calendar.agentId !== null && calendar.agentId !== agentId) throw notFound('calendar', 'calendar_id')
  return calendar
}

function requireTarget(app: App, address: string): void {
  const target = checkSentTarget(address, app.config.trustedHosts, { credentials: true })
  if (!target.ok) throw new ServiceError('validation_error', target.reason, { param: 'url', status: 422 })
}
