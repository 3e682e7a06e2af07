// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { CreatedWebhook, DryRun, RotatedSecret, StartedWebhookReplay, Webhook, WebhookDelivery, WebhookDeliveryDetail, WebhookHealth, WebhookHealthSeries, WebhookReplay, WebhookTest } from './schemas.ts'

export type CreateWebhookBody = {
  /** HTTPS address that receives the events. */
  url: string
  events: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
  /** Only what happens on one of these calendars, or to one of `agent_ids`. Null: everything. */
  calendar_ids?: string[] | null
  /** Only what happens to one of these agents, on their calendars, or in proposals that they organize or take part in. */
  agent_ids?: string[] | null
  /** Deliveries also carry the headers of Standard Webhooks and those of the change. */
  standard?: boolean
  headers?: Record<string, string> | null
  /** The body of a delivery is `{ type, id, at, data }`, with the payload as `data`. */
  envelope?: boolean
}

export type CreateWebhookOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListWebhooksOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type GetWebhookOptions = ReadOptions

export type UpdateWebhookBody = {
  /** HTTPS address that receives the events. */
  url?: string
  events?: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
  active?: boolean
  /** Only what happens on one of these calendars, or to one of `agent_ids`. Null: everything. */
  calendar_ids?: string[] | null
  /** Only what happens to one of these agents, on their calendars, or in proposals that they organize or take part in. */
  agent_ids?: string[] | null
  /** Deliveries also carry the headers of Standard Webhooks and those of the change. */
  standard?: boolean
  headers?: Record<string, string> | null
  /** The body of a delivery is `{ type, id, at, data }`, with the payload as `data`. */
  envelope?: boolean
}

