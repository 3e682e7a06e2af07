// The rows of a large installation, sealed as the service seals them.
import type { App } from '../../src/app.ts'
import { feedTokenContext } from '../../src/calendars/present.ts'
import { payloadContext, titleContext } from '../../src/changeLog/sealed.ts'
import { mintKey } from '../../src/keys/mint.ts'
import { randomToken, sha256 } from '../../src/sealing/sealer.ts'
import { isoTime } from '../../src/shapes/datetimes.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { secretContext, urlContext } from '../../src/webhooks/present.ts'
import { newSecret } from '../../src/webhooks/signature.ts'
import { copied } from '../world/copyRows.ts'
import { idAt, type LargeOrganization } from './organization.ts'
import { eventsOfCalendars, lengthMs, type Placed, statusesOf, timersOfEvent } from './shape.ts'

type Row = (string | number | boolean | null)[]

const title = 'Weekly review of the open questions'
const max = 1_000_000_000
/** Everything has a limit, so that each is counted, and none is ever met. */
const limits = JSON.stringify({
  ...{ agents: max, calendars: max, events: max, api_calls: max, webhooks: max, webhook_deliveries: max },
  ...{ availability_queries: max, agents_per_query: 100 },
})

export const columnsOf = {
  organizations: [
    ...['id', 'name', 'email', 'plan', 'limits', 'rate_limit_per_second', 'signup_source', 'email_verified'],
    ...['created_at', 'updated_at'],
  ],
  api_keys: ['org_id', 'id', 'hash', 'prefix', 'created_at'],
  accounts: ['id', 'email', 'password_hash', 'proven_at', 'created_at', 'updated_at'],
  memberships: ['org_id', 'id', 'account_id', 'role', 'joined_at'],
  webhook_subscriptions: [
    ...['org_id', 'id', 'url_sealed', 'url_hash', 'events', 'secret_sealed', 'created_at', 'updated_at'],
  ],
  webhook_delivery_counts: ['org_id', 'subscription_id', 'delivered', 'failed'],
  agents: ['org_id', 'id', 'name', 'type', 'status', 'metadata', 'created_at', 'updated_at'],
  calendars: [
    ...['org_id', 'id', 'agent_id', 'name', 'timezone', 'metadata', 'feed_token_hash', 'feed_token_sealed', 'revision'],
    ...['confirmed_events', 'tentative_events', 'cancelled_events', 'created_at', 'updated_at'],
  ],
  events: [
    ...['org_id', 'id', 'calendar_id', 'title_sealed', 'start_time', 'end_time', 'status', 'metadata'],
    ...['created_at', 'updated_at'],
  ],
  timers: ['org_id', 'subject_id', 'kind', 'offset_minutes', 'calendar_id', 'due_at', 'generation'],
  webhook_deliveries: [
    ...[
      'org_id',
      'id',
      'subscription_id',
      'change_id',
      'position',
      'event_type',
      'status',
      'attempts',
      'retry_schedule',
    ],
    ...['last_attempt_at', 'last_http_status', 'last_duration_ms', 'created_at', 'seq'],
  ],
  changes: [
    ...[
      'org_id',
      'seq',
      'change_id',
      'position',
      'type',
      'calendar_id',
      'agent_id',
      'resource_id',
      'revision',
      'cause',
    ],
    ...['payload_sealed', 'created_at'],
  ],
} as const

export const timeOf = (ms: number): string => isoTime(new Date(ms))

/** The rows of the organization itself, by table, and its key. */
export function organizationRows(
  { sealer }: Pick<App, 'sealer'>,
  { id, webhookId, email, nth }: LargeOrganization,
  made: { at: string; passwordHash: string; receiver: string; delivered: number; failed: number },
) {
  const { at, passwordHash, receiver } = made
  const key = mintKey('svc_sk_', new Date(at))
  const accountId = idAt(key.createdAt.getTime(), nth)
  const rows = {
    organizations: [id, `Organization ${nth}`, email, 'custom', limits, 1_000_000, 'admin', true, at, at],
    api_keys: [id, key.id, copied(key.hash), key.prefix, at],
    accounts: [accountId, email, passwordHash, at, at, at],
    memberships: [id, accountId, accountId, 'owner', at],
    webhook_subscriptions: [
      ...[id, webhookId, copied(sealer.seal(urlContext(webhookId), receiver)), copied(sha256(receiver))],
      ...['{event.created,event.started}', copied(sealer.seal(secretContext(webhookId), newSecret())), at, at],
    ],
    webhook_delivery_counts: [id, webhookId, made.delivered, made.failed],
  } satisfies Record<string, Row>
  return { rows, key: key.secret }
}

