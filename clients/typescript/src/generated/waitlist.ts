// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Waitlisted } from './schemas.ts'

export type JoinWaitlistBody = {
  email: string
  name?: string
  tos_version?: string
}

export type JoinWaitlistOptions = ReadOptions

export class WaitlistGroup extends Group {
  /**
   * Join the waitlist.
   *
   * 201 for a new entry, 200 if the address is already on the waitlist. No key is created. A new entry is confirmed by mail; another mail follows when an administrator activates the organization.
   *
   * `POST /v1/waitlist`
   */
  join(body: JoinWaitlistBody, options?: JoinWaitlistOptions): Call<Waitlisted> {
    return this.send(operations.joinWaitlist, {}, body, options)
  }
}
