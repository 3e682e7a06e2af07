// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, Queue } from './schemas.ts'

export type ResetFactorBody = {
  email: string
}

export type ResetFactorOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type OpenAdminSessionBody = {
  token: string
}

export type OpenAdminSessionOptions = ReadOptions

export type CloseAdminSessionOptions = ReadOptions

export type ListQueuesOptions = ReadOptions

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

  /**
   * Sign in to the console as the administrator.
   *
   * Sets the cookie `svc_admin` for one hour. `/v1/admin` and `/admin/queues` take it from our own pages. Programs send the token itself instead. Another `ADMIN_TOKEN` ends every session.
   *
   * `POST /v1/admin/session`
   */
  openAdminSession(body: OpenAdminSessionBody, options?: OpenAdminSessionOptions): Call<void> {
    return this.send(operations.openAdminSession, {}, body, options)
  }

  /**
   * Leave the console as the administrator.
   *
   * The browser deletes its cookie.
   *
   * `DELETE /v1/admin/session`
   */
  closeAdminSession(options?: CloseAdminSessionOptions): Call<void> {
    return this.send(operations.closeAdminSession, {}, undefined, options)
  }

  /**
   * List the queues of the workers.
   *
   * They hold wake-ups. Everything that is due is a row in Postgres, so a lost wake-up is only late. 503 while Redis is away.
   *
   * `GET /v1/admin/queues`
   */
  listQueues(options?: ListQueuesOptions): Call<{
    queues: Queue[]
  }> {
    return this.send(operations.listQueues, {}, undefined, options)
  }
}