export const agentRow = (orgId: Uuid, id: Uuid, number: number, at: string): Row => [
  ...[orgId, id, `Agent ${number}`, 'ai', 'active', '{}', at, at],
]

const countsOfCalendars = eventsOfCalendars.map((count) => {
  const statuses = statusesOf(count)
  return ['confirmed', 'tentative', 'cancelled'].map((wanted) => statuses.filter((one) => one === wanted).length)
})

/** `which`: of the agent's calendars. Each of its events was one change. */
export function calendarRow(
  { sealer }: Pick<App, 'sealer'>,
  calendar: { orgId: Uuid; id: Uuid; agentId: Uuid; which: number },
  at: string,
) {
  const { orgId, id, agentId, which } = calendar
  const token = randomToken(24)
  const sealed = copied(sealer.seal(feedTokenContext(id), token))
  const row: Row = [
    ...[orgId, id, agentId, which === 0 ? 'Work' : 'Other', 'UTC', '{}', copied(sha256(token)), sealed],
    ...[eventsOfCalendars[which]!, ...countsOfCalendars[which]!, at, at],
  ]
  return { row, token }
}

export function eventRow(
  { sealer }: Pick<App, 'sealer'>,
  event: { orgId: Uuid; id: Uuid; calendarId: Uuid },
  { startMs, endMs, status }: Placed,
  at: string,
): Row {
  const sealed = copied(sealer.seal(titleContext(event.id), title))
  return [...[event.orgId, event.id, event.calendarId, sealed, timeOf(startMs), timeOf(endMs), status, '{}', at, at]]
}

export const timerRows = (
  event: { orgId: Uuid; id: Uuid; calendarId: Uuid; revision: number },
  { startMs, endMs }: Placed,
): Row[] =>
  timersOfEvent.map(({ kind, offsetMinutes }) => [
    ...[event.orgId, event.id, kind, offsetMinutes, event.calendarId],
    ...[timeOf(kind === 'event_end' ? endMs : startMs - offsetMinutes * minuteMs), event.revision],
  ])

/** One of fifty has failed. */
export const isFailed = (nth: number): boolean => nth % 50 === 49

export const deliveryRow = (
  { id: orgId, webhookId }: LargeOrganization,
  { nth, ms, number }: { nth: number; ms: number; number: number },
): Row => [
  ...[orgId, idAt(ms, number), webhookId, idAt(ms, number), 0, 'event.created'],
  ...(isFailed(nth) ? ['failed', 1, '{}', timeOf(ms), 500] : ['delivered', 1, '{}', timeOf(ms), 200]),
  ...[40, timeOf(ms), number],
]

/** An entry that says that the title of an event has changed. */
export function entryRow(
  { sealer }: Pick<App, 'sealer'>,
  entry: { orgId: Uuid; calendarId: Uuid; agentId: Uuid; eventId: Uuid; seq: number; ms: number },
): Row {
  const { orgId, calendarId, agentId, eventId, seq, ms } = entry
  const changeId = idAt(ms, seq)
  const at = timeOf(ms)
  const event = {
    ...{ id: encodeId('evt', eventId), calendarId: encodeId('cal', calendarId), orgId: encodeId('org', orgId), title },
    ...{ description: null, startTime: at, endTime: timeOf(ms + lengthMs), allDay: false, status: 'confirmed' },
    ...{ source: 'internal', metadata: {}, reminders: null, holdExpiresAt: null, holdPriority: 0 },
    ...{ recurrenceRule: null, recurrenceExdates: [], deletedAt: null, createdAt: at, updatedAt: at },
  }
  const payload = JSON.stringify({ calendar_id: event.calendarId, event })
  return [
    ...[orgId, seq, changeId, 0, 'event.updated', calendarId, agentId, eventId, 1, 'api'],
    ...[copied(sealer.seal(payloadContext(changeId, 0), payload)), at],
  ]
}
