// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { WithLocal } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ConfirmHoldGroup, CreateHoldGroup, DryRun, HoldGroup, RenewHoldGroup } from './schemas.ts'

export type CreateHoldGroupBody = CreateHoldGroup

export type CreateHoldGroupOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListHoldGroupsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "held" | "confirmed" | "released" | "expired"
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
}

export type GetHoldGroupOptions = ReadOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
}

export type ConfirmHoldGroupBody = ConfirmHoldGroup

export type ConfirmHoldGroupOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ReleaseHoldGroupOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RenewHoldGroupBody = RenewHoldGroup

export type RenewHoldGroupOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class HoldGroupsGroup extends Group {
  /**
   * Hold times on several calendars, all or none.
   *
   * Each requirement gets holds on `need` of its calendars, or nothing happens (`hold_conflict`). Calendars where no other hold yields are taken first, then those where holds of a lower priority do, each in the order listed. `spare` more are held where nothing yields.
   *
   * With `require_free` (the default), a calendar counts only if it is free by the rules of availability. An active hold with the same or a higher `hold_priority` is in the way of a group, a lower one yields.
   *
   * The members are holds with a `holdGroupId`. They are confirmed and released as a group: one alone cannot be changed (`hold_in_group`). Each hold that is placed uses one of the month's events; there must be enough for all, spares included.
   *
   * With `explain=true`, the refusal has `blocked`, what is in the way on each calendar, and `alternatives`, times at which the group would fit.
   *
   * `POST /v1/hold-groups`
   */
  create(body: CreateHoldGroupBody, options: CreateHoldGroupOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateHoldGroupBody, options: CreateHoldGroupOptions & { view: 'local' }): Call<WithLocal<HoldGroup>>
  create(body: CreateHoldGroupBody, options?: CreateHoldGroupOptions): Call<HoldGroup>
  create(body: CreateHoldGroupBody, options?: CreateHoldGroupOptions): Call<any> {
    return this.send(operations.createHoldGroup, {}, body, options)
  }

  /**
   * List hold groups.
   *
   * Newest first. The key of an agent sees the groups that are on its own calendars alone. A group whose time is up is `expired`, from that moment.
   *
   * `GET /v1/hold-groups`
   */
  list(options: ListHoldGroupsOptions & { view: 'local' }): PagedCall<WithLocal<HoldGroup>, WithLocal<{
    data: HoldGroup[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  list(options?: ListHoldGroupsOptions): PagedCall<HoldGroup, {
    data: HoldGroup[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  list(options?: ListHoldGroupsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listHoldGroups, {}, undefined, options)
  }

  /**
   * Read a hold group.
   *
   * The members of a requirement are in the order in which they were chosen.
   *
   * `GET /v1/hold-groups/{id}`
   */
  get(id: string, options: GetHoldGroupOptions & { view: 'local' }): Call<WithLocal<HoldGroup>>
  get(id: string, options?: GetHoldGroupOptions): Call<HoldGroup>
  get(id: string, options?: GetHoldGroupOptions): Call<any> {
    return this.send(operations.getHoldGroup, { id }, undefined, options)
  }

  /**
   * Confirm a hold group.
   *
   * The first `need` members of each requirement become confirmed events, the others are released. `choose` prefers members by their calendars.
   *
   * If the group was created with `require_free`, the times must still be free (`not_free`); the group stays otherwise. Fails if the group has run out (`hold_expired`) or ended in another way (`not_a_hold`).
   *
   * `PUT /v1/hold-groups/{id}/confirm`
   */
  confirm(id: string, body: ConfirmHoldGroupBody, options: ConfirmHoldGroupOptions & { dry_run: true }): Call<DryRun>
  confirm(id: string, body: ConfirmHoldGroupBody, options: ConfirmHoldGroupOptions & { view: 'local' }): Call<WithLocal<HoldGroup>>
  confirm(id: string, body: ConfirmHoldGroupBody, options?: ConfirmHoldGroupOptions): Call<HoldGroup>
  confirm(id: string, body: ConfirmHoldGroupBody, options?: ConfirmHoldGroupOptions): Call<any> {
    return this.send(operations.confirmHoldGroup, { id }, body, options)
  }

  /**
   * Release a hold group.
   *
   * Takes no body. All its holds are released, and others can use their times at once.
   *
   * `PUT /v1/hold-groups/{id}/release`
   */
  release(id: string, options: ReleaseHoldGroupOptions & { dry_run: true }): Call<DryRun>
  release(id: string, options: ReleaseHoldGroupOptions & { view: 'local' }): Call<WithLocal<HoldGroup>>
  release(id: string, options?: ReleaseHoldGroupOptions): Call<HoldGroup>
  release(id: string, options?: ReleaseHoldGroupOptions): Call<any> {
    return this.send(operations.releaseHoldGroup, { id }, undefined, options)
  }

  /**
   * Hold a renewable group for longer.
   *
   * Moves `hold_expires_at` of all its holds. It may not become earlier than it is, nor later than `renew_until`. Webhooks are not called; the change feed has `event.hold_renewed` for each hold.
   *
   * `PUT /v1/hold-groups/{id}/renew`
   */
  renew(id: string, body: RenewHoldGroupBody, options: RenewHoldGroupOptions & { dry_run: true }): Call<DryRun>
  renew(id: string, body: RenewHoldGroupBody, options: RenewHoldGroupOptions & { view: 'local' }): Call<WithLocal<HoldGroup>>
  renew(id: string, body: RenewHoldGroupBody, options?: RenewHoldGroupOptions): Call<HoldGroup>
  renew(id: string, body: RenewHoldGroupBody, options?: RenewHoldGroupOptions): Call<any> {
    return this.send(operations.renewHoldGroup, { id }, body, options)
  }
}
