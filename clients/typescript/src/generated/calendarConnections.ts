// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'

export type ReceiveGooglePushOptions = ReadOptions

export type ReceiveMicrosoftPushOptions = ReadOptions & {
  validationToken?: unknown
}

export class CalendarConnectionsGroup extends Group {
  /**
   * The address that Google sends messages about changes to.
   *
   * Google calls it, not you. The channel and its secret are in headers; the body is not read. The answer is the same whatever was sent.
   *
   * `POST /v1/calendar-connections/push/google`
   */
  receiveGooglePush(options?: ReceiveGooglePushOptions): Call<void> {
    return this.send(operations.receiveGooglePush, {}, undefined, options)
  }

  /**
   * The address that Microsoft sends messages about changes to.
   *
   * Microsoft calls it, not you. The answer is 202 whatever was sent. While a channel is being made, its `validationToken` is answered as text.
   *
   * `POST /v1/calendar-connections/push/microsoft/{channel}`
   */
  receiveMicrosoftPush(channel: string, options?: ReceiveMicrosoftPushOptions): Call<string> {
    return this.send(operations.receiveMicrosoftPush, { channel }, undefined, options)
  }
}
