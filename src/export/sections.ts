// The lists of an export, in its order, each read in pages behind the last key, so that however much there is, one page at
// a time is in memory and no transaction stays open while somebody reads slowly. A page is as of the moment it is read.
import type { Actor } from '../actors/actor.ts'
import { presentAgent } from '../agents/present.ts'
import type { App } from '../app.ts'
import { presentRules, type RulesRow } from '../availability/present.ts'
import { feedTokenPlace, presentCalendar } from '../calendars/present.ts'
import { presentEvent } from '../events/present.ts'
import { presentSubscription } from '../imports/present.ts'
import { presentProposal, presentResponse, presentSlot } from '../proposals/present.ts'
import { budgets } from '../quotas/budget.ts'
import { usedNow } from '../quotas/spending.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { presentWebhook, secretPlace } from '../webhooks/present.ts'
import * as rows from './queries.ts'

/** Small enough that other requests hardly notice the time one takes. */
const pageSize = 200

type AgentRow = Parameters<typeof presentAgent>[0]
type CalendarRow = Parameters<typeof presentCalendar>[1] & { deletedAt: Date | null }
type EventRow = Parameters<typeof presentEvent>[1] & { goneAt: Date | null }
type WebhookRow = Parameters<typeof presentWebhook>[1] & { secretSealed: Buffer }
type SubscriptionRow = Parameters<typeof presentSubscription>[1]
type KeyRow = {
  id: Uuid
  prefix: string
  agentId: Uuid | null
  label: string | null
  createdAt: Date
  revokedAt: Date | null
}
type ProposalRow = Parameters<typeof presentProposal>[1]
type SlotRow = Parameters<typeof presentSlot>[0]
type ResponseRow = Parameters<typeof presentResponse>[0] & { proposalId: Uuid }

export type Pages = AsyncIterable<readonly unknown[]>

/** `read` is given the last row of the page before. */
async function* pages<Row>(
  read: (last: Row | undefined) => PromiseLike<Row[]>,
  presented: (page: Row[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Pages {
  for (let last: Row | undefined; ; ) {
    const page = await read(last)
    if (page.length > 0) yield presented(page)
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

export const sections = (app: App, actor: Actor, now: Date): [name: string, pages: Pages][] => {
  const { sql, sealer } = app
  const { orgId } = actor
  return [
    [
      'agents',
      pages<AgentRow>(
        (last) => rows.agentsBehind(sql, orgId, last?.id, pageSize),
        (page) => page.map(presentAgent),
      ),
    ],
    [
      'calendars',
      pages<CalendarRow>(
        (last) => rows.calendarsBehind(sql, orgId, last?.id, pageSize),
        (page) =>
          page.map((row) => ({
            ...presentCalendar(app, row),
            deletedAt: isoTimeOrNull(row.deletedAt),
            ical_token: sealer.unseal(feedTokenPlace(row.id), row.feedTokenSealed),
          })),
      ),
    ],
    [
      'events',
      pages<EventRow>(
        (last) => rows.eventsBehind(sql, orgId, last?.id, pageSize),
        (page) => page.map((row) => ({ ...presentEvent(app, row, now), deletedAt: isoTimeOrNull(row.goneAt) })),
      ),
    ],
    [
      'availability_rules',
      pages<RulesRow>(
        (last) => rows.rulesBehind(sql, orgId, last?.calendarId, pageSize),
        (page) => page.map(presentRules),
      ),
    ],
    [
      'ical_subscriptions',
      pages<SubscriptionRow>(
        (last) => rows.subscriptionsBehind(sql, orgId, last?.id, pageSize),
        (page) => page.map((row) => presentSubscription(app, row)),
      ),
    ],
    [
      'webhook_subscriptions',
      pages<WebhookRow>(
        (last) => rows.webhooksBehind(sql, orgId, last?.id, pageSize),
        (page) =>
          page.map((row) => ({
            ...presentWebhook(app, row),
            secret: sealer.unseal(secretPlace(row.id), row.secretSealed),
          })),
      ),
    ],
    [
      'api_keys',
      pages<KeyRow>(
        (last) => rows.keysBehind(sql, orgId, last?.id, pageSize),
        (page) => page.map(presentKey),
      ),
    ],
    [
      'scheduling_proposals',
      pages<ProposalRow>(
        (last) => rows.proposalsBehind(sql, orgId, last?.id, pageSize),
        async (page) => {
          const ids = page.map(({ id }) => id)
          const slots = await rows.resolvedSlots<SlotRow>(sql, orgId, ids)
          const slotsOf = Map.groupBy(slots, ({ proposalId }) => proposalId)
          return page.map((row) => presentProposal(app, row, slotsOf.get(row.id) ?? [], now))
        },
      ),
    ],
    [
      'proposal_slots',
      pages<SlotRow>(
        (last) => rows.slotsBehind(sql, orgId, last && [last.proposalId, last.id], pageSize),
        (page) => page.map((row) => ({ proposal_id: encodeId('spr', row.proposalId), ...presentSlot(row) })),
      ),
    ],
    [
      'proposal_responses',
      pages<ResponseRow>(
        (last) => rows.responsesBehind(sql, orgId, last && [last.proposalId, last.agentId], pageSize),
        (page) => page.map((row) => ({ proposal_id: encodeId('spr', row.proposalId), ...presentResponse(row) })),
      ),
    ],
    ['usage_records', once(() => usageRecords(app, actor))],
    ['quota_counters', once(() => quotaCounters(app, actor))],
    ['tos_acceptances', once(() => acceptances(app, actor))],
    // Nobody can claim another's account here.
    ['account_claims_initiated', once(async () => [])],
  ]
}

async function* once(read: () => Promise<readonly unknown[]>): Pages {
  yield await read()
}

const presentKey = (row: KeyRow) => ({
  id: encodeId('key', row.id),
  key_prefix: row.prefix,
  agent_id: row.agentId && encodeId('agt', row.agentId),
  label: row.label,
  created_at: isoTime(row.createdAt),
  revoked_at: isoTimeOrNull(row.revokedAt),
})

const usageRecords = async ({ sql }: App, { orgId }: Actor) =>
  (await rows.writtenCounters(sql, orgId)).map((row) => ({
    metric: row.metric,
    period_start: isoTime(row.periodStart),
    used: Number(row.used),
  }))

const quotaCounters = (app: App, { orgId, limits, period }: Actor) =>
  Promise.all(
    budgets.map(async (budget) => ({
      metric: budget,
      period_start: isoTime(period.start),
      period_end: isoTime(period.end),
      used: await usedNow(app, orgId, budget, period.start),
      limit: limits[budget] ?? null,
    })),
  )

const acceptances = async ({ sql }: App, { orgId }: Actor) =>
  (await rows.acceptancesOf(sql, orgId)).map((row) => ({
    version: row.version,
    document_hash: row.documentHash.toString('hex'),
    source: row.source,
    ip: row.ip,
    user_agent: row.userAgent,
    accepted_at: isoTime(row.acceptedAt),
  }))
