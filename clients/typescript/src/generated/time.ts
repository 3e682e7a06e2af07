// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Time } from './schemas.ts'

export type GetTimeOptions = ReadOptions & {
  tz: string
  /** A time other than now. */
  at?: Moment
}

export class TimeGroup extends Group {
  /**
   * Read the time in a zone.
   *
   * `now` is always the time of the service. The rest is about now, or about `at`: the local time, its ISO week, and the next moment at which clocks change in the zone.
   *
   * `GET /v1/time`
   */
  get(options: GetTimeOptions): Call<Time> {
    return this.send(operations.getTime, {}, undefined, options)
  }
}
