import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { DueTimer } from '../timers/timers.ts'
import type { ApprovalStatus } from './schema.ts'

export type ApprovalRow = {
  orgId: Uuid
  id: Uuid
  keyId: Uuid
  keyPrefix: string
  agentId: Uuid
  /** The calendar that it is about; null for several, or for none. */
  calendarId: Uuid | null
  action: string
  requestSealed: Buffer
  requestHash: Buffer
  approver: 'session' | 'link'
  tokenHash: Buffer | null
  status: ApprovalStatus
  resultSealed: Buffer | null
  expiresAt: Date
  decidedAt: Date | null
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  a.org_id, a.id, a.key_id, a.key_prefix, a.agent_id, a.calendar_id, a.action, a.request_sealed, a.request_hash,
  a.approver, a.token_hash, a.status, a.result_sealed, a.expires_at, a.decided_at, a.created_at`

export const approvalById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<ApprovalRow>(sql, orgId)`
  select ${columns(sql)}
  from approvals a
  where a.org_id = ${orgId} and a.id = ${id}`

export const approvalsByIds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<ApprovalRow>(sql, orgId)`
  select ${columns(sql)}
  from approvals a
  where a.org_id = ${orgId} and a.id = any (${uuids(sql, ids)})`

/** By the secret of a mailed address. */
export const approvalByToken = (sql: Sql, hash: Buffer) =>
  answersTo<ApprovalRow>(sql, ({ tokenHash }) => tokenHash?.equals(hash) === true)`
  select ${columns(sql)}
  from approvals a
  where a.token_hash = ${hash}`

/** For a person who opens an approval before they have signed in: it names the organization. */
export const approvalOfAny = (sql: Sql, id: Uuid) =>
  answersTo<ApprovalRow>(sql, (row) => row.id === id)`
  select ${columns(sql)}
  from approvals a
  where a.id = ${id} and a.approver = 'session'`

/** `agentId` undefined: of the whole organization. `listed`: the only calendars of others' requests that the key `keyId` sees. */
type Listing = {
  agentId: Uuid | undefined
  keyId: Uuid | undefined
  listed: readonly Uuid[] | undefined
  status: ApprovalStatus | undefined
  now: Date
}

const isListed = (sql: Sql, orgId: Uuid, { agentId, keyId, listed, status, now }: Listing): Fragment => sql`
  a.org_id = ${orgId}
  ${agentId ? sql`and a.agent_id = ${agentId}` : sql``}
  ${listed ? sql`and (a.key_id = ${keyId!} or a.calendar_id = any (${uuids(sql, listed)}))` : sql``}
  ${status ? sql`and case when a.status = 'pending' and a.expires_at <= ${now} then 'expired' else a.status end = ${status}` : sql``}`

export const approvalsPage = (sql: Sql, orgId: Uuid, listing: Listing, page: Page) =>
  own<ApprovalRow>(sql, orgId)`
  select ${columns(sql)}
  from approvals a
  where ${isListed(sql, orgId, listing)}
  order by a.id desc
  limit ${page.limit} offset ${page.offset}`

export const approvalTotal = (sql: Sql, orgId: Uuid, listing: Listing) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from approvals a
  where ${isListed(sql, orgId, listing)}`

/** Of due timers. */
export const pendingApprovals = (sql: Sql, timers: readonly DueTimer[]) =>
  answersTo<ApprovalRow>(sql, isOneOf(timers.map(({ subjectId }) => subjectId)))`
  select ${columns(sql)}
  from ${rowsOf(sql, timers, { orgId: 'uuid', subjectId: 'uuid' }, 'b')}
  join approvals a on a.org_id = b.org_id and a.id = b.subject_id and a.status = 'pending'`
