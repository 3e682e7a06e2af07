// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { AvailabilityGrant, DryRun } from './schemas.ts'

export type CreateAvailabilityGrantBody = {
  external_calendar_ids: string[]
  /** `all_current_agents`: those that exist when the audience is set. */
  audience: "selected_agents" | "all_current_agents" | "all_org_agents"
  agent_ids?: string[]
}

export type CreateAvailabilityGrantOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListAvailabilityGrantsOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type GetAvailabilityGrantOptions = ReadOptions

export type UpdateAvailabilityGrantBody = {
  external_calendar_ids?: string[]
  /** `all_current_agents`: those that exist when the audience is set. */
  audience?: "selected_agents" | "all_current_agents" | "all_org_agents"
  agent_ids?: string[]
  active?: boolean
}

export type UpdateAvailabilityGrantOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteAvailabilityGrantOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class AvailabilityGrantsGroup extends Group {
  /**
   * Let agents see when a human is busy.
   *
   * From now on the busy time of these calendars counts in the availability of these agents. They see times, and nothing else. `agent_ids` goes with `selected_agents` alone.
   *
   * `POST /v1/availability-grants`
   */
  create(body: CreateAvailabilityGrantBody, options: CreateAvailabilityGrantOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateAvailabilityGrantBody, options?: CreateAvailabilityGrantOptions): Call<AvailabilityGrant>
  create(body: CreateAvailabilityGrantBody, options?: CreateAvailabilityGrantOptions): Call<any> {
    return this.send(operations.createAvailabilityGrant, {}, body, options)
  }

  /**
   * List grants.
   *
   * Newest first.
   *
   * `GET /v1/availability-grants`
   */
  list(options?: ListAvailabilityGrantsOptions): PagedCall<AvailabilityGrant, {
    data: AvailabilityGrant[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listAvailabilityGrants, {}, undefined, options)
  }

  /**
   * Read a grant.
   *
   * A grant that is left without calendars is removed.
   *
   * `GET /v1/availability-grants/{id}`
   */
  get(id: string, options?: GetAvailabilityGrantOptions): Call<AvailabilityGrant> {
    return this.send(operations.getAvailabilityGrant, { id }, undefined, options)
  }

  /**
   * Change a grant.
   *
   * An `audience` sets the cutoff of `all_current_agents` anew.
   *
   * `PATCH /v1/availability-grants/{id}`
   */
  update(id: string, body: UpdateAvailabilityGrantBody, options: UpdateAvailabilityGrantOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateAvailabilityGrantBody, options?: UpdateAvailabilityGrantOptions): Call<AvailabilityGrant>
  update(id: string, body: UpdateAvailabilityGrantBody, options?: UpdateAvailabilityGrantOptions): Call<any> {
    return this.send(operations.updateAvailabilityGrant, { id }, body, options)
  }

  /**
   * Remove a grant.
   *
   * From now on the busy time of these calendars does not count for its agents.
   *
   * `DELETE /v1/availability-grants/{id}`
   */
  delete(id: string, options: DeleteAvailabilityGrantOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteAvailabilityGrantOptions): Call<void>
  delete(id: string, options?: DeleteAvailabilityGrantOptions): Call<any> {
    return this.send(operations.deleteAvailabilityGrant, { id }, undefined, options)
  }
}
