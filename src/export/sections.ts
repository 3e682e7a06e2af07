// The lists of an export, in its order. Each is read in pages by its key: only one page at a time is in memory, and no
// transaction stays open for a slow reader. A page shows the data at the time it is read.
import type { Actor } from '../actors/actor.ts'
import { presentAgent } from '../agents/present.ts'
import type { App } from '../app.ts'
import { presentApproval } from '../approvals/stored.ts'
import { presentRules } from '../availability/present.ts'
import { presentGroup } from '../holdGroups/present.ts'
import { membersOf } from '../holdGroups/read.ts'
import { presentSubscription } from '../imports/present.ts'
import { presentInvitation } from '../members/presentInvitation.ts'
import { budgets } from '../quotas/budget.ts'
import { usedNow } from '../quotas/spending.ts'
import { isoTime } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import {
  exportAcceptance,
  exportCalendar,
  exportCounter,
  exportEvent,
  exportGuardrails,
  exportKey,
  exportMember,
  exportOverride,
  exportProposals,
  exportResponse,
  exportSlot,
  exportWebhook,
} from './present.ts'
import {
  acceptancesOf,
  agentsAfter,
  approvalsAfter,
  calendarsAfter,
  eventsAfter,
  guardedKeysAfter,
  holdGroupsAfter,
  invitationsAfter,
  keysAfter,
  membersAfter,
  overridesAfter,
  pageSize,
  proposalsAfter,
  resolvedSlots,
  responsesAfter,
  rulesAfter,
  slotsAfter,
  subscriptionsAfter,
  webhooksAfter,
  writtenCounters,
} from './queries.ts'
import { counters } from './usageCounters.ts'

export type Pages = AsyncIterable<readonly unknown[]>

export function sections(app: App, actor: Actor, now: Date): [name: string, pages: Pages][] {
  const { sql } = app
  const { orgId } = actor
  const list = <Row>(read: Read<Row>, present: (row: Row) => unknown) =>
    pagesOf(app, orgId, read, (page) => page.map(present))
  return [
    ['agents', list(agentsAfter, presentAgent)],
    ['calendars', list(calendarsAfter, (row) => exportCalendar(app, row))],
    ['events', list(eventsAfter, (row) => exportEvent(app, row, now))],
    ['overrides', list(overridesAfter, (row) => exportOverride(app, row, now))],
    ['availability_rules', list(rulesAfter, (row) => presentRules(app, row))],
    ['ical_subscriptions', list(subscriptionsAfter, (row) => presentSubscription(app, row))],
    ['webhook_subscriptions', list(webhooksAfter, (row) => exportWebhook(app, row))],
    ['api_keys', list(keysAfter, exportKey)],
    [
      'scheduling_proposals',
      pagesOf(app, orgId, proposalsAfter, async (page) => {
        const ids = page.map(({ id }) => id)
        return exportProposals(app, page, await resolvedSlots(sql, orgId, ids), now)
      }),
    ],
    ['proposal_slots', list(slotsAfter, exportSlot)],
    ['proposal_responses', list(responsesAfter, exportResponse)],
    [
      'hold_groups',
      pagesOf(app, orgId, holdGroupsAfter, async (page) => {
        const members = await membersOf(app, orgId, page)
        return page.map((row) => presentGroup(app, row, members, now))
      }),
    ],
    ['guardrails', list(guardedKeysAfter, exportGuardrails)],
    ['approvals', list(approvalsAfter, (row) => presentApproval(app, row, now))],
    ['usage_records', onePage(async () => (await writtenCounters(sql, orgId)).map(exportCounter))],
    ['quota_counters', onePage(() => quotaCounters(app, actor))],
    ['tos_acceptances', onePage(async () => (await acceptancesOf(sql, orgId)).map(exportAcceptance))],
    ['members', list(membersAfter, exportMember)],
    ['invitations', list(invitationsAfter, (row) => presentInvitation(row, now))],
    // An account cannot be claimed by others in this service.
    ['account_claims_initiated', onePage(async () => [])],
  ]
}

/** Reads the page after `last`, the last row of the page before. */
type Read<Row> = (sql: Sql, orgId: Uuid, last: Row | undefined) => PromiseLike<Row[]>

async function* pagesOf<Row>(
  { sql }: App,
  orgId: Uuid,
  read: Read<Row>,
  present: (page: Row[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Pages {
  for (let last: Row | undefined; ; ) {
    const page = await read(sql, orgId, last)
    if (page.length > 0) yield present(page)
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

async function* onePage(read: () => Promise<readonly unknown[]>): Pages {
  yield await read()
}

const quotaCounters = (app: App, { orgId, limits, period }: Actor) =>
  Promise.all(
    budgets.map(async (budget) => ({
      metric: budget,
      period_start: isoTime(period.start),
      period_end: isoTime(period.end),
      used: await usedNow(app, counters, { orgId, budget, period }),
      limit: limits[budget] ?? null,
    })),
  )
