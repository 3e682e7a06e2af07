// Made from the API document by `npm run reference`. Do not edit.
import type { PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { RefusedRequest } from './schemas.ts'

export type ListRefusedRequestsOptions = ReadOptions & {
  /** Only this request. */
  request_id?: string
  /** Only this status. */
  status?: number
  /** Only this code. */
  code?: string
  /** The first 20 characters of the key. */
  key_prefix?: string
  /** Inclusive. */
  from?: Moment
  /** Inclusive. Default: now. */
  to?: Moment
  /** The `next_cursor` of the previous page. */
  cursor?: string
  limit?: number
}

export class RefusedRequestsGroup extends Group {
  /**
   * List refused requests.
   *
   * The requests and tool calls of keys and sessions of the organization that were answered with a status from 400 to 499, newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. They appear within 5 seconds. Failed authentication (401) and throttling (429) are in the audit log instead. A burst is not kept whole: of each key or session 20 in 10 seconds, 200 in an hour. Kept for `retention_hours`; without query, body or message.
   *
   * `GET /v1/requests`
   */
  list(options?: ListRefusedRequestsOptions): PagedCall<RefusedRequest, {
    data: RefusedRequest[]
    pagination: {
      /** Null on the last page. */
      next_cursor: string | null
    }
    retention_hours: number
  }> {
    return this.sendPaged(operations.listRefusedRequests, {}, undefined, options)
  }
}
