// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun } from './schemas.ts'

export type ResetFactorBody = {
  email: string
}

export type ResetFactorOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class AdministrationGroup extends Group {
  /**
   * Turn off the second factor of an account.
   *
   * For a person who has lost the app and the recovery codes. Their sessions end, and a mail tells. Be sure who asks: afterwards the password alone signs in.
   *
   * `POST /v1/admin/accounts/reset-factor`
   */
  resetFactor(body: ResetFactorBody, options: ResetFactorOptions & { dry_run: true }): Call<DryRun>
  resetFactor(body: ResetFactorBody, options?: ResetFactorOptions): Call<void>
  resetFactor(body: ResetFactorBody, options?: ResetFactorOptions): Call<any> {
    return this.send(operations.resetFactor, {}, body, options)
  }
}
