// Made from the API document by `npm run reference`. Do not edit.
import type { PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { AuditEntry } from './schemas.ts'

export type ReadAuditLogOptions = ReadOptions & {
  /** Inclusive. */
  from?: Moment
  /** Inclusive. Default: now. */
  to?: Moment
  /** Only this action. */
  action?: string
  /** The first 20 characters of the acting key. */
  actor_key_prefix?: string
  /** Only what the sessions of this member did. */
  actor_member?: string
  /** Shows `actor_member` and `actor_role` as well. */
  include_member?: boolean
  /** Only what this request did. */
  request_id?: string
  /** Only what the keys of this agent did. */
  agent_id?: string
  /** Only what happened to this record. */
  resource?: string
  /** The `next_cursor` of the previous page. */
  cursor?: string
  limit?: number
}

export class AuditLogGroup extends Group {
  /**
   * Read the audit log.
   *
   * Newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. `from` and `to` are inclusive. A `from` older than the plan keeps is moved, and `range_clamped` is true. `action` is one exact name, such as `event.create`; `actor_key_prefix` is the first 20 characters of a key. Proposals leave no entries.
   *
   * `GET /v1/audit-log`
   */
  list(options?: ReadAuditLogOptions): PagedCall<AuditEntry, {
    data: AuditEntry[]
    pagination: {
      /** Null on the last page. */
      next_cursor: string | null
    }
    /** Null is unlimited. */
    retention_days: number | null
    /** True if `from` was before the retention of the plan. */
    range_clamped: boolean
  }> {
    return this.sendPaged(operations.readAuditLog, {}, undefined, options)
  }
}
