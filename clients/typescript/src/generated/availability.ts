// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment, WithLocal } from '../localTime.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Availability, AvailabilityCheck } from './schemas.ts'

export type GetCalendarAvailabilityOptions = ReadOptions & {
  start: Moment
  /** After start. */
  end: Moment
  /** Length of a slot; 30m by default. */
  duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  /**
   * The former name of duration.
   * @deprecated
   */
  slot_duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  include_busy?: boolean
  /** Use old copies of external calendars. Only for exploring, never for booking. */
  allow_stale?: boolean
  /** Adds `blocked` and `empty_reason`. */
  explain?: boolean
  /** Adds this many of the best times, by `rank`. */
  best?: number
  /** `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`. */
  rank?: "soonest" | "compact" | "spread"
  /** The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`. */
  step?: "5" | "10" | "15" | "30" | "60"
  /** Times of day that are preferred. Needs `best`. */
  prefer?: string
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
}

export type GetAgentAvailabilityOptions = ReadOptions & {
  start: Moment
  /** After start. */
  end: Moment
  /** Length of a slot; 30m by default. */
  duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  /**
   * The former name of duration.
   * @deprecated
   */
  slot_duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  include_busy?: boolean
  /** Use old copies of external calendars. Only for exploring, never for booking. */
  allow_stale?: boolean
  /** Adds `blocked` and `empty_reason`. */
  explain?: boolean
  /** Adds this many of the best times, by `rank`. */
  best?: number
  /** `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`. */
  rank?: "soonest" | "compact" | "spread"
  /** The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`. */
  step?: "5" | "10" | "15" | "30" | "60"
  /** Times of day that are preferred. Needs `best`. */
  prefer?: string
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
}

export type GetAvailabilityOptions = ReadOptions & {
  start: Moment
  /** After start. */
  end: Moment
  /** Length of a slot; 30m by default. */
  duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  /**
   * The former name of duration.
   * @deprecated
   */
  slot_duration?: "15m" | "30m" | "45m" | "1h" | "2h"
  include_busy?: boolean
  /** Use old copies of external calendars. Only for exploring, never for booking. */
  allow_stale?: boolean
  /** Adds `blocked` and `empty_reason`. */
  explain?: boolean
  /** Adds this many of the best times, by `rank`. */
  best?: number
  /** `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`. */
  rank?: "soonest" | "compact" | "spread"
  /** The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`. */
  step?: "5" | "10" | "15" | "30" | "60"
  /** Times of day that are preferred. Needs `best`. */
  prefer?: string
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** Slots at which all of these agents are free. */
  agents: string | readonly string[]
  /** Only these calendars count. An agent that owns none of them counts as free. */
  calendars?: string | readonly string[]
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
}

export type CheckCalendarAvailabilityOptions = ReadOptions & {
  start: Moment
  /** After start. */
  end: Moment
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
}

export type CheckAgentAvailabilityOptions = ReadOptions & {
  start: Moment
  /** After start. */
  end: Moment
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
}

export class AvailabilityGroup extends Group {
  /**
   * When a calendar is free.
   *
   * Slots of `duration` follow each other from the start of each free period. The window is at most 366 days.
   *
   * Busy is every `confirmed` or `tentative` event and every active hold, imported ones included, with the calendar's buffers, and all time outside its working hours. `include_busy` lists it in `busy`.
   *
   * `explain=true` says why the rest of the window is not free, `best` proposes the best times.
   *
   * Book only while `availability_state` is `complete`.
   *
   * `GET /v1/calendars/{id}/availability`
   */
  getForCalendar(id: string, options: GetCalendarAvailabilityOptions & { view: 'local' }): Call<WithLocal<Availability>>
  getForCalendar(id: string, options: GetCalendarAvailabilityOptions): Call<Availability>
  getForCalendar(id: string, options: GetCalendarAvailabilityOptions): Call<any> {
    return this.send(operations.getCalendarAvailability, { id }, undefined, options)
  }

  /**
   * When an agent is free on all its calendars.
   *
   * Free means free on every calendar that the agent owns, each with its own buffers and working hours. An agent without calendars is always free. The window is at most 366 days. `include_busy` lists the busy time in `per_agent_busy`.
   *
   * `GET /v1/agents/{id}/availability`
   */
  getForAgent(id: string, options: GetAgentAvailabilityOptions & { view: 'local' }): Call<WithLocal<Availability>>
  getForAgent(id: string, options: GetAgentAvailabilityOptions): Call<Availability>
  getForAgent(id: string, options: GetAgentAvailabilityOptions): Call<any> {
    return this.send(operations.getAgentAvailability, { id }, undefined, options)
  }

  /**
   * When several agents are all free.
   *
   * `agents` is a comma-separated list of ids. The plan limits how many agents (20 on pro) and how long a window (90 days) a request may name; beyond that it is `bad_request`. `calendars` restricts the query to these calendars; an agent that owns none of them counts as free. Calendars without an agent are not considered.
   *
   * `GET /v1/availability`
   */
  get(options: GetAvailabilityOptions & { view: 'local' }): Call<WithLocal<Availability>>
  get(options: GetAvailabilityOptions): Call<Availability>
  get(options: GetAvailabilityOptions): Call<any> {
    return this.send(operations.getAvailability, {}, undefined, options)
  }

  /**
   * Whether a time is free on a calendar.
   *
   * `blocked_by` names what is in the way, `free_from` and `next_free` say when the same length is free. The answer is that of the availability of the same calendars. The time is at most 366 days long.
   *
   * `GET /v1/calendars/{id}/availability/check`
   */
  checkForCalendar(id: string, options: CheckCalendarAvailabilityOptions & { view: 'local' }): Call<WithLocal<AvailabilityCheck>>
  checkForCalendar(id: string, options: CheckCalendarAvailabilityOptions): Call<AvailabilityCheck>
  checkForCalendar(id: string, options: CheckCalendarAvailabilityOptions): Call<any> {
    return this.send(operations.checkCalendarAvailability, { id }, undefined, options)
  }

  /**
   * Whether a time is free on all calendars of an agent.
   *
   * `blocked_by` names what is in the way, `free_from` and `next_free` say when the same length is free. The answer is that of the availability of the same calendars. The time is at most 366 days long.
   *
   * `GET /v1/agents/{id}/availability/check`
   */
  checkForAgent(id: string, options: CheckAgentAvailabilityOptions & { view: 'local' }): Call<WithLocal<AvailabilityCheck>>
  checkForAgent(id: string, options: CheckAgentAvailabilityOptions): Call<AvailabilityCheck>
  checkForAgent(id: string, options: CheckAgentAvailabilityOptions): Call<any> {
    return this.send(operations.checkAgentAvailability, { id }, undefined, options)
  }
}
