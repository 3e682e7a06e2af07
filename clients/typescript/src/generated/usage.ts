// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Usage } from './schemas.ts'

export type GetUsageOptions = ReadOptions

export class UsageGroup extends Group {
  /**
   * Read the usage of the plan.
   *
   * A null `limit` means unlimited. `events`, `api_calls`, `webhooks` (deliveries), `availability_queries` and `proposals` count what this period has used, this call included; the others count what exists now. A period is 30 days, counted from the organization's creation.
   *
   * `GET /v1/usage`
   */
  get(options?: GetUsageOptions): Call<Usage> {
    return this.send(operations.getUsage, {}, undefined, options)
  }
}
