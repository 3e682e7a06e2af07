// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, Redirect, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { CalendarConnection, CalendarConnectionDetail, DryRun } from './schemas.ts'

export type StartCalendarConnectionBody = {
  capabilities?: ("availability" | "publishing")[]
  setup_link_id?: string
}

export type StartCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type FinishCalendarConnectionOptions = ReadOptions

export type ConnectCaldavAccountBody = {
  server_url: string
  username: string
  /** An app password for this service alone, if the server offers them. */
  password: string
  /** The zone of dates and of local times. */
  timezone?: string
  capabilities?: ("availability" | "publishing")[]
  setup_link_id?: string
}

export type ConnectCaldavAccountOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListCalendarConnectionsOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type GetCalendarConnectionOptions = ReadOptions

export type UpdateCalendarConnectionBody = {
  capabilities?: ("availability" | "publishing")[]
  selected_external_calendar_ids?: string[]
}

export type UpdateCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteCalendarConnectionOptions = WriteOptions & {
  /** Leaves the copies of events that have not ended in the external calendar. */
  keep_published?: boolean
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RefreshCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ReauthorizeCalendarConnectionBody = {
  password?: string
  username?: string
  capabilities?: ("availability" | "publishing")[]
}

export type ReauthorizeCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type PauseCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ResumeCalendarConnectionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class ConnectionsGroup extends Group {
  /**
   * Connect an account of Google or Microsoft.
   *
   * Send the human to `authorization_url`. A provider that this installation is not configured for is `not_found`.
   *
   * `POST /v1/calendar-connections/oauth/{provider}/start`
   */
  start(provider: string, body: StartCalendarConnectionBody, options: StartCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  start(provider: string, body: StartCalendarConnectionBody, options?: StartCalendarConnectionOptions): Call<{
    authorization_url: string
  }>
  start(provider: string, body: StartCalendarConnectionBody, options?: StartCalendarConnectionOptions): Call<any> {
    return this.send(operations.startCalendarConnection, { provider }, body, options)
  }

  /**
   * The address that a provider redirects to.
   *
   * The browser calls it, not you. It always leads to one of our pages.
   *
   * `GET /v1/calendar-connections/oauth/{provider}/callback`
   */
  finish(provider: string, options?: FinishCalendarConnectionOptions): Call<Redirect> {
    return this.send(operations.finishCalendarConnection, { provider }, undefined, options)
  }

  /**
   * Connect a CalDAV account.
   *
   * Finds the calendars of the account. Nothing is read from them until some are selected. An account that is already connected is authorized again: the answer is 200 with the same `id`.
   *
   * `POST /v1/calendar-connections/caldav`
   */
  connectCaldav(body: ConnectCaldavAccountBody, options: ConnectCaldavAccountOptions & { dry_run: true }): Call<DryRun>
  connectCaldav(body: ConnectCaldavAccountBody, options?: ConnectCaldavAccountOptions): Call<CalendarConnectionDetail>
  connectCaldav(body: ConnectCaldavAccountBody, options?: ConnectCaldavAccountOptions): Call<any> {
    return this.send(operations.connectCaldavAccount, {}, body, options)
  }

  /**
   * List calendar connections.
   *
   * Newest first.
   *
   * `GET /v1/calendar-connections`
   */
  list(options?: ListCalendarConnectionsOptions): PagedCall<CalendarConnection, {
    data: CalendarConnection[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listCalendarConnections, {}, undefined, options)
  }

  /**
   * Read a calendar connection with its calendars.
   *
   * At most 250 calendars are kept of an account.
   *
   * `GET /v1/calendar-connections/{id}`
   */
  get(id: string, options?: GetCalendarConnectionOptions): Call<CalendarConnectionDetail> {
    return this.send(operations.getCalendarConnection, { id }, undefined, options)
  }

  /**
   * Select calendars, or change what a connection is for.
   *
   * A calendar that is unselected leaves all grants, and its copy is erased. A grant that is left without calendars is removed.
   *
   * `PATCH /v1/calendar-connections/{id}`
   */
  update(id: string, body: UpdateCalendarConnectionBody, options: UpdateCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateCalendarConnectionBody, options?: UpdateCalendarConnectionOptions): Call<{
    id: string
    status: "active" | "paused" | "reauthorization_required" | "disconnected"
  }>
  update(id: string, body: UpdateCalendarConnectionBody, options?: UpdateCalendarConnectionOptions): Call<any> {
    return this.send(operations.updateCalendarConnection, { id }, body, options)
  }

  /**
   * Disconnect an account.
   *
   * It leaves all grants, and everything that was stored of it is erased. Published copies of events that have not ended are withdrawn within 10 minutes, unless `keep_published=true`.
   *
   * `DELETE /v1/calendar-connections/{id}`
   */
  delete(id: string, options: DeleteCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteCalendarConnectionOptions): Call<void>
  delete(id: string, options?: DeleteCalendarConnectionOptions): Call<any> {
    return this.send(operations.deleteCalendarConnection, { id }, undefined, options)
  }

  /**
   * Read the selected calendars now.
   *
   * Answers when they have been read, after 10 seconds at most. Takes no body.
   *
   * `POST /v1/calendar-connections/{id}/refresh`
   */
  refresh(id: string, options: RefreshCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  refresh(id: string, options?: RefreshCalendarConnectionOptions): Call<{
    status: "current" | "partial"
    /** How many selected calendars were read. */
    synced_calendars: number
  }>
  refresh(id: string, options?: RefreshCalendarConnectionOptions): Call<any> {
    return this.send(operations.refreshCalendarConnection, { id }, undefined, options)
  }

  /**
   * Authorize the account of a connection again.
   *
   * With the password of the same CalDAV account; or, at other providers, by sending the human to `authorization_url`, with further `capabilities` if they are needed. Another account changes nothing: with CalDAV it is `conflict`, code `account_mismatch`.
   *
   * `POST /v1/calendar-connections/{id}/reauthorize`
   */
  reauthorize(id: string, body: ReauthorizeCalendarConnectionBody, options: ReauthorizeCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  reauthorize(id: string, body: ReauthorizeCalendarConnectionBody, options?: ReauthorizeCalendarConnectionOptions): Call<{
    id: string
    status: "active" | "paused" | "reauthorization_required" | "disconnected"
  } | {
    authorization_url: string
  }>
  reauthorize(id: string, body: ReauthorizeCalendarConnectionBody, options?: ReauthorizeCalendarConnectionOptions): Call<any> {
    return this.send(operations.reauthorizeCalendarConnection, { id }, body, options)
  }

  /**
   * Pause the reading of an account.
   *
   * Its busy time counts as stale from now on, so agents offer no times. Takes no body.
   *
   * `POST /v1/calendar-connections/{id}/pause`
   */
  pause(id: string, options: PauseCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  pause(id: string, options?: PauseCalendarConnectionOptions): Call<{
    id: string
    status: "active" | "paused" | "reauthorization_required" | "disconnected"
  }>
  pause(id: string, options?: PauseCalendarConnectionOptions): Call<any> {
    return this.send(operations.pauseCalendarConnection, { id }, undefined, options)
  }

  /**
   * Read a paused account again.
   *
   * Takes no body.
   *
   * `POST /v1/calendar-connections/{id}/resume`
   */
  resume(id: string, options: ResumeCalendarConnectionOptions & { dry_run: true }): Call<DryRun>
  resume(id: string, options?: ResumeCalendarConnectionOptions): Call<{
    id: string
    status: "active" | "paused" | "reauthorization_required" | "disconnected"
  }>
  resume(id: string, options?: ResumeCalendarConnectionOptions): Call<any> {
    return this.send(operations.resumeCalendarConnection, { id }, undefined, options)
  }
}
