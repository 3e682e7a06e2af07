// Changes of a connection whose account is refused. Each guard returns the organization as `id`, for the mail to its human.

import type { ConnectionKey } from '../connections/queries.ts'
import type { ReauthorizationReason } from '../providers/rules.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { ClaimedRead } from './readWrites.ts'

/** Nothing is asked of the provider any more. */
export const breakGuard = (
  sql: Sql,
  { orgId, id, claim }: ClaimedRead,
  reason: ReauthorizationReason,
  attentionAt: Date,
  now: Date,
): Fragment => sql`
  update calendar_connections
  set status = 'reauthorization_required', reauthorization_reason = ${reason},
    revision = revision + 1, claim = claim + 1, claimed_until = null, next_read_at = null, refused_at = null,
    broken_at = ${now}, attention_at = ${attentionAt}
  where org_id = ${orgId} and id = ${id} and claim = ${claim} and status = 'active'
  returning org_id as id`

export const remindGuard = (sql: Sql, { orgId, id }: ConnectionKey, attentionAt: Date, now: Date): Fragment => sql`
  update calendar_connections
  set attention_at = ${attentionAt}, revision = revision + 1
  where org_id = ${orgId} and id = ${id} and status = 'reauthorization_required' and attention_at <= ${now}
  returning org_id as id`

export const giveUpGuard = (sql: Sql, { orgId, id }: ConnectionKey, now: Date): Fragment => sql`
  update calendar_connections
  set status = 'disconnected', reauthorization_reason = 'unattended', credentials_sealed = null,
    revision = revision + 1, claim = claim + 1, attention_at = null, next_read_at = null
  where org_id = ${orgId} and id = ${id} and status = 'reauthorization_required' and attention_at <= ${now}
  returning org_id as id`
