// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'

export type ReceiveGooglePushOptions = ReadOptions

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
}
