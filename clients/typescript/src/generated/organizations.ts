// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { CurrentSession, DryRun, Organization, OrganizationDetail } from './schemas.ts'

export type ChooseOrganizationBody = {
  organization_id: string
}

export type ChooseOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type OpenOrganizationBody = {
  name: string
  tos_version: string
}

export type OpenOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetOwnOrganizationOptions = ReadOptions

export type UpdateOwnOrganizationBody = {
  name?: string
  /** For owners, with a second factor of their own and re-authentication. */
  require_second_factor?: boolean
}

export type UpdateOwnOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteOrganizationOptions = WriteOptions & {
  /** The name of the organization, as it is. */
  confirm?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CreateOrganizationBody = {
  name: string
  email: string
  plan?: "free" | "pro" | "custom"
  /** Caps of a custom plan; null or absent is unlimited. */
  limits?: {
    agents?: number | null
    calendars?: number | null
    events?: number | null
    api_calls?: number | null
    webhooks?: number | null
    webhook_deliveries?: number | null
    availability_queries?: number | null
    ical_subscriptions?: number | null
    proposals?: number | null
    recurring_events?: number | null
    booking_pages?: number | null
    scoped_keys?: number | null
    organization_keys?: number | null
    agents_per_query?: number | null
    query_range_days?: number | null
    audit_retention_days?: number | null
    changes_retention_days?: number | null
    change_waits?: number | null
    calendar_connections?: number | null
    members?: number | null
  }
  rate_limit_per_second?: number
}

export type CreateOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListOrganizationsOptions = ReadOptions & {
  limit?: number
  offset?: number
  email?: string
  /** A part of the name or of the address, in upper or lower case. */
  query?: string
  plan?: "free" | "pro" | "custom" | "free-agent" | "free-agent-unverified"
  is_waitlisted?: boolean
}

export type GetOrganizationOptions = ReadOptions

export type UpdateOrganizationBody = {
  plan?: "free" | "pro" | "custom"
  /** Caps of a custom plan; null or absent is unlimited. */
  limits?: {
    agents?: number | null
    calendars?: number | null
    events?: number | null
    api_calls?: number | null
    webhooks?: number | null
    webhook_deliveries?: number | null
    availability_queries?: number | null
    ical_subscriptions?: number | null
    proposals?: number | null
    recurring_events?: number | null
    booking_pages?: number | null
    scoped_keys?: number | null
    organization_keys?: number | null
    agents_per_query?: number | null
    query_range_days?: number | null
    audit_retention_days?: number | null
    changes_retention_days?: number | null
    change_waits?: number | null
    calendar_connections?: number | null
    members?: number | null
  }
  rate_limit_per_second?: number | null
  is_waitlisted?: boolean
}

export type UpdateOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ActivateOrganizationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class OrganizationsGroup extends Group {
  /**
   * Choose the organization of the session.
   *
   * The session acts in it from now on, and later sign-ins of the account begin in it. One request names another organization with the header `X-Organization-Id`, so that two tabs do not disturb each other.
   *
   * `PATCH /v1/auth/session`
   */
  choose(body: ChooseOrganizationBody, options: ChooseOrganizationOptions & { dry_run: true }): Call<DryRun>
  choose(body: ChooseOrganizationBody, options?: ChooseOrganizationOptions): Call<CurrentSession>
  choose(body: ChooseOrganizationBody, options?: ChooseOrganizationOptions): Call<any> {
    return this.send(operations.chooseOrganization, {}, body, options)
  }

  /**
   * Make another organization.
   *
   * On the free plan, with the account as its owner. The address of the account must be proven (`address_unproven`). An account owns at most 3 organizations on free plans.
   *
   * `POST /v1/auth/organizations`
   */
  open(body: OpenOrganizationBody, options: OpenOrganizationOptions & { dry_run: true }): Call<DryRun>
  open(body: OpenOrganizationBody, options?: OpenOrganizationOptions): Call<{
    org: Organization
    member: {
      id: string
      role: "owner" | "admin" | "developer" | "viewer"
    }
  }>
  open(body: OpenOrganizationBody, options?: OpenOrganizationOptions): Call<any> {
    return this.send(operations.openOrganization, {}, body, options)
  }

  /**
   * Get the organization and its policy.
   *
   * The policy says whether members need a second factor.
   *
   * `GET /v1/auth/organization`
   */
  getOwn(options?: GetOwnOrganizationOptions): Call<{
    org: Organization
    policy: {
      /** Members without a second factor reach only their own account until they turn it on. */
      require_second_factor: boolean
    }
  }> {
    return this.send(operations.getOwnOrganization, {}, undefined, options)
  }

  /**
   * Rename the organization, or set its policy.
   *
   * Admins may set the name. `require_second_factor` is for owners, who need a second factor of their own (`second_factor_missing`) and re-authentication. From the next request members without one reach only their own account; API keys are not touched.
   *
   * `PATCH /v1/auth/organization`
   */
  updateOwn(body: UpdateOwnOrganizationBody, options: UpdateOwnOrganizationOptions & { dry_run: true }): Call<DryRun>
  updateOwn(body: UpdateOwnOrganizationBody, options?: UpdateOwnOrganizationOptions): Call<{
    org: Organization
    policy: {
      /** Members without a second factor reach only their own account until they turn it on. */
      require_second_factor: boolean
    }
  }>
  updateOwn(body: UpdateOwnOrganizationBody, options?: UpdateOwnOrganizationOptions): Call<any> {
    return this.send(operations.updateOwnOrganization, {}, body, options)
  }

  /**
   * Delete the organization with all its members.
   *
   * Irreversible. `confirm` is its name. Its members get a mail; accounts without another organization are erased. The acceptances of the terms of service stay on record, without the organization.
   *
   * `DELETE /v1/auth/organization`
   */
  delete(options: DeleteOrganizationOptions & { dry_run: true }): Call<DryRun>
  delete(options?: DeleteOrganizationOptions): Call<void>
  delete(options?: DeleteOrganizationOptions): Call<any> {
    return this.send(operations.deleteOrganization, {}, undefined, options)
  }

  /**
   * Create an organization and its key.
   *
   * The key is shown only in this answer. `limits` apply only to the plan `custom`: a limit that is null or left out is unlimited. Several organizations may share an address.
   *
   * `POST /v1/admin/orgs`
   */
  create(body: CreateOrganizationBody, options: CreateOrganizationOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateOrganizationBody, options?: CreateOrganizationOptions): Call<{
    org: Organization
    api_key: string
  }>
  create(body: CreateOrganizationBody, options?: CreateOrganizationOptions): Call<any> {
    return this.send(operations.createOrganization, {}, body, options)
  }

  /**
   * List organizations.
   *
   * Newest first; `email` finds one address, regardless of case. `query` searches names and addresses. The tiers of agent self-signup appear as `free-agent` and `free-agent-unverified`.
   *
   * `GET /v1/admin/orgs`
   */
  list(options?: ListOrganizationsOptions): PagedCall<Organization, {
    data: Organization[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listOrganizations, {}, undefined, options)
  }

  /**
   * Read an organization with its limits and usage.
   *
   * `limits` and `rate_limit_per_second` are those that hold now, by its plan or by agreement; null is unlimited.
   *
   * `GET /v1/admin/orgs/{id}`
   */
  get(id: string, options?: GetOrganizationOptions): Call<OrganizationDetail> {
    return this.send(operations.getOrganization, { id }, undefined, options)
  }

  /**
   * Change the plan of an organization.
   *
   * Takes effect on every process with the next request. `limits` are replaced as a whole; a null `rate_limit_per_second` restores the plan's. `is_waitlisted` sends no mail; activating the organization does.
   *
   * `PATCH /v1/admin/orgs/{id}`
   */
  update(id: string, body: UpdateOrganizationBody, options: UpdateOrganizationOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateOrganizationBody, options?: UpdateOrganizationOptions): Call<Organization>
  update(id: string, body: UpdateOrganizationBody, options?: UpdateOrganizationOptions): Call<any> {
    return this.send(operations.updateOrganization, { id }, body, options)
  }

  /**
   * Take an organization off the waitlist.
   *
   * Its owner gets a mail. An organization that is not on the waitlist is returned unchanged, without a mail. Takes no body.
   *
   * `POST /v1/admin/orgs/{id}/activate`
   */
  activate(id: string, options: ActivateOrganizationOptions & { dry_run: true }): Call<DryRun>
  activate(id: string, options?: ActivateOrganizationOptions): Call<Organization>
  activate(id: string, options?: ActivateOrganizationOptions): Call<any> {
    return this.send(operations.activateOrganization, { id }, undefined, options)
  }
}
