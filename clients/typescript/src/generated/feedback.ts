// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun } from './schemas.ts'

export type GiveFeedbackBody = {
  type: "bug" | "feature" | "friction"
  message: string
  /** Usual keys: sdk_name, sdk_version, endpoint, request_id, error_type, http_status. */
  context?: Record<string, unknown>
}

export type GiveFeedbackOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class FeedbackGroup extends Group {
  /**
   * Report what is wrong or missing.
   *
   * An organization may send 25 messages per day (UTC), shared by all its keys. A message is stored only as a line in the service's log, without keys and secrets.
   *
   * `POST /v1/feedback`
   */
  give(body: GiveFeedbackBody, options: GiveFeedbackOptions & { dry_run: true }): Call<DryRun>
  give(body: GiveFeedbackBody, options?: GiveFeedbackOptions): Call<{
    status: "accepted"
  }>
  give(body: GiveFeedbackBody, options?: GiveFeedbackOptions): Call<any> {
    return this.send(operations.giveFeedback, {}, body, options)
  }
}
