// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment, WithLocal } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ChangedEvent, ChangedEventInstance, DeletedEvent, DryRun, EventHistoryEntry, EventInstance, EventPage, SplitSeries } from './schemas.ts'

export type CreateEventBody = {
  title: string
  start_time: Moment
  end_time: Moment
  /** A checksum: the weekday of the start, on the wall clock of its zone. Not stored. */
  weekday?: string
  description?: string
  all_day?: boolean
  status?: "confirmed" | "tentative" | "cancelled" | "hold"
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
  /** Minutes before the start, at most 5 of them. null inherits, [] means none. */
  reminders?: number[] | null
  /** RRULE subset, without the RRULE: prefix. */
  recurrence_rule?: string
  /** Only with a rule: the series repeats by the clock of this zone. null: in UTC. */
  recurrence_timezone?: string | null
  /** Only with a rule: starts beside those of the rule, none before `start_time`. */
  recurrence_rdates?: Moment[]
  /** Required for a hold: 30 s to 15 min ahead. */
  hold_expires_at?: Moment
  /** With a hold, 0 unless given: a higher one ends the holds it overlaps, an equal one is refused. */
  hold_priority?: number
  /** Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored. */
  require_free?: boolean
  location?: string
  /** How to join it as a call. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** `transparent`: it takes no time. Availability, buffers and `require_free` of others pass over it. */
  transparency?: "opaque" | "transparent"
  /** `private`: calendar feeds and published copies show only that the time is taken. */
  visibility?: "default" | "private"
  /** Distinct texts, at most 20. [] clears. */
  labels?: string[]
  /** A CSS3 colour name in small letters. */
  color?: string
  /** Addresses beside the event, at most 20. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
}

export type CreateEventOptions = WriteOptions & {
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
}

export type ListEventsOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** First start that is listed. */
  start_after?: Moment
  /** First start that is not listed any more. */
  start_before?: Moment
  status?: "confirmed" | "tentative" | "cancelled" | "hold"
  source?: "internal" | "external_ical"
  /** Only events that have exactly this label. */
  label?: string
  /** Needs both bounds, at most 366 days apart: series come as their occurrences. */
  expand?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type ListAgentEventsOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** First start that is listed. */
  start_after?: Moment
  /** First start that is not listed any more. */
  start_before?: Moment
  status?: "confirmed" | "tentative" | "cancelled" | "hold"
  source?: "internal" | "external_ical"
  /** Only events that have exactly this label. */
  label?: string
  /** Needs both bounds, at most 366 days apart: series come as their occurrences. */
  expand?: boolean
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type GetEventOptions = ReadOptions & {
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type UpdateEventBody = {
  title?: string
  /** null clears */
  description?: string | null
  start_time?: Moment
  end_time?: Moment
  /** A checksum: the weekday of the start, on the wall clock of its zone. Not stored. */
  weekday?: string
  all_day?: boolean
  status?: "confirmed" | "tentative" | "cancelled"
  /** Replaces the whole object. */
  metadata?: Record<string, unknown>
  /** Replaces; null inherits again, [] means none. */
  reminders?: number[] | null
  /** Of the whole series; null makes it a one-off. */
  recurrence_rule?: string | null
  /** Only with a rule: the series repeats by the clock of this zone. null: in UTC. */
  recurrence_timezone?: string | null
  /** Only with a rule: starts beside those of the rule, none before `start_time`. */
  recurrence_rdates?: Moment[]
  /** Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored. */
  require_free?: boolean
  /** null clears. */
  location?: string | null
  /** Replaces the whole object; null clears. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  } | null
  /** null: `opaque`. */
  transparency?: "opaque" | "transparent" | null
  /** null: `default`. */
  visibility?: "default" | "private" | null
  /** Replaces all; null and [] clear. */
  labels?: string[] | null
  /** null clears. */
  color?: string | null
  /** Replaces all; null and [] clear. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[] | null
}

export type UpdateEventOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** With `occurrence_start`: this occurrence and those after it. */
  scope?: "following"
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
}

export type DeleteEventOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** With `occurrence_start`: the occurrence is not cancelled, but as the series has it again. */
  revert?: boolean
  /** With `occurrence_start`: this occurrence and those after it. */
  scope?: "following"
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
}

export type GetEventByIdOptions = ReadOptions & {
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type UpdateEventByIdBody = {
  title?: string
  /** null clears */
  description?: string | null
  start_time?: Moment
  end_time?: Moment
  /** A checksum: the weekday of the start, on the wall clock of its zone. Not stored. */
  weekday?: string
  all_day?: boolean
  status?: "confirmed" | "tentative" | "cancelled"
  /** Replaces the whole object. */
  metadata?: Record<string, unknown>
  /** Replaces; null inherits again, [] means none. */
  reminders?: number[] | null
  /** Of the whole series; null makes it a one-off. */
  recurrence_rule?: string | null
  /** Only with a rule: the series repeats by the clock of this zone. null: in UTC. */
  recurrence_timezone?: string | null
  /** Only with a rule: starts beside those of the rule, none before `start_time`. */
  recurrence_rdates?: Moment[]
  /** Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored. */
  require_free?: boolean
  /** null clears. */
  location?: string | null
  /** Replaces the whole object; null clears. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  } | null
  /** null: `opaque`. */
  transparency?: "opaque" | "transparent" | null
  /** null: `default`. */
  visibility?: "default" | "private" | null
  /** Replaces all; null and [] clear. */
  labels?: string[] | null
  /** null clears. */
  color?: string | null
  /** Replaces all; null and [] clear. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[] | null
}

export type UpdateEventByIdOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** With `occurrence_start`: this occurrence and those after it. */
  scope?: "following"
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
}

export type DeleteEventByIdOptions = WriteOptions & {
  /** A `conflict` also says what is in the way and when it would be free. */
  explain?: boolean
  /** Only this occurrence of a series, by the start that the series gives it. */
  occurrence_start?: Moment
  /** With `occurrence_start`: the occurrence is not cancelled, but as the series has it again. */
  revert?: boolean
  /** With `occurrence_start`: this occurrence and those after it. */
  scope?: "following"
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
}

export type ListOverlappingEventsOptions = ReadOptions & {
  /** Separated by commas, at most 50. */
  calendar_ids: string | readonly string[]
  /** Leaves out what has ended by then. */
  start: Moment
  /** Leaves out what starts then or later. At most 366 days after `start`. */
  end: Moment
  limit?: number
  /** The `next_cursor` of the page before. */
  cursor?: string
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`, and required then: the zone. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type ListDeletedEventsOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone. */
  view?: "local"
  /** Only with `view=local`: the zone, if not that of the calendar. */
  tz?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type RestoreEventBody = {
  /** Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored. */
  require_free?: boolean
  /** Of a series that is there: takes back the cancellation of this one occurrence, by the start that the series gives it. */
  occurrence_start?: Moment
}

export type RestoreEventOptions = WriteOptions & {
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
}

export type GetEventHistoryOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export class EventsGroup extends Group {
  /**
   * Create an event or place a hold.
   *
   * Without `status` the event is `confirmed`. Events may overlap: only holds are checked, and only against other holds. With `require_free`, the event is refused (`not_free`) unless its time is free by the rules of availability: of two requests that both ask for it, one gets the time.
   *
   * **Holds** (`status: hold`, paid plans) need `hold_expires_at`, 30 seconds to 15 minutes from now. An active hold with the same or a higher `hold_priority` at an overlapping time refuses a new one (`hold_conflict`); the new hold ends active holds with a lower priority. Holds do not block events with another status.
   *
   * **Reminders** fire only for `confirmed` events. If `reminders` is null or absent, the calendar's apply, or one 10 minutes before; `[]` means none.
   *
   * **Series** have a `recurrence_rule`: `FREQ` (DAILY, WEEKLY, MONTHLY, YEARLY), `INTERVAL` 1–99, `COUNT` 1–730 or `UNTIL`, `BYDAY` (weekly `MO,WE`; monthly a single one such as `2TU` or `-1FR`), `BYMONTHDAY` 1–28 or -1. `start_time` must match the rule. A series repeats in UTC, so its local hour shifts when clocks change, unless it has a `recurrence_timezone`: then it repeats by that clock, `BYDAY`, `BYMONTHDAY` and `UNTIL=YYYYMMDD` mean local days, and `start_time` must match the rule there. A local time that clocks skip counts by the offset before the gap (02:30 becomes 03:30), one that comes twice is the first. `recurrence_rdates` are up to 100 further starts, whatever `COUNT` says.
   *
   * A single event and a whole series each use one of the month's events.
   *
   * `POST /v1/calendars/{cal_id}/events`
   */
  create(calId: string, body: CreateEventBody, options: CreateEventOptions & { dry_run: true }): Call<DryRun>
  create(calId: string, body: CreateEventBody, options: CreateEventOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  create(calId: string, body: CreateEventBody, options?: CreateEventOptions): Call<ChangedEvent>
  create(calId: string, body: CreateEventBody, options?: CreateEventOptions): Call<any> {
    return this.send(operations.createEvent, { cal_id: calId }, body, options)
  }

  /**
   * List the events of a calendar.
   *
   * Ordered by start, then by id. Cancelled events are listed, deleted ones are not.
   *
   * `start_after` is inclusive, `start_before` is exclusive, and both apply to the start: an event that began before `start_after` is left out even if it still lasts.
   *
   * A series is one item, at its first start; `expand=true` lists its occurrences instead. They share the `id` of the series and differ in `originalStartTime`.
   *
   * `GET /v1/calendars/{cal_id}/events`
   */
  list(calId: string, options: ListEventsOptions & { view: 'local' }): PagedCall<WithLocal<EventInstance>, WithLocal<{
    data: EventInstance[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  list(calId: string, options?: ListEventsOptions): PagedCall<EventInstance, {
    data: EventInstance[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  list(calId: string, options?: ListEventsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listEvents, { cal_id: calId }, undefined, options)
  }

  /**
   * List the events of all an agent's calendars.
   *
   * Takes the same parameters as the list of one calendar, and orders all events together by start, then by id. Calendars without an agent are not included.
   *
   * `GET /v1/agents/{agent_id}/events`
   */
  listForAgent(agentId: string, options: ListAgentEventsOptions & { view: 'local' }): PagedCall<WithLocal<EventInstance>, WithLocal<{
    data: EventInstance[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  listForAgent(agentId: string, options?: ListAgentEventsOptions): PagedCall<EventInstance, {
    data: EventInstance[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  listForAgent(agentId: string, options?: ListAgentEventsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listAgentEvents, { agent_id: agentId }, undefined, options)
  }

  /**
   * Read an event.
   *
   * A series reads as one event: the times of its first occurrence, its rule and its cancelled starts. A hold that has run out reads as `cancelled` from that moment. A deleted event is `not_found`. With `occurrence_start` one occurrence of a series is read; there being none is `not_found`.
   *
   * `GET /v1/calendars/{cal_id}/events/{id}`
   */
  get(calId: string, id: string, options: GetEventOptions & { ifNoneMatch: string }): Call<EventInstance | undefined>
  get(calId: string, id: string, options: GetEventOptions & { view: 'local' }): Call<WithLocal<EventInstance>>
  get(calId: string, id: string, options?: GetEventOptions): Call<EventInstance>
  get(calId: string, id: string, options?: GetEventOptions): Call<any> {
    return this.send(operations.getEvent, { cal_id: calId, id }, undefined, options)
  }

  /**
   * Change an event.
   *
   * Fields that are left out stay. `metadata` and `reminders` are replaced as a whole: a null `reminders` restores the calendar's, `[]` means none.
   *
   * A change to a series changes every occurrence. A new `recurrence_rule`, `recurrence_timezone` or `start_time` drops its cancelled starts; other `recurrence_rdates` keep those that are still starts; a null rule leaves a single event.
   *
   * With `occurrence_start`, the start that the series gives it, only that occurrence changes, and the answer is the occurrence. It keeps that start as its name, whatever its own times are. Later changes to the series reach it in every field that was not changed by itself; a new rule, zone or start of the series drops it. At most 730 occurrences of a series differ from it.
   *
   * With `scope=following` too, the series ends before that occurrence, and a new series begins there with the changes. It uses one of the month's events and a place under the cap of active series. Cancelled, single and edited occurrences from there on go along, moved by the same shift, where the new series still has them: with a null rule it happens once, and none is left. Of the first occurrence it is a change to the whole series.
   *
   * With `require_free`, the event as it would be is refused (`not_free`) unless its time is free by the rules of availability, itself left out. A change that cancels the event is not judged.
   *
   * Holds cannot be edited, and a cancelled event cannot get a new `status` (`invalid_transition`). Imported events are read-only (`external_event_readonly`).
   *
   * `PATCH /v1/calendars/{cal_id}/events/{id}`
   */
  update(calId: string, id: string, body: UpdateEventBody, options: UpdateEventOptions & { dry_run: true }): Call<DryRun>
  update(calId: string, id: string, body: UpdateEventBody, options: UpdateEventOptions & { view: 'local' }): Call<WithLocal<ChangedEventInstance | SplitSeries>>
  update(calId: string, id: string, body: UpdateEventBody, options?: UpdateEventOptions): Call<ChangedEventInstance | SplitSeries>
  update(calId: string, id: string, body: UpdateEventBody, options?: UpdateEventOptions): Call<any> {
    return this.send(operations.updateEvent, { cal_id: calId, id }, body, options)
  }

  /**
   * Delete an event, or cancel one occurrence.
   *
   * For a series, every occurrence is deleted. With `occurrence_start`, the exact start of one occurrence, only that occurrence is cancelled, and the answer is 200 with the updated series. With `revert=true` it is not cancelled: what was changed of it by itself is dropped, and it is as the series has it. With `scope=following` the series ends before the occurrence. The month's events are not given back.
   *
   * `DELETE /v1/calendars/{cal_id}/events/{id}`
   */
  delete(calId: string, id: string, options: DeleteEventOptions & { dry_run: true }): Call<DryRun>
  delete(calId: string, id: string, options: DeleteEventOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  delete(calId: string, id: string, options?: DeleteEventOptions): Call<ChangedEvent>
  delete(calId: string, id: string, options?: DeleteEventOptions): Call<any> {
    return this.send(operations.deleteEvent, { cal_id: calId, id }, undefined, options)
  }

  /**
   * Read an event, by its id alone.
   *
   * A series reads as one event: the times of its first occurrence, its rule and its cancelled starts. A hold that has run out reads as `cancelled` from that moment. A deleted event is `not_found`. With `occurrence_start` one occurrence of a series is read; there being none is `not_found`.
   *
   * `GET /v1/events/{id}`
   */
  getById(id: string, options: GetEventByIdOptions & { ifNoneMatch: string }): Call<EventInstance | undefined>
  getById(id: string, options: GetEventByIdOptions & { view: 'local' }): Call<WithLocal<EventInstance>>
  getById(id: string, options?: GetEventByIdOptions): Call<EventInstance>
  getById(id: string, options?: GetEventByIdOptions): Call<any> {
    return this.send(operations.getEventById, { id }, undefined, options)
  }

  /**
   * Change an event, by its id alone.
   *
   * Fields that are left out stay. `metadata` and `reminders` are replaced as a whole: a null `reminders` restores the calendar's, `[]` means none.
   *
   * A change to a series changes every occurrence. A new `recurrence_rule`, `recurrence_timezone` or `start_time` drops its cancelled starts; other `recurrence_rdates` keep those that are still starts; a null rule leaves a single event.
   *
   * With `occurrence_start`, the start that the series gives it, only that occurrence changes, and the answer is the occurrence. It keeps that start as its name, whatever its own times are. Later changes to the series reach it in every field that was not changed by itself; a new rule, zone or start of the series drops it. At most 730 occurrences of a series differ from it.
   *
   * With `scope=following` too, the series ends before that occurrence, and a new series begins there with the changes. It uses one of the month's events and a place under the cap of active series. Cancelled, single and edited occurrences from there on go along, moved by the same shift, where the new series still has them: with a null rule it happens once, and none is left. Of the first occurrence it is a change to the whole series.
   *
   * With `require_free`, the event as it would be is refused (`not_free`) unless its time is free by the rules of availability, itself left out. A change that cancels the event is not judged.
   *
   * Holds cannot be edited, and a cancelled event cannot get a new `status` (`invalid_transition`). Imported events are read-only (`external_event_readonly`).
   *
   * `PATCH /v1/events/{id}`
   */
  updateById(id: string, body: UpdateEventByIdBody, options: UpdateEventByIdOptions & { dry_run: true }): Call<DryRun>
  updateById(id: string, body: UpdateEventByIdBody, options: UpdateEventByIdOptions & { view: 'local' }): Call<WithLocal<ChangedEventInstance | SplitSeries>>
  updateById(id: string, body: UpdateEventByIdBody, options?: UpdateEventByIdOptions): Call<ChangedEventInstance | SplitSeries>
  updateById(id: string, body: UpdateEventByIdBody, options?: UpdateEventByIdOptions): Call<any> {
    return this.send(operations.updateEventById, { id }, body, options)
  }

  /**
   * Delete an event, or cancel one occurrence, by its id alone.
   *
   * For a series, every occurrence is deleted. With `occurrence_start`, the exact start of one occurrence, only that occurrence is cancelled, and the answer is 200 with the updated series. With `revert=true` it is not cancelled: what was changed of it by itself is dropped, and it is as the series has it. With `scope=following` the series ends before the occurrence. The month's events are not given back.
   *
   * `DELETE /v1/events/{id}`
   */
  deleteById(id: string, options: DeleteEventByIdOptions & { dry_run: true }): Call<DryRun>
  deleteById(id: string, options: DeleteEventByIdOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  deleteById(id: string, options?: DeleteEventByIdOptions): Call<ChangedEvent>
  deleteById(id: string, options?: DeleteEventByIdOptions): Call<any> {
    return this.send(operations.deleteEventById, { id }, undefined, options)
  }

  /**
   * List what overlaps a window, over calendars.
   *
   * For showing days and weeks of several calendars: events, holds and imported events, and series as their occurrences, each edited one with its own times. Cancelled events and holds that have run out are left out.
   *
   * Includes what began before `start` and still lasts. Ordered by start, then by id, of all calendars together. Send `next_cursor` as `cursor`, with the same other parameters, for the next page. An event that is there all the while is on exactly one page, whatever else changes.
   *
   * `GET /v1/events`
   */
  listOverlapping(options: ListOverlappingEventsOptions & { view: 'local' }): Call<WithLocal<EventPage>>
  listOverlapping(options: ListOverlappingEventsOptions): Call<EventPage>
  listOverlapping(options: ListOverlappingEventsOptions): Call<any> {
    return this.send(operations.listOverlappingEvents, {}, undefined, options)
  }

  /**
   * List the deleted events of a calendar.
   *
   * Those of the last 30 days, the latest first. Until `restorable_until` an event can be restored; then it is gone, with its texts. A series is one item. Holds and imported events are left out. A calendar that is deleted takes its trash along.
   *
   * `GET /v1/calendars/{id}/deleted-events`
   */
  listDeleted(id: string, options: ListDeletedEventsOptions & { view: 'local' }): PagedCall<WithLocal<DeletedEvent>, WithLocal<{
    data: DeletedEvent[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>>
  listDeleted(id: string, options?: ListDeletedEventsOptions): PagedCall<DeletedEvent, {
    data: DeletedEvent[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }>
  listDeleted(id: string, options?: ListDeletedEventsOptions): PagedCall<any, any> {
    return this.sendPaged(operations.listDeletedEvents, { id }, undefined, options)
  }

  /**
   * Restore a deleted event, or a cancelled occurrence.
   *
   * The event comes back under its id, as it was, a series with its edited occurrences. It is judged anew, as a new one would be: by the guardrails of the key, the cap of active series and the rules of the plan, and with `require_free` by availability. It uses none of the month's events. A cancelled event stays cancelled. Starts, ends and reminders that lie ahead fire again.
   *
   * Webhooks get `event.created` with `restored: true`. An event that is there is refused (`not_deleted`), and so are bookings, holds and imported events (`not_restorable`). `If-Match` compares with the record that the list of deleted events shows.
   *
   * With `occurrence_start`, the start that the series gives it, one cancelled occurrence of a series that is there happens again: the answer is the series, and webhooks get `event.updated`.
   *
   * `POST /v1/events/{id}/restore`
   */
  restore(id: string, body: RestoreEventBody, options: RestoreEventOptions & { dry_run: true }): Call<DryRun>
  restore(id: string, body: RestoreEventBody, options: RestoreEventOptions & { view: 'local' }): Call<WithLocal<ChangedEvent>>
  restore(id: string, body: RestoreEventBody, options?: RestoreEventOptions): Call<ChangedEvent>
  restore(id: string, body: RestoreEventBody, options?: RestoreEventOptions): Call<any> {
    return this.send(operations.restoreEvent, { id }, body, options)
  }

  /**
   * Read the changes of an event, and who made them.
   *
   * The newest first, as long as the change feed keeps entries; also of a deleted event, while it can be restored. Each change is compared with the one before of the same event or occurrence, the first of an occurrence with its series. The oldest entry that is kept cannot be compared, unless it is a creation: its `changes` are null, and it is `incomplete`. Starts, ends and reminders are left out.
   *
   * `GET /v1/events/{id}/history`
   */
  getHistory(id: string, options?: GetEventHistoryOptions): PagedCall<EventHistoryEntry, {
    data: EventHistoryEntry[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.getEventHistory, { id }, undefined, options)
  }
}
