// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { WithLocal } from '../localTime.ts'
import type { ReadOptions, Redirect, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Approval, DryRun } from './schemas.ts'

export type ListApprovalsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "pending" | "approved" | "rejected" | "expired" | "failed"
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type GetApprovalOptions = ReadOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type ApproveApprovalBody = {
  reason?: string
}

export type ApproveApprovalOptions = WriteOptions & {
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RejectApprovalBody = {
  reason?: string
}

export type RejectApprovalOptions = WriteOptions & {
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ShowApprovalOptions = ReadOptions

export type DecideApprovalBody = {
  decision: "approve" | "reject"
  reason?: string
  hash?: string
  form_token?: string
}

export type DecideApprovalOptions = ReadOptions

export type SignInToApproveBody = {
  email: string
  password: string
}

export type SignInToApproveOptions = ReadOptions

export class ApprovalsGroup extends Group {
  /**
   * List the approvals that agent keys have asked for.
   *
   * Newest first. An agent key sees those of its agent.
   *
   * `GET /v1/approvals`
   */
  list(options: ListApprovalsOptions & { view: 'local' }): PagedCall<WithLocal<Approval>, WithLocal<{
    data: Approval[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  list(options?: ListApprovalsOptions): PagedCall<Approval, {
    data: Approval[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  list(options?: ListApprovalsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listApprovals, {}, undefined, options)
  }

  /**
   * Read an approval.
   *
   * The address that was mailed is not stored, so no answer has it.
   *
   * `GET /v1/approvals/{id}`
   */
  get(id: string, options: GetApprovalOptions & { view: 'local' }): Call<WithLocal<Approval>>
  get(id: string, options?: GetApprovalOptions): Call<Approval>
  get(id: string, options?: GetApprovalOptions): Call<any> {
    return this.send(operations.getApproval, { id }, undefined, options)
  }

  /**
   * Approve a request: it is done now.
   *
   * The request runs as the key that asked, and is decided anew at this instant. If it is refused then, the approval is `failed`, and `result` has the status and the body of the refusal. Of an approval, a rejection and the expiry at one moment one happens.
   *
   * `POST /v1/approvals/{id}/approve`
   */
  approve(id: string, body: ApproveApprovalBody, options: ApproveApprovalOptions & { dry_run: true }): Call<DryRun>
  approve(id: string, body: ApproveApprovalBody, options?: ApproveApprovalOptions): Call<Approval>
  approve(id: string, body: ApproveApprovalBody, options?: ApproveApprovalOptions): Call<any> {
    return this.send(operations.approveApproval, { id }, body, options)
  }

  /**
   * Reject a request.
   *
   * Nothing of it happens. The agent reads the reason.
   *
   * `POST /v1/approvals/{id}/reject`
   */
  reject(id: string, body: RejectApprovalBody, options: RejectApprovalOptions & { dry_run: true }): Call<DryRun>
  reject(id: string, body: RejectApprovalBody, options?: RejectApprovalOptions): Call<Approval>
  reject(id: string, body: RejectApprovalBody, options?: RejectApprovalOptions): Call<any> {
    return this.send(operations.rejectApproval, { id }, body, options)
  }

  /**
   * The page on which a person decides a request of an agent.
   *
   * A mailed address is its own credential; any other one needs a console session. Fetching it changes nothing.
   *
   * `GET /approve/{token}`
   */
  show(token: string, options?: ShowApprovalOptions): Call<string> {
    return this.send(operations.showApproval, { token }, undefined, options)
  }

  /**
   * The form that decides a request of an agent.
   *
   * Once. The answer shows the outcome.
   *
   * `POST /approve/{token}`
   */
  decide(token: string, body: DecideApprovalBody, options?: DecideApprovalOptions): Call<string> {
    return this.send(operations.decideApproval, { token }, body, options)
  }

  /**
   * The form that signs in on the page of an approval.
   *
   * Leads back to that page.
   *
   * `POST /approve/{token}/signin`
   */
  signInToApprove(token: string, body: SignInToApproveBody, options?: SignInToApproveOptions): Call<Redirect> {
    return this.send(operations.signInToApprove, { token }, body, options)
  }
}
