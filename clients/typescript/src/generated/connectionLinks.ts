// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ConnectionLink, CreatedConnectionLink, DryRun } from './schemas.ts'

export type CreateConnectionLinkBody = {
  capabilities?: ("availability" | "publishing")[]
  publication_policy?: "none" | "confirmed" | "confirmed_tentative"
}

export type CreateConnectionLinkOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetConnectionLinkOptions = ReadOptions

export type CancelConnectionLinkOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class ConnectionLinksGroup extends Group {
  /**
   * Ask a human to connect a calendar.
   *
   * Give `setup_url` to the human. It works for 24 hours, and only for a human of this organization who signs in. The agent of the calendar then sees when they are busy, and nothing else. While a link of the same calendar with the same request is pending, the answer is that link, without its address: `reused`. A different request cancels it: a calendar has one working link.
   *
   * `POST /v1/calendars/{id}/connection-links`
   */
  create(id: string, body: CreateConnectionLinkBody, options: CreateConnectionLinkOptions & { dry_run: true }): Call<DryRun>
  create(id: string, body: CreateConnectionLinkBody, options?: CreateConnectionLinkOptions): Call<CreatedConnectionLink>
  create(id: string, body: CreateConnectionLinkBody, options?: CreateConnectionLinkOptions): Call<any> {
    return this.send(operations.createConnectionLink, { id }, body, options)
  }

  /**
   * Read a connection link.
   *
   * Poll every 10 seconds, or less often. It is deleted 30 days after its end.
   *
   * `GET /v1/connection-links/{id}`
   */
  get(id: string, options?: GetConnectionLinkOptions): Call<ConnectionLink> {
    return this.send(operations.getConnectionLink, { id }, undefined, options)
  }

  /**
   * Cancel a pending connection link.
   *
   * An incomplete connection that it made is disconnected.
   *
   * `DELETE /v1/connection-links/{id}`
   */
  cancel(id: string, options: CancelConnectionLinkOptions & { dry_run: true }): Call<DryRun>
  cancel(id: string, options?: CancelConnectionLinkOptions): Call<void>
  cancel(id: string, options?: CancelConnectionLinkOptions): Call<any> {
    return this.send(operations.cancelConnectionLink, { id }, undefined, options)
  }
}
