// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, Invitation, Joined, OpenInvitation, SignedUpMember } from './schemas.ts'

export type CreateInvitationBody = {
  email: string
  role: "owner" | "admin" | "developer" | "viewer"
}

export type CreateInvitationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListInvitationsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "pending" | "accepted" | "revoked" | "expired"
}

export type LookUpInvitationBody = {
  /** The 43 characters of the mailed link. */
  token: string
}

export type LookUpInvitationOptions = ReadOptions

export type AcceptInvitationBody = {
  /** The 43 characters of the mailed link. */
  token: string
  /** Makes an account, without a session. */
  password?: string
  tos_version?: string
}

export type AcceptInvitationOptions = ReadOptions

export type ResendInvitationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RevokeInvitationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class InvitationsGroup extends Group {
  /**
   * Invite a person to the organization.
   *
   * Mails a link that works once, for 7 days, and only for the account of this address: an existing one, or one that is made with the link. A member invites with a role up to their own (`role`). The address of the organization must be proven (`address_unproven`). Members and pending invitations together count towards the limit `members` of the plan. An address gets at most 5 mails an hour; an organization makes at most 100 invitations a day.
   *
   * `POST /v1/auth/invitations`
   */
  create(body: CreateInvitationBody, options: CreateInvitationOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateInvitationBody, options?: CreateInvitationOptions): Call<Invitation>
  create(body: CreateInvitationBody, options?: CreateInvitationOptions): Call<any> {
    return this.send(operations.createInvitation, {}, body, options)
  }

  /**
   * List invitations.
   *
   * Newest first. Those that were accepted, were revoked or have expired are listed for 30 days more.
   *
   * `GET /v1/auth/invitations`
   */
  list(options?: ListInvitationsOptions): PagedCall<Invitation, {
    data: Invitation[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listInvitations, {}, undefined, options)
  }

  /**
   * See what a mailed link invites to.
   *
   * Changes nothing. A token that never existed, or was used, replaced or revoked, or has expired, is `validation_error` with `param` `token`. A network may look up and accept 60 times in 15 minutes.
   *
   * `POST /v1/auth/invitations/lookup`
   */
  lookUp(body: LookUpInvitationBody, options?: LookUpInvitationOptions): Call<OpenInvitation> {
    return this.send(operations.lookUpInvitation, {}, body, options)
  }

  /**
   * Accept an invitation.
   *
   * With a session of the invited address (cookie or bearer token), its account joins. The session of another address is `wrong_account`, and the invitation stays pending. Without a session, `password` and `tos_version` make an account of the invited address that joins; an address that has an account already is `email_taken`: sign in first. Accepting proves the address. A token that does not work is answered as when it is looked up. An `Idempotency-Key` is ignored.
   *
   * `POST /v1/auth/invitations/accept`
   */
  accept(body: AcceptInvitationBody, options?: AcceptInvitationOptions): Call<Joined | SignedUpMember> {
    return this.send(operations.acceptInvitation, {}, body, options)
  }

  /**
   * Send another link.
   *
   * Also for an invitation that has expired. The new link works for 7 days; the one before no longer works. The member who sends it is its `invited_by` from now on. An invitation that was accepted or revoked is `conflict`.
   *
   * `POST /v1/auth/invitations/{id}/resend`
   */
  resend(id: string, options: ResendInvitationOptions & { dry_run: true }): Call<DryRun>
  resend(id: string, options?: ResendInvitationOptions): Call<Invitation>
  resend(id: string, options?: ResendInvitationOptions): Call<any> {
    return this.send(operations.resendInvitation, { id }, undefined, options)
  }

  /**
   * Revoke an invitation.
   *
   * Its link no longer works. Revoking it twice has the effect of revoking it once. An accepted one is `conflict`.
   *
   * `DELETE /v1/auth/invitations/{id}`
   */
  revoke(id: string, options: RevokeInvitationOptions & { dry_run: true }): Call<DryRun>
  revoke(id: string, options?: RevokeInvitationOptions): Call<void>
  revoke(id: string, options?: RevokeInvitationOptions): Call<any> {
    return this.send(operations.revokeInvitation, { id }, undefined, options)
  }
}
