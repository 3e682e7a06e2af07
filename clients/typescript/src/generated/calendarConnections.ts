// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { DryRun, ExternalDestination } from './schemas.ts'

export type GetExternalDestinationOptions = ReadOptions

export type SetExternalDestinationBody = {
  /** A calendar that can be written to. */
  external_calendar_id: string
  /** Which events are published: `confirmed` ones, or `tentative` ones too. */
  policy?: "confirmed" | "confirmed_tentative"
}

export type SetExternalDestinationOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteExternalDestinationOptions = WriteOptions & {
  /** Leaves the copies of events that have not ended in the external calendar. */
  keep_published?: boolean
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ReceiveGooglePushOptions = ReadOptions

export type ReceiveMicrosoftPushOptions = ReadOptions & {
  validationToken?: unknown
}

export class CalendarConnectionsGroup extends Group {
  /**
   * Read where the events of a calendar are published to.
   *
   * `data` is null if they are published nowhere.
   *
   * `GET /v1/calendars/{id}/external-destination`
   */
  getExternalDestination(id: string, options?: GetExternalDestinationOptions): Call<{
    data: ExternalDestination | null
  }> {
    return this.send(operations.getExternalDestination, { id }, undefined, options)
  }

  /**
   * Publish the events of a calendar into an external calendar.
   *
   * Events that end in the future are published, and follow every change. Nothing comes back: a copy that the human moved is written over when its event changes, one that they deleted stays deleted until the event gets another start, end or rule.
   *
   * Setting another external calendar withdraws the copies from the previous one. Setting the same one again repairs failed copies.
   *
   * `PUT /v1/calendars/{id}/external-destination`
   */
  setExternalDestination(id: string, body: SetExternalDestinationBody, options: SetExternalDestinationOptions & { dry_run: true }): Call<DryRun>
  setExternalDestination(id: string, body: SetExternalDestinationBody, options?: SetExternalDestinationOptions): Call<ExternalDestination>
  setExternalDestination(id: string, body: SetExternalDestinationBody, options?: SetExternalDestinationOptions): Call<any> {
    return this.send(operations.setExternalDestination, { id }, body, options)
  }

  /**
   * Stop publishing the events of a calendar.
   *
   * Copies that have not ended are withdrawn, unless `keep_published=true`. Past ones stay. Answers 204 also if there is no destination.
   *
   * `DELETE /v1/calendars/{id}/external-destination`
   */
  deleteExternalDestination(id: string, options: DeleteExternalDestinationOptions & { dry_run: true }): Call<DryRun>
  deleteExternalDestination(id: string, options?: DeleteExternalDestinationOptions): Call<void>
  deleteExternalDestination(id: string, options?: DeleteExternalDestinationOptions): Call<any> {
    return this.send(operations.deleteExternalDestination, { id }, undefined, options)
  }

  /**
   * The address that Google sends messages about changes to.
   *
   * Google calls it, not you. The channel and its secret are in headers; the body is not read. The answer is always the same.
   *
   * `POST /v1/calendar-connections/push/google`
   */
  receiveGooglePush(options?: ReceiveGooglePushOptions): Call<void> {
    return this.send(operations.receiveGooglePush, {}, undefined, options)
  }

  /**
   * The address that Microsoft sends messages about changes to.
   *
   * Microsoft calls it, not you. The answer is always 202. While a channel is being made, its `validationToken` is answered as text.
   *
   * `POST /v1/calendar-connections/push/microsoft/{channel}`
   */
  receiveMicrosoftPush(channel: string, options?: ReceiveMicrosoftPushOptions): Call<string> {
    return this.send(operations.receiveMicrosoftPush, { channel }, undefined, options)
  }
}
