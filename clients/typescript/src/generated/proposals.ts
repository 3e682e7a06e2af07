// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment, WithLocal } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { CreateProposal, DryRun, FullProposal, Proposal, ProposalResponse, ResolvedSlot } from './schemas.ts'

export type CreateProposalBody = CreateProposal

export type CreateProposalOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListProposalsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "pending" | "confirmed" | "expired" | "cancelled"
  organizer_agent_id?: string
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
}

export type GetProposalOptions = ReadOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
}

export type RespondToProposalBody = {
  agent_id: string
  response: "accept" | "decline" | "counter"
  selected_slot_id?: string
  /** Alternatives, for information only. */
  counter_slots?: ({
    start_time: Moment
    end_time: Moment
    weight?: number
    calendar_id?: string
  })[]
  message?: string
}

export type RespondToProposalOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ResolveProposalOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CancelProposalOptions = WriteOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class ProposalsGroup extends Group {
  /**
   * Propose times to several agents.
   *
   * The slots are not checked against any calendar: query `/v1/availability` first.
   *
   * The answer has no slots. Their ids, which participants select, are in `GET /v1/scheduling/proposals/{id}` and in the webhook event `proposal.created`.
   *
   * `weight` (0 to 10, default 1) is the initial score of a slot when the best one is chosen. Without `expires_at` the proposal does not expire.
   *
   * `POST /v1/scheduling/proposals`
   */
  create(body: CreateProposalBody, options: CreateProposalOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateProposalBody, options: CreateProposalOptions & { view: 'local' }): Call<WithLocal<Proposal>>
  create(body: CreateProposalBody, options?: CreateProposalOptions): Call<Proposal>
  create(body: CreateProposalBody, options?: CreateProposalOptions): Call<any> {
    return this.send(operations.createProposal, {}, body, options)
  }

  /**
   * List proposals.
   *
   * Newest first, without slots and responses. `organizer_agent_id` filters by organizer; an unknown agent is `not_found`.
   *
   * `GET /v1/scheduling/proposals`
   */
  list(options: ListProposalsOptions & { view: 'local' }): PagedCall<WithLocal<Proposal>, WithLocal<{
    data: Proposal[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  list(options?: ListProposalsOptions): PagedCall<Proposal, {
    data: Proposal[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  list(options?: ListProposalsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listProposals, {}, undefined, options)
  }

  /**
   * Read a proposal with its slots and responses.
   *
   * `slots` have the ids that responses select, in the order of the request; `responses` are in the order of their arrival. `resolved_slot` and `created_event_id` are null until the proposal is confirmed; a null `expires_at` means that it does not expire.
   *
   * `GET /v1/scheduling/proposals/{id}`
   */
  get(id: string, options: GetProposalOptions & { view: 'local' }): Call<WithLocal<FullProposal>>
  get(id: string, options?: GetProposalOptions): Call<FullProposal>
  get(id: string, options?: GetProposalOptions): Call<any> {
    return this.send(operations.getProposal, { id }, undefined, options)
  }

  /**
   * Respond for a participant.
   *
   * Use the organization's key; `agent_id` names the participant. Each participant responds once and cannot change the response.
   *
   * `accept` needs a `selected_slot_id` from the proposal's slots. `counter` agrees to no particular slot; its `counter_slots` are for people to read.
   *
   * The last response resolves the proposal at once.
   *
   * `POST /v1/scheduling/proposals/{id}/respond`
   */
  respond(id: string, body: RespondToProposalBody, options: RespondToProposalOptions & { dry_run: true }): Call<DryRun>
  respond(id: string, body: RespondToProposalBody, options: RespondToProposalOptions & { view: 'local' }): Call<WithLocal<ProposalResponse>>
  respond(id: string, body: RespondToProposalBody, options?: RespondToProposalOptions): Call<ProposalResponse>
  respond(id: string, body: RespondToProposalBody, options?: RespondToProposalOptions): Call<any> {
    return this.send(operations.respondToProposal, { id }, body, options)
  }

  /**
   * Choose the best slot and create the event.
   *
   * Not every participant needs to have responded, but until one has accepted or countered it is `conflict`.
   *
   * A slot scores its `weight`, plus 1 for each response that accepts it, plus 0.3 for each counter (which counts for every slot). If scores are equal, the earliest start wins.
   *
   * The event is created on the slot's calendar, or else the proposal's, without a check for overlaps, and uses one of the month's events. If everybody has declined, the proposal is cancelled instead.
   *
   * `POST /v1/scheduling/proposals/{id}/resolve`
   */
  resolve(id: string, options: ResolveProposalOptions & { dry_run: true }): Call<DryRun>
  resolve(id: string, options: ResolveProposalOptions & { view: 'local' }): Call<WithLocal<{
    status: "confirmed"
    resolved_slot: ResolvedSlot
  } | {
    status: "cancelled"
    reason: "all_declined"
  }>>
  resolve(id: string, options?: ResolveProposalOptions): Call<{
    status: "confirmed"
    resolved_slot: ResolvedSlot
  } | {
    status: "cancelled"
    reason: "all_declined"
  }>
  resolve(id: string, options?: ResolveProposalOptions): Call<any> {
    return this.send(operations.resolveProposal, { id }, undefined, options)
  }

  /**
   * Cancel a proposal.
   *
   * Irreversible, and only possible while the proposal is `pending` (otherwise `conflict`). Takes no body. Sends the webhook event `proposal.cancelled` with the reason `organizer_cancelled`.
   *
   * `POST /v1/scheduling/proposals/{id}/cancel`
   */
  cancel(id: string, options: CancelProposalOptions & { dry_run: true }): Call<DryRun>
  cancel(id: string, options: CancelProposalOptions & { view: 'local' }): Call<WithLocal<{
    status: "cancelled"
  }>>
  cancel(id: string, options?: CancelProposalOptions): Call<{
    status: "cancelled"
  }>
  cancel(id: string, options?: CancelProposalOptions): Call<any> {
    return this.send(operations.cancelProposal, { id }, undefined, options)
  }
}
