// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, TermsManifest } from './schemas.ts'

export type GetCurrentTermsOptions = ReadOptions

export type AcceptTermsBody = {
  tos_version: string
}

export type AcceptTermsOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type AcceptTermsWithKeyBody = {
  tos_version: string
}

export type AcceptTermsWithKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type PublishTermsBody = {
  version: string
  effective_at: string
  url: string
  material: boolean
}

export type PublishTermsOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class TermsGroup extends Group {
  /**
   * Read the current terms of service.
   *
   * `version` is the exact text that other requests need as `tos_version`. If `material` is true, organizations that accepted another version must accept again.
   *
   * `GET /v1/auth/terms/current`
   */
  getCurrent(options?: GetCurrentTermsOptions): Call<TermsManifest> {
    return this.send(operations.getCurrentTerms, {}, undefined, options)
  }

  /**
   * Accept the current terms of service.
   *
   * `tos_version` must be the current version; otherwise `tos_version_stale` names it in `current_version`. The acceptance is recorded with the caller's address and browser.
   *
   * `PATCH /v1/auth/terms`
   */
  accept(body: AcceptTermsBody, options: AcceptTermsOptions & { dry_run: true }): Call<DryRun>
  accept(body: AcceptTermsBody, options?: AcceptTermsOptions): Call<{
    data: {
      accepted_terms_version: string
      accepted_terms_at: string
    }
  }>
  accept(body: AcceptTermsBody, options?: AcceptTermsOptions): Call<any> {
    return this.send(operations.acceptTerms, {}, body, options)
  }

  /**
   * Accept the current terms of service with the organization's key.
   *
   * The same as `PATCH /v1/auth/terms`, for programs without a console session. The answer no longer has `Service-Terms-Upgrade-Required`.
   *
   * `POST /v1/terms/accept`
   */
  acceptWithKey(body: AcceptTermsWithKeyBody, options: AcceptTermsWithKeyOptions & { dry_run: true }): Call<DryRun>
  acceptWithKey(body: AcceptTermsWithKeyBody, options?: AcceptTermsWithKeyOptions): Call<{
    data: {
      accepted_terms_version: string
      accepted_terms_at: string
    }
  }>
  acceptWithKey(body: AcceptTermsWithKeyBody, options?: AcceptTermsWithKeyOptions): Call<any> {
    return this.send(operations.acceptTermsWithKey, {}, body, options)
  }

  /**
   * Publish terms of service.
   *
   * Takes effect at once, regardless of `effective_at`. Organizations must accept material terms again; every authenticated answer says so.
   *
   * `POST /v1/admin/terms`
   */
  publish(body: PublishTermsBody, options: PublishTermsOptions & { dry_run: true }): Call<DryRun>
  publish(body: PublishTermsBody, options?: PublishTermsOptions): Call<TermsManifest>
  publish(body: PublishTermsBody, options?: PublishTermsOptions): Call<any> {
    return this.send(operations.publishTerms, {}, body, options)
  }
}
