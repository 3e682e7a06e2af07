// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Plan } from './schemas.ts'

export type ListPlansOptions = ReadOptions

export class PlansGroup extends Group {
  /**
   * List the plans.
   *
   * May be cached; `If-None-Match` with the current ETag gets 304. A limit that is null is unlimited; `limits` that are null are negotiated. Prices are per month, in the currency's smallest unit.
   *
   * `GET /v1/plans`
   */
  list(options?: ListPlansOptions): Call<{
    plans: Plan[]
  }> {
    return this.send(operations.listPlans, {}, undefined, options)
  }
}
