// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, OrganizationKey } from './schemas.ts'

export type CreateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RegenerateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class OrganizationKeyGroup extends Group {
  /**
   * Create the organization's key.
   *
   * There is only one at a time, and its secret is shown only in this answer. If the installation requires it, the address must be proven first.
   *
   * `POST /v1/auth/keys`
   */
  create(options: CreateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  create(options?: CreateOrganizationKeyOptions): Call<OrganizationKey>
  create(options?: CreateOrganizationKeyOptions): Call<any> {
    return this.send(operations.createOrganizationKey, {}, undefined, options)
  }

  /**
   * Replace the organization's key.
   *
   * From now on every process refuses the old key; the new secret is shown only in this answer. Creates the first key if there is none. Keys of agents stay.
   *
   * `POST /v1/auth/keys/regenerate`
   */
  regenerate(options: RegenerateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  regenerate(options?: RegenerateOrganizationKeyOptions): Call<OrganizationKey>
  regenerate(options?: RegenerateOrganizationKeyOptions): Call<any> {
    return this.send(operations.regenerateOrganizationKey, {}, undefined, options)
  }
}
