// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { WithLocal } from '../localTime.ts'
import type { WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ChangedEvent, DryRun } from './schemas.ts'

export type ConfirmHoldOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** Refuse it with `not_free` unless its time is free by the rules of availability. */
  require_free?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
  /** `*`: only if none exists yet. */
  ifNoneMatch?: string
}

export type ReleaseHoldOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
  /** `*`: only if none exists yet. */
  ifNoneMatch?: string
}

export class HoldsGroup extends Group {
  /**
   * Confirm a hold.
   *
   * Takes no body. The hold must be active: `conflict` has the code `hold_expired` if it has run out, and `not_a_hold` if it was confirmed, released or pre-empted, and `hold_in_group` if it belongs to a hold group. The event keeps its id. Nothing else on the calendar is checked unless `require_free=true`: then the time must be free by the rules of availability (`not_free`).
   *
   * `PUT /v1/events/{id}/confirm`
   */
  confirm(id: string, options: ConfirmHoldOptions & { dry_run: true }): Call<DryRun>
  confirm(id: string, options: ConfirmHoldOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  confirm(id: string, options?: ConfirmHoldOptions): Call<ChangedEvent>
  confirm(id: string, options?: ConfirmHoldOptions): Call<any> {
    return this.send(operations.confirmHold, { id }, undefined, options)
  }

  /**
   * Release a hold.
   *
   * Takes no body. The hold becomes `cancelled`, and other holds can use its time at once. Fails if the hold has run out (`hold_expired`) or ended in another way (`not_a_hold`). A hold of a group is released with its group (`hold_in_group`).
   *
   * `PUT /v1/events/{id}/release`
   */
  release(id: string, options: ReleaseHoldOptions & { dry_run: true }): Call<DryRun>
  release(id: string, options: ReleaseHoldOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  release(id: string, options?: ReleaseHoldOptions): Call<ChangedEvent>
  release(id: string, options?: ReleaseHoldOptions): Call<any> {
    return this.send(operations.releaseHold, { id }, undefined, options)
  }
}
