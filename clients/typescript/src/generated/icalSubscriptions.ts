// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, IcalSubscription } from './schemas.ts'

export type CreateIcalSubscriptionBody = {
  calendar_id: string
  /** HTTPS address of an .ics feed. */
  url: string
  label?: string
  /** Events keep these besides title, description, times and status. `details`: place, call, visibility, labels, colour and links. `transparency`: those that say so take no time. null and []: nothing. */
  keep?: ("details" | "transparency")[] | null
}

export type CreateIcalSubscriptionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListIcalSubscriptionsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "active" | "error" | "paused"
}

export type ListAllIcalSubscriptionsOptions = ReadOptions & {
  limit?: number
  offset?: number
  status?: "active" | "error" | "paused"
}

export type GetIcalSubscriptionOptions = ReadOptions

export type UpdateIcalSubscriptionBody = {
  label?: string
  /** HTTPS address of an .ics feed. */
  url?: string
  /** Events keep these besides title, description, times and status. `details`: place, call, visibility, labels, colour and links. `transparency`: those that say so take no time. null and []: nothing. */
  keep?: ("details" | "transparency")[] | null
}

export type UpdateIcalSubscriptionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteIcalSubscriptionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type SyncIcalSubscriptionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetIcalFeedOptions = ReadOptions

export class IcalSubscriptionsGroup extends Group {
  /**
   * Subscribe a calendar to an external feed.
   *
   * The feed is read at once and then every 15 minutes. Its events are copied as read-only events that block time, send no webhook events and use no quota.
   *
   * `calendar_id` is a calendar of this agent or, with the organization's key, one without an agent. The address must be public HTTPS.
   *
   * An invalid body is 422; a reached limit of the plan is 402.
   *
   * `POST /v1/agents/{agent_id}/ical-subscriptions`
   */
  create(agentId: string, body: CreateIcalSubscriptionBody, options: CreateIcalSubscriptionOptions & { dry_run: true }): Call<DryRun>
  create(agentId: string, body: CreateIcalSubscriptionBody, options?: CreateIcalSubscriptionOptions): Call<IcalSubscription>
  create(agentId: string, body: CreateIcalSubscriptionBody, options?: CreateIcalSubscriptionOptions): Call<any> {
    return this.send(operations.createIcalSubscription, { agent_id: agentId }, body, options)
  }

  /**
   * List the iCal subscriptions of an agent.
   *
   * Newest first. `status` is `active`, `error` (the last sync failed with `last_error` and will be repeated) or `paused` (the agent is decommissioned or the calendar is deleted).
   *
   * `GET /v1/agents/{agent_id}/ical-subscriptions`
   */
  list(agentId: string, options?: ListIcalSubscriptionsOptions): PagedCall<IcalSubscription, {
    data: IcalSubscription[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listIcalSubscriptions, { agent_id: agentId }, undefined, options)
  }

  /**
   * List the iCal subscriptions of all agents.
   *
   * As the list of one agent, newest first. An agent key sees those of its agent.
   *
   * `GET /v1/ical-subscriptions`
   */
  listAll(options?: ListAllIcalSubscriptionsOptions): PagedCall<IcalSubscription, {
    data: IcalSubscription[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listAllIcalSubscriptions, {}, undefined, options)
  }

  /**
   * Read an iCal subscription.
   *
   * `last_synced_at` is the time of the last successful sync, also if the feed had not changed; null before the first one. `last_error` is null if the last sync succeeded.
   *
   * `GET /v1/ical-subscriptions/{id}`
   */
  get(id: string, options?: GetIcalSubscriptionOptions): Call<IcalSubscription> {
    return this.send(operations.getIcalSubscription, { id }, undefined, options)
  }

  /**
   * Change an iCal subscription.
   *
   * A new `url` is read at once, and events that it does not contain are removed. The calendar cannot change. An invalid body is 422.
   *
   * `PATCH /v1/ical-subscriptions/{id}`
   */
  update(id: string, body: UpdateIcalSubscriptionBody, options: UpdateIcalSubscriptionOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateIcalSubscriptionBody, options?: UpdateIcalSubscriptionOptions): Call<IcalSubscription>
  update(id: string, body: UpdateIcalSubscriptionBody, options?: UpdateIcalSubscriptionOptions): Call<any> {
    return this.send(operations.updateIcalSubscription, { id }, body, options)
  }

  /**
   * Remove an iCal subscription.
   *
   * Imported events stay, read-only, until their calendar is deleted.
   *
   * `DELETE /v1/ical-subscriptions/{id}`
   */
  delete(id: string, options: DeleteIcalSubscriptionOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteIcalSubscriptionOptions): Call<void>
  delete(id: string, options?: DeleteIcalSubscriptionOptions): Call<any> {
    return this.send(operations.deleteIcalSubscription, { id }, undefined, options)
  }

  /**
   * Read the feed of an iCal subscription now.
   *
   * The answer comes before the feed is read: check `last_synced_at` and `last_error` afterwards. Takes no body.
   *
   * `POST /v1/ical-subscriptions/{id}/sync`
   */
  sync(id: string, options: SyncIcalSubscriptionOptions & { dry_run: true }): Call<DryRun>
  sync(id: string, options?: SyncIcalSubscriptionOptions): Call<{
    status: "syncing"
  }>
  sync(id: string, options?: SyncIcalSubscriptionOptions): Call<any> {
    return this.send(operations.syncIcalSubscription, { id }, undefined, options)
  }

  /**
   * The public feed of a calendar.
   *
   * The token in the path is the credential. A matching `If-None-Match` gets 304.
   *
   * `GET /ical/{ical_token}.ics`
   */
  getFeed(icalToken: string, options?: GetIcalFeedOptions): Call<string> {
    return this.send(operations.getIcalFeed, { ical_token: icalToken }, undefined, options)
  }
}
