// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { CurrentSession, DryRun, Member, Membership } from './schemas.ts'

export type DeleteMeOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetSessionOptions = ReadOptions

export type ListMembershipsOptions = ReadOptions

export type ListMembersOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type UpdateMemberBody = {
  role: "owner" | "admin" | "developer" | "viewer"
}

export type UpdateMemberOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RemoveMemberOptions = WriteOptions & {
  /** Also revokes the keys that this member made, those of agents too. Default: they stay. */
  revoke_keys?: boolean
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class MembersGroup extends Group {
  /**
   * Leave every organization and erase the account.
   *
   * Irreversible. If an organization would have no owner left, nothing is done: `last_owner`, and `organizations` in the error has their ids.
   *
   * `DELETE /v1/auth/me`
   */
  deleteMe(options: DeleteMeOptions & { dry_run: true }): Call<DryRun>
  deleteMe(options?: DeleteMeOptions): Call<void>
  deleteMe(options?: DeleteMeOptions): Call<any> {
    return this.send(operations.deleteMe, {}, undefined, options)
  }

  /**
   * Get the session.
   *
   * Its account, the organization that it acts in and the role there.
   *
   * `GET /v1/auth/session`
   */
  getSession(options?: GetSessionOptions): Call<CurrentSession> {
    return this.send(operations.getSession, {}, undefined, options)
  }

  /**
   * List the organizations of the account.
   *
   * In one answer without pages; the one that it joined first comes first.
   *
   * `GET /v1/auth/memberships`
   */
  listMemberships(options?: ListMembershipsOptions): Call<{
    data: Membership[]
  }> {
    return this.send(operations.listMemberships, {}, undefined, options)
  }

  /**
   * List the members.
   *
   * The one who joined first comes first. Owners and admins also see who has a second factor, and when each was last seen.
   *
   * `GET /v1/auth/members`
   */
  list(options?: ListMembersOptions): PagedCall<Member, {
    data: Member[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listMembers, {}, undefined, options)
  }

  /**
   * Change the role of a member.
   *
   * It holds with the next request of the member, who gets a mail. A role above their own they neither give nor change. The only owner stays one (`last_owner`).
   *
   * `PATCH /v1/auth/members/{id}`
   */
  update(id: string, body: UpdateMemberBody, options: UpdateMemberOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateMemberBody, options?: UpdateMemberOptions): Call<Member>
  update(id: string, body: UpdateMemberBody, options?: UpdateMemberOptions): Call<any> {
    return this.send(operations.updateMember, { id }, body, options)
  }

  /**
   * Remove a member, or leave.
   *
   * It is in force before the answer. The member’s sessions in this organization end, the calendars that they connected are disconnected, and they get a mail. An account without another organization is erased. The keys that they made stay, unless `revoke_keys=true`. With `me` or the own id every member leaves; anybody else is removed by owners and admins, owners by owners alone. The only owner stays (`last_owner`).
   *
   * `DELETE /v1/auth/members/{id}`
   */
  remove(id: string, options: RemoveMemberOptions & { dry_run: true }): Call<DryRun>
  remove(id: string, options?: RemoveMemberOptions): Call<void>
  remove(id: string, options?: RemoveMemberOptions): Call<any> {
    return this.send(operations.removeMember, { id }, undefined, options)
  }
}
