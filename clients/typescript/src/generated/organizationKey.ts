// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, OrganizationKey, OrganizationKeyRecord, RegeneratedOrganizationKey, RotatedOrganizationKey } from './schemas.ts'

export type ListOrganizationKeysOptions = ReadOptions

export type CreateOrganizationKeyBody = {
  name?: string
  /** `read_only`: only `GET`. */
  scope?: "full" | "read_only"
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
  /** Addresses and networks from which the key works; null: from everywhere. */
  allowed_ips?: string[] | null
}

export type CreateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RegenerateOrganizationKeyBody = {
  /** For how long the key that is replaced continues to work; 0: it ends at once. */
  overlap_seconds?: number
}

export type RegenerateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type EndOrganizationKeyOverlapOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type UpdateOrganizationKeyBody = {
  name?: string
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
  /** Addresses and networks from which the key works; null: from everywhere. */
  allowed_ips?: string[] | null
}

export type UpdateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RevokeOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RotateOrganizationKeyBody = {
  /** For how long the key that is replaced continues to work; 0: it ends at once. */
  overlap_seconds?: number
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
  /** End the key before this one, if it still works. */
  force?: boolean
}

export type RotateOrganizationKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class OrganizationKeyGroup extends Group {
  /**
   * List the organization's own keys.
   *
   * All that can be used, newest first, in one answer without pages. The one that was made without a body is `primary`. A key with `replaced_by` was rotated, and works until `expires_at`.
   *
   * `GET /v1/auth/keys`
   */
  list(options?: ListOrganizationKeysOptions): Call<{
    keys: OrganizationKeyRecord[]
  }> {
    return this.send(operations.listOrganizationKeys, {}, undefined, options)
  }

  /**
   * Create a key of the organization.
   *
   * Without a body it is the primary key: there is only one at a time, and the answer has its first four fields alone. With a `name` it is a further key, with a scope, an end and addresses of its own. The secret is shown only in this answer. If the installation requires it, the address must be proven first.
   *
   * `POST /v1/auth/keys`
   */
  create(body: CreateOrganizationKeyBody, options: CreateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateOrganizationKeyBody, options?: CreateOrganizationKeyOptions): Call<OrganizationKey>
  create(body: CreateOrganizationKeyBody, options?: CreateOrganizationKeyOptions): Call<any> {
    return this.send(operations.createOrganizationKey, {}, body, options)
  }

  /**
   * Replace the primary key.
   *
   * From now on every process refuses the old key, unless `overlap_seconds` lets it work for a while; the key before it ends in any case. The new secret is shown only in this answer. Creates the first key of an organization without one. Other keys stay. `previous_expires_at` is in the answer if `overlap_seconds` was sent.
   *
   * `POST /v1/auth/keys/regenerate`
   */
  regenerate(body: RegenerateOrganizationKeyBody, options: RegenerateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  regenerate(body: RegenerateOrganizationKeyBody, options?: RegenerateOrganizationKeyOptions): Call<RegeneratedOrganizationKey>
  regenerate(body: RegenerateOrganizationKeyBody, options?: RegenerateOrganizationKeyOptions): Call<any> {
    return this.send(operations.regenerateOrganizationKey, {}, body, options)
  }

  /**
   * End the key that the primary one has replaced.
   *
   * Every process refuses it from the next request on. Without such a key, nothing changes.
   *
   * `DELETE /v1/auth/keys/previous`
   */
  endOverlap(options: EndOrganizationKeyOverlapOptions & { dry_run: true }): Call<DryRun>
  endOverlap(options?: EndOrganizationKeyOverlapOptions): Call<void>
  endOverlap(options?: EndOrganizationKeyOverlapOptions): Call<any> {
    return this.send(operations.endOrganizationKeyOverlap, {}, undefined, options)
  }

  /**
   * Change a key of the organization.
   *
   * Fields that are left out stay; null removes an end or the addresses. Every process obeys them from the next request on. A key that was replaced may end earlier, not later.
   *
   * `PATCH /v1/auth/keys/{id}`
   */
  update(id: string, body: UpdateOrganizationKeyBody, options: UpdateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateOrganizationKeyBody, options?: UpdateOrganizationKeyOptions): Call<OrganizationKeyRecord>
  update(id: string, body: UpdateOrganizationKeyBody, options?: UpdateOrganizationKeyOptions): Call<any> {
    return this.send(operations.updateOrganizationKey, { id }, body, options)
  }

  /**
   * Revoke a key of the organization.
   *
   * Every process refuses the key from the next request on.
   *
   * `DELETE /v1/auth/keys/{id}`
   */
  revoke(id: string, options: RevokeOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  revoke(id: string, options?: RevokeOrganizationKeyOptions): Call<void>
  revoke(id: string, options?: RevokeOrganizationKeyOptions): Call<any> {
    return this.send(operations.revokeOrganizationKey, { id }, undefined, options)
  }

  /**
   * Rotate a key of the organization.
   *
   * A new key with the same name, scope and addresses, and as long a life unless `expires_at` says otherwise. The old one works until `previous_expires_at`; with `overlap_seconds: 0` it ends before this answers, and that is null. While the key before this one still works, `force: true` is needed, which ends it.
   *
   * `POST /v1/auth/keys/{id}/rotate`
   */
  rotate(id: string, body: RotateOrganizationKeyBody, options: RotateOrganizationKeyOptions & { dry_run: true }): Call<DryRun>
  rotate(id: string, body: RotateOrganizationKeyBody, options?: RotateOrganizationKeyOptions): Call<RotatedOrganizationKey>
  rotate(id: string, body: RotateOrganizationKeyBody, options?: RotateOrganizationKeyOptions): Call<any> {
    return this.send(operations.rotateOrganizationKey, { id }, body, options)
  }
}
