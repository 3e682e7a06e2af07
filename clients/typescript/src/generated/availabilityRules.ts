// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { AvailabilityRules, DayHours, DryRun } from './schemas.ts'

export type SetAvailabilityRulesBody = {
  buffer_before_minutes?: number
  buffer_after_minutes?: number
  /** null: no restriction. A day that is left out is not a working day. A list of stretches is in order and without overlap, and its last `end` may be `24:00`. */
  working_hours?: {
    mon?: DayHours | ({
      start: string
      end: string
    })[]
    tue?: DayHours | ({
      start: string
      end: string
    })[]
    wed?: DayHours | ({
      start: string
      end: string
    })[]
    thu?: DayHours | ({
      start: string
      end: string
    })[]
    fri?: DayHours | ({
      start: string
      end: string
    })[]
    sat?: DayHours | ({
      start: string
      end: string
    })[]
    sun?: DayHours | ({
      start: string
      end: string
    })[]
  } | null
  timezone?: string
  /** Days of `timezone` that have these hours alone, or none with `hours: []`. The ranges do not overlap; `to` is included. They go before holidays and the week. */
  dates?: ({
    from: string
    /** The last day; without it one day. */
    to?: string
    hours: ({
      start: string
      end: string
    })[]
    label?: string
  })[]
  /** Times at which nothing is free. */
  time_off?: ({
    start: Moment
    end: Moment
    label?: string
  })[]
  /** iCal subscriptions whose whole-day events close their days, unless `dates` names the day. */
  holiday_subscription_ids?: string[]
  /** Events and holds that start on a local day of `timezone`. With so many of them the day is closed. */
  max_meetings_per_day?: number
  /** Minutes that events and holds may take together on a local day of `timezone`. */
  max_busy_minutes_per_day?: number
}

export type SetAvailabilityRulesOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
  /** `*`: only if none exists yet. */
  ifNoneMatch?: string
}

export type GetAvailabilityRulesOptions = ReadOptions & {
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type RemoveAvailabilityRulesOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export class AvailabilityRulesGroup extends Group {
  /**
   * Set the availability rules of a calendar.
   *
   * Replaces all rules of the calendar: a rule that is left out gets its default. `working_hours` are wall-clock times in `timezone`; a day left out is closed, null means no restriction. The buffers extend every event. `dates` go before holidays, holidays before the week; time off closes besides. A daily limit that is reached closes the whole local day; limits count the busy events and active holds of this calendar alone. Rules affect only availability and booking pages: events may still be created at any time.
   *
   * `PUT /v1/calendars/{id}/availability-rules`
   */
  set(id: string, body: SetAvailabilityRulesBody, options: SetAvailabilityRulesOptions & { dry_run: true }): Call<DryRun>
  set(id: string, body: SetAvailabilityRulesBody, options?: SetAvailabilityRulesOptions): Call<AvailabilityRules>
  set(id: string, body: SetAvailabilityRulesBody, options?: SetAvailabilityRulesOptions): Call<any> {
    return this.send(operations.setAvailabilityRules, { id }, body, options)
  }

  /**
   * Read the availability rules of a calendar.
   *
   * `not_found` while no rules are set: the calendar then has no buffers and no working hours.
   *
   * `GET /v1/calendars/{id}/availability-rules`
   */
  get(id: string, options: GetAvailabilityRulesOptions & { ifNoneMatch: string }): Call<AvailabilityRules | undefined>
  get(id: string, options?: GetAvailabilityRulesOptions): Call<AvailabilityRules>
  get(id: string, options?: GetAvailabilityRulesOptions): Call<any> {
    return this.send(operations.getAvailabilityRules, { id }, undefined, options)
  }

  /**
   * Remove the availability rules of a calendar.
   *
   * The calendar then has no buffers and no working hours. `not_found` if no rules are set.
   *
   * `DELETE /v1/calendars/{id}/availability-rules`
   */
  remove(id: string, options: RemoveAvailabilityRulesOptions & { dry_run: true }): Call<DryRun>
  remove(id: string, options?: RemoveAvailabilityRulesOptions): Call<void>
  remove(id: string, options?: RemoveAvailabilityRulesOptions): Call<any> {
    return this.send(operations.removeAvailabilityRules, { id }, undefined, options)
  }
}