export type UpdateWebhookOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteWebhookOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListWebhookDeliveriesOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** The `next_cursor` of the page before. */
  cursor?: string
  status?: "pending" | "delivered" | "failed"
  event_type?: "agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored"
  /** First `created_at` that is listed. */
  from?: Moment
  /** Last `created_at` that is listed. */
  to?: Moment
  include_payload?: boolean
  /** Shows how the last attempt of each ended. */
  include_attempt?: boolean
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type GetWebhookDeliveryOptions = ReadOptions & {
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type ResendWebhookDeliveryOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ReplayWebhookBody = {
  /** At most 30 days before `to`. */
  from: Moment
  /** Default: now. */
  to?: Moment
  /** Default: all. */
  types?: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
  /** `undelivered`: those that failed and those that are pending. */
  only?: "failed" | "undelivered" | "all"
  /** Also what happened before the webhook existed, while it was off, or before it subscribed to that type. */
  include_missed?: boolean
}

export type ReplayWebhookOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetWebhookReplayOptions = ReadOptions

export type TestWebhookBody = {
  /** Default: the first one of the webhook. */
  type?: "agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored"
}

export type TestWebhookOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RotateWebhookSecretBody = {
  /** How long the previous secret still signs. */
  overlap_seconds?: number
  /** Replaces the secret even while an overlap is open. */
  force?: boolean
}

export type RotateWebhookSecretOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type EndWebhookSecretOverlapOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetWebhookHealthOptions = ReadOptions & {
  /** How far back it counts. */
  window?: "1h" | "24h" | "7d"
}

export type GetWebhookHealthSeriesOptions = ReadOptions & {
  /** How far back it counts. */
  window?: "1h" | "24h" | "7d"
}

export class WebhooksGroup extends Group {
  /**
   * Subscribe an address to events.
   *
   * `secret`, which signs the deliveries, appears only in this answer. The address must be public HTTPS, and may subscribe to an event type only once (`conflict`), unless the filters of both webhooks never meet. The deliveries are described under Webhooks in this document.
   *
   * `POST /v1/webhooks`
   */
  create(body: CreateWebhookBody, options: CreateWebhookOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateWebhookBody, options?: CreateWebhookOptions): Call<CreatedWebhook>
  create(body: CreateWebhookBody, options?: CreateWebhookOptions): Call<any> {
    return this.send(operations.createWebhook, {}, body, options)
  }

  /**
   * List webhooks.
   *
   * Newest first, inactive ones included; 20 per page unless `limit` says otherwise. Secrets are not shown.
   *
   * `GET /v1/webhooks`
   */
  list(options?: ListWebhooksOptions): PagedCall<Webhook, {
    data: Webhook[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listWebhooks, {}, undefined, options)
  }

  /**
   * Read a webhook.
   *
   * `consecutiveFailures` counts failed attempts in a row; a success resets it to 0, and at 50 the webhook is switched off. `firstFailureAt` is null while there are none.
   *
   * `GET /v1/webhooks/{id}`
   */
  get(id: string, options?: GetWebhookOptions): Call<Webhook> {
    return this.send(operations.getWebhook, { id }, undefined, options)
  }

  /**
   * Change a webhook.
   *
   * `events` is replaced as a whole. `active: true` switches the webhook on again, resets its failures, and sends the deliveries that were pending when it was switched off. The secret stays.
   *
   * `PATCH /v1/webhooks/{id}`
   */
  update(id: string, body: UpdateWebhookBody, options: UpdateWebhookOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateWebhookBody, options?: UpdateWebhookOptions): Call<Webhook>
  update(id: string, body: UpdateWebhookBody, options?: UpdateWebhookOptions): Call<any> {
    return this.send(operations.updateWebhook, { id }, body, options)
  }

  /**
   * Remove a webhook.
   *
   * Its history is deleted with it, and pending deliveries are not sent.
   *
   * `DELETE /v1/webhooks/{id}`
   */
  delete(id: string, options: DeleteWebhookOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteWebhookOptions): Call<void>
  delete(id: string, options?: DeleteWebhookOptions): Call<any> {
    return this.send(operations.deleteWebhook, { id }, undefined, options)
  }

  /**
   * List the deliveries of a webhook.
   *
   * Newest first, for 30 days. A null `next_retry_at` means that there is no further attempt, or that the delivery waits for an earlier one. `payload` is included only with `include_payload=true`; `stats` counts all, regardless of `status`. A delivery beyond the month's quota is `failed` with 0 `attempts`.
   *
   * With `cursor`, which is empty for the first page, the answer has `next_cursor`: every page costs the same, and a delivery that keeps its status is on exactly one. `event_type`, `from` and `to` narrow the list; `total` then counts up to 10,000. With `from`, events from more than a day before it that a replay made up for are left out.
   *
   * `GET /v1/webhooks/{id}/deliveries`
   */
  listDeliveries(id: string, options?: ListWebhookDeliveriesOptions): PagedCall<WebhookDelivery, {
    data: WebhookDelivery[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
    stats: {
      pending: number
      delivered: number
      failed: number
    }
    /** The `cursor` of the next page; null on the last one. */
    next_cursor?: string | null
  }> {
    return this.sendPaged(operations.listWebhookDeliveries, { id }, undefined, options)
  }

  /**
   * Read a delivery.
   *
   * The payload as it was sent, the headers of the last attempt, and for each attempt how it ended and how the answer of the receiver began. An attempt that was interrupted on our side is not listed: it is made again.
   *
   * `GET /v1/webhooks/{id}/deliveries/{whd}`
   */
  getDelivery(id: string, whd: string, options?: GetWebhookDeliveryOptions): Call<WebhookDeliveryDetail> {
    return this.send(operations.getWebhookDelivery, { id, whd }, undefined, options)
  }

  /**
   * Send a delivery again.
   *
   * The same bytes under the same id, signed anew. One that waits for its retry is sent now; one that has ended gets one attempt more. Refused (`conflict`) while the webhook is off, during an attempt, and while an earlier event of the same change is pending. It spends a delivery of the month only if it was never posted.
   *
   * `POST /v1/webhooks/{id}/deliveries/{whd}/resend`
   */
  resendDelivery(id: string, whd: string, options: ResendWebhookDeliveryOptions & { dry_run: true }): Call<DryRun>
  resendDelivery(id: string, whd: string, options?: ResendWebhookDeliveryOptions): Call<WebhookDelivery>
  resendDelivery(id: string, whd: string, options?: ResendWebhookDeliveryOptions): Call<any> {
    return this.send(operations.resendWebhookDelivery, { id, whd }, undefined, options)
  }

  /**
   * Send the deliveries of a window again.
   *
   * At most 10,000 of at most 30 days (`bad_request`), under their old ids, each with one attempt more; those that wait for their retry are sent now. `include_missed` also sends events that the webhook never got but would get today, as new deliveries. One replay at a time (`conflict`). It continues in the background, along with new events; if the webhook is off, they are sent when it is switched on. A delivery that was never posted spends one of the month.
   *
   * `POST /v1/webhooks/{id}/replay`
   */
  replay(id: string, body: ReplayWebhookBody, options: ReplayWebhookOptions & { dry_run: true }): Call<DryRun>
  replay(id: string, body: ReplayWebhookBody, options?: ReplayWebhookOptions): Call<StartedWebhookReplay>
  replay(id: string, body: ReplayWebhookBody, options?: ReplayWebhookOptions): Call<any> {
    return this.send(operations.replayWebhook, { id }, body, options)
  }

  /**
   * Follow a replay.
   *
   * `done` when all of it has been handed over to be sent. Kept for 30 days.
   *
   * `GET /v1/webhooks/{id}/replays/{rpl}`
   */
  getReplay(id: string, rpl: string, options?: GetWebhookReplayOptions): Call<WebhookReplay> {
    return this.send(operations.getWebhookReplay, { id, rpl }, undefined, options)
  }

  /**
   * Try a webhook.
   *
   * Makes one attempt now with the example of an event, also if the webhook is off, and returns its outcome. The delivery carries `X-Service-Test: true` and is signed like any other. It is not in the history, is not a failure, and spends nothing. One per second, 100 in 24 hours for each webhook.
   *
   * `POST /v1/webhooks/{id}/test`
   */
  test(id: string, body: TestWebhookBody, options: TestWebhookOptions & { dry_run: true }): Call<DryRun>
  test(id: string, body: TestWebhookBody, options?: TestWebhookOptions): Call<WebhookTest>
  test(id: string, body: TestWebhookBody, options?: TestWebhookOptions): Call<any> {
    return this.send(operations.testWebhook, { id }, body, options)
  }

  /**
   * Replace the secret of a webhook.
   *
   * `secret` appears only in this answer. Until `previous_expires_at` the previous secret signs `X-Signature`, and the new one `X-Signature-Next`; then the new one signs `X-Signature`. While such an overlap is open, `force: true` is needed (`conflict`): the secret that signs `X-Signature` continues to, and the one in between is discarded.
   *
   * `POST /v1/webhooks/{id}/secret/rotate`
   */
  rotateSecret(id: string, body: RotateWebhookSecretBody, options: RotateWebhookSecretOptions & { dry_run: true }): Call<DryRun>
  rotateSecret(id: string, body: RotateWebhookSecretBody, options?: RotateWebhookSecretOptions): Call<RotatedSecret>
  rotateSecret(id: string, body: RotateWebhookSecretBody, options?: RotateWebhookSecretOptions): Call<any> {
    return this.send(operations.rotateWebhookSecret, { id }, body, options)
  }

  /**
   * End the overlap of two secrets.
   *
   * The previous secret no longer signs. Without a previous secret, nothing changes.
   *
   * `DELETE /v1/webhooks/{id}/secret/previous`
   */
  endSecretOverlap(id: string, options: EndWebhookSecretOverlapOptions & { dry_run: true }): Call<DryRun>
  endSecretOverlap(id: string, options?: EndWebhookSecretOverlapOptions): Call<void>
  endSecretOverlap(id: string, options?: EndWebhookSecretOverlapOptions): Call<any> {
    return this.send(operations.endWebhookSecretOverlap, { id }, undefined, options)
  }

  /**
   * Read the health of a webhook.
   *
   * Counts attempts, in steps of ten minutes. `state` is `disabled` for a webhook that is off; `failing` after five failures in a row, or if fewer than 90% of at least ten attempts of the last hour succeeded; otherwise `healthy`.
   *
   * `GET /v1/webhooks/{id}/health`
   */
  getHealth(id: string, options?: GetWebhookHealthOptions): Call<WebhookHealth> {
    return this.send(operations.getWebhookHealth, { id }, undefined, options)
  }

  /**
   * Read the health of a webhook over time.
   *
   * Attempts in steps of ten minutes, with `window=7d` in steps of an hour; the last step is under way. Steps without attempts are there, too, and all together are what the health of the same window counts.
   *
   * `GET /v1/webhooks/{id}/health/series`
   */
  getHealthSeries(id: string, options?: GetWebhookHealthSeriesOptions): Call<WebhookHealthSeries> {
    return this.send(operations.getWebhookHealthSeries, { id }, undefined, options)
  }
}
