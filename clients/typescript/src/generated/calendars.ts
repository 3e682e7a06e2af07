// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { WithLocal } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { BusyFeed, Calendar, CalendarContext, DryRun } from './schemas.ts'

export type CreateCalendarBody = {
  name: string
  timezone: string
  /** Free text. The usual values are idle, working, waiting and error. */
  agent_status?: string
  /** Minutes before the start, at most 5 of them. null inherits, [] means none. */
  default_reminders?: number[] | null
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
}

export type CreateCalendarOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListCalendarsOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** Include the calendars of agents. */
  include?: "all"
  /** A part of the name, in upper or lower case. */
  query?: string
}

export type CreateAgentCalendarBody = {
  name: string
  timezone: string
  /** Free text. The usual values are idle, working, waiting and error. */
  agent_status?: string
  /** Minutes before the start, at most 5 of them. null inherits, [] means none. */
  default_reminders?: number[] | null
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
}

export type CreateAgentCalendarOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListAgentCalendarsOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type GetCalendarOptions = ReadOptions & {
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type UpdateCalendarBody = {
  name?: string
  timezone?: string
  /** Free text. The usual values are idle, working, waiting and error. */
  agent_status?: string
  /** Minutes before the start, at most 5 of them. null inherits, [] means none. */
  default_reminders?: number[] | null
  /** Replaces the whole object. */
  metadata?: Record<string, unknown>
}

export type UpdateCalendarOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type DeleteCalendarOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type ReplaceCalendarFeedAddressOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CreateBusyFeedOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetBusyFeedOptions = ReadOptions & {
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type DeleteBusyFeedOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type GetCalendarContextOptions = ReadOptions & {
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export class CalendarsGroup extends Group {
  /**
   * Create a calendar of the organization.
   *
   * It belongs to no agent: agent keys cannot use it, and the availability of agents ignores it. `default_reminders` apply to events without their own: null means one reminder 10 minutes before, `[]` means none.
   *
   * `POST /v1/calendars`
   */
  create(body: CreateCalendarBody, options: CreateCalendarOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateCalendarBody, options?: CreateCalendarOptions): Call<Calendar>
  create(body: CreateCalendarBody, options?: CreateCalendarOptions): Call<any> {
    return this.send(operations.createCalendar, {}, body, options)
  }

  /**
   * List calendars.
   *
   * Newest first. Without `include`, only the organization's own; `include=all` adds those of its agents. An agent key sees its agent's calendars in both cases.
   *
   * `GET /v1/calendars`
   */
  list(options?: ListCalendarsOptions): PagedCall<Calendar, {
    data: Calendar[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listCalendars, {}, undefined, options)
  }

  /**
   * Create a calendar of an agent.
   *
   * The agent must not be decommissioned; its keys may read and write the calendar. `default_reminders`: null means one reminder 10 minutes before, `[]` means none.
   *
   * `POST /v1/agents/{agent_id}/calendars`
   */
  createForAgent(agentId: string, body: CreateAgentCalendarBody, options: CreateAgentCalendarOptions & { dry_run: true }): Call<DryRun>
  createForAgent(agentId: string, body: CreateAgentCalendarBody, options?: CreateAgentCalendarOptions): Call<Calendar>
  createForAgent(agentId: string, body: CreateAgentCalendarBody, options?: CreateAgentCalendarOptions): Call<any> {
    return this.send(operations.createAgentCalendar, { agent_id: agentId }, body, options)
  }

  /**
   * List the calendars of an agent.
   *
   * Newest first, without deleted ones. Those of a decommissioned agent are still listed.
   *
   * `GET /v1/agents/{agent_id}/calendars`
   */
  listForAgent(agentId: string, options?: ListAgentCalendarsOptions): PagedCall<Calendar, {
    data: Calendar[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listAgentCalendars, { agent_id: agentId }, undefined, options)
  }

  /**
   * Read a calendar.
   *
   * `ical_url` is the public feed: anyone who has this address can read the calendar. A deleted calendar is `not_found`.
   *
   * `GET /v1/calendars/{id}`
   */
  get(id: string, options: GetCalendarOptions & { ifNoneMatch: string }): Call<Calendar | undefined>
  get(id: string, options?: GetCalendarOptions): Call<Calendar>
  get(id: string, options?: GetCalendarOptions): Call<any> {
    return this.send(operations.getCalendar, { id }, undefined, options)
  }

  /**
   * Change a calendar.
   *
   * Fields that are left out stay; `metadata` and `default_reminders` are replaced as a whole. A null `default_reminders` restores one reminder 10 minutes before; `[]` means none. `agent_status` may change from any value to any other, and has no effect. With another `timezone` all-day events stay on their dates: their times move, without `event.updated`. This is refused with `conflict` if they are more than 10,000, or if no rule keeps a series on its dates.
   *
   * `PATCH /v1/calendars/{id}`
   */
  update(id: string, body: UpdateCalendarBody, options: UpdateCalendarOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateCalendarBody, options?: UpdateCalendarOptions): Call<Calendar>
  update(id: string, body: UpdateCalendarBody, options?: UpdateCalendarOptions): Call<any> {
    return this.send(operations.updateCalendar, { id }, body, options)
  }

  /**
   * Delete a calendar and all its events.
   *
   * Its events, their timers and its feed go with it; subscriptions into it pause, and its booking pages close. No webhook event is sent for its events, and the month's events are not given back.
   *
   * `DELETE /v1/calendars/{id}`
   */
  delete(id: string, options: DeleteCalendarOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteCalendarOptions): Call<void>
  delete(id: string, options?: DeleteCalendarOptions): Call<any> {
    return this.send(operations.deleteCalendar, { id }, undefined, options)
  }

  /**
   * Replace the feed address of a calendar.
   *
   * The answer has the new `ical_url`. The old address is `not_found` at once, for everybody who reads it. Takes no body.
   *
   * `POST /v1/calendars/{id}/feed-address`
   */
  replaceFeedAddress(id: string, options: ReplaceCalendarFeedAddressOptions & { dry_run: true }): Call<DryRun>
  replaceFeedAddress(id: string, options?: ReplaceCalendarFeedAddressOptions): Call<Calendar>
  replaceFeedAddress(id: string, options?: ReplaceCalendarFeedAddressOptions): Call<any> {
    return this.send(operations.replaceCalendarFeedAddress, { id }, undefined, options)
  }

  /**
   * Make a busy feed of a calendar.
   *
   * A feed for people who may know when the calendar is busy, and nothing else: each event that blocks time is `Busy`, with its times and its rule, under a UID that says nothing. It has no title, no description, and not the name of the calendar. Each call makes a new address; the old one is `not_found` at once. Takes no body.
   *
   * `POST /v1/calendars/{id}/busy-feed`
   */
  createBusyFeed(id: string, options: CreateBusyFeedOptions & { dry_run: true }): Call<DryRun>
  createBusyFeed(id: string, options?: CreateBusyFeedOptions): Call<BusyFeed>
  createBusyFeed(id: string, options?: CreateBusyFeedOptions): Call<any> {
    return this.send(operations.createBusyFeed, { id }, undefined, options)
  }

  /**
   * Read the address of a busy feed.
   *
   * `not_found` if the calendar has none.
   *
   * `GET /v1/calendars/{id}/busy-feed`
   */
  getBusyFeed(id: string, options: GetBusyFeedOptions & { ifNoneMatch: string }): Call<BusyFeed | undefined>
  getBusyFeed(id: string, options?: GetBusyFeedOptions): Call<BusyFeed>
  getBusyFeed(id: string, options?: GetBusyFeedOptions): Call<any> {
    return this.send(operations.getBusyFeed, { id }, undefined, options)
  }

  /**
   * End the busy feed of a calendar.
   *
   * Its address is `not_found` at once. Without one nothing changes.
   *
   * `DELETE /v1/calendars/{id}/busy-feed`
   */
  deleteBusyFeed(id: string, options: DeleteBusyFeedOptions & { dry_run: true }): Call<DryRun>
  deleteBusyFeed(id: string, options?: DeleteBusyFeedOptions): Call<void>
  deleteBusyFeed(id: string, options?: DeleteBusyFeedOptions): Call<any> {
    return this.send(operations.deleteBusyFeed, { id }, undefined, options)
  }

  /**
   * The current event, the next ones and the last ones.
   *
   * A snapshot at `now`; it costs one API call and no other quota. `recent_events` are the last 3 that ended, newest first; `upcoming` are the next 5 that start within 24 hours. Series appear as occurrences; cancelled events are left out. If several events are in progress, `current_event` is the one that started last; null means none.
   *
   * `GET /v1/calendars/{id}/context`
   */
  getContext(id: string, options: GetCalendarContextOptions & { view: 'local' }): Call<WithLocal<CalendarContext>>
  getContext(id: string, options?: GetCalendarContextOptions): Call<CalendarContext>
  getContext(id: string, options?: GetCalendarContextOptions): Call<any> {
    return this.send(operations.getCalendarContext, { id }, undefined, options)
  }
}
