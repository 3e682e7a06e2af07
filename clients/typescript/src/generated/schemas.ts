// Made from the API document by `npm run reference`. Do not edit.
import type { Moment } from '../localTime.ts'

export type CreateHoldGroup = {
  title: string
  description?: string
  start_time: Moment
  end_time: Moment
  /** 30 s to 15 min ahead. Required without `confirm`. */
  hold_expires_at?: Moment
  hold_priority?: number
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
  renewable?: boolean
  /** Until when the group may be renewed, at most 24 hours ahead. 4 hours unless given. */
  renew_until?: Moment
  /** Create confirmed events at once, without holds. */
  confirm?: boolean
  /** Only calendars count that are free by the rules of availability. If false, only other holds count. */
  require_free?: boolean
  requirements: ({
    calendar_ids: string[]
    /** How many of the calendars are needed. */
    need?: number
    /** How many more are held if their time is free. They are released when the group is confirmed. */
    spare?: number
    /** Instead of the group's. */
    start_time?: Moment
    end_time?: Moment
  })[]
}

export type ConfirmHoldGroup = {
  /** Calendars of members that become confirmed, at most `need` of a requirement. Without it the first ones are. */
  choose?: string[]
}

export type RenewHoldGroup = {
  /** 30 s to 15 min ahead, at most `renew_until`. */
  hold_expires_at: Moment
}

export type DayHours = {
  start: string
  end: string
}

export type CreateProposal = {
  title: string
  description?: string
  organizer_agent_id: string
  participant_agent_ids: string[]
  /** The calendar in which the event is created. */
  calendar_id: string
  slots: ({
    start_time: Moment
    end_time: Moment
    /** The score of the slot before any response. */
    weight?: number
    /** The calendar for this slot, if it is not that of the proposal. */
    calendar_id?: string
  })[]
  /** Must be in the future. Without it the proposal does not expire. */
  expires_at?: Moment
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
  location?: string
  /** How to join it as a call. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
}

export type Agent = {
  id: string
  orgId: string
  name: string
  type: "ai" | "human" | "resource"
  description: string | null
  status: "active" | "paused" | "decommissioned"
  metadata: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export type Event = {
  id: string
  calendarId: string
  orgId: string
  title: string
  description: string | null
  startTime: string
  endTime: string
  allDay: boolean
  status: "confirmed" | "tentative" | "cancelled" | "hold"
  source: "internal" | "external_ical"
  metadata: Record<string, unknown>
  /** Null: the calendar's. */
  reminders: number[] | null
  holdExpiresAt: string | null
  holdPriority: number
  /** The group that the hold was placed with. */
  holdGroupId?: string
  /** Only of a renewable hold. */
  renewable?: boolean
  renewUntil?: string
  /** Of a renewable hold: of two holds of a calendar, the later one has the larger fence. */
  holdFence?: number
  recurrenceRule: string | null
  recurrenceExdates: string[]
  /** Where set: by whose clock the series repeats. */
  recurrenceTimezone?: string
  /** Where set: starts beside those of the rule. */
  recurrenceRdates?: string[]
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Only of an event that takes no time. */
  transparency?: "transparent"
  /** Only of a private event. */
  visibility?: "private"
  /** Where set. */
  labels?: string[]
  /** Where set. */
  color?: string
  /** Where set. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
  local?: LocalTime
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
}

/** The same times on the wall clock of a zone. Only with `view=local`. */
export type LocalTime = {
  timezone: string
  /** Of the start. */
  weekday: "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday"
  /** Of the start. */
  date: string
  /** Seconds and milliseconds only where there are any. */
  start: string
  end: string
  /** Of the end. An all-day event ends where this date begins. */
  end_date: string
  /** At the start. */
  utc_offset: string
  /** At the end, where clocks change in between. */
  end_utc_offset?: string
  /** The last day of an all-day event, included. */
  last_date?: string
  text: string
}

export type FullProposal = {
  id: string
  title: string
  description: string | null
  organizer_agent_id: string
  participant_agent_ids: string[]
  calendar_id: string
  status: "pending" | "confirmed" | "expired" | "cancelled"
  expires_at: string | null
  resolved_slot: ResolvedSlot | null
  created_event_id: string | null
  metadata: Record<string, unknown>
  created_at: string
  updated_at: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  slots: ProposalSlot[]
  responses: ProposalResponse[]
}

export type ResolvedSlot = {
  id: string
  start_time: string
  end_time: string
  weight: number
  calendar_id: string
  local?: LocalTime
}

export type ProposalSlot = {
  id: string
  start_time: string
  end_time: string
  weight: number
  /** Null: the proposal's. */
  calendar_id: string | null
  local?: LocalTime
}

export type ProposalResponse = {
  id: string
  agent_id: string
  response: "accept" | "decline" | "counter"
  selected_slot_id: string | null
  counter_slots: (Record<string, unknown>)[]
  message: string | null
  created_at: string
}

export type Approval = {
  id: string
  /** `failed`: it was approved, and refused when it was done; `result` says why. */
  status: "pending" | "approved" | "rejected" | "expired" | "failed"
  /** The request in words, with the local time. It quotes text that others wrote. */
  summary: string
  /** One of the actions of the guardrail, or the operation. */
  action: string
  agent_id: string
  /** The calendar that it is about; null for several, or for none. */
  calendar_id: string | null
  key_prefix: string
  approver: "session" | "link"
  changes: ({
    field: string
    before: unknown
    after: unknown
  })[]
  created_at: string
  expires_at: string
  decided_at: string | null
  reason: string | null
  /** The answer to the request, once it was done or refused. */
  result: {
    status: number
    body: unknown
  } | null
  url?: string
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
}

export type HoldGroup = {
  id: string
  status: "held" | "confirmed" | "released" | "expired"
  /** Why it is `expired`. */
  reason: "lapsed" | "preempted" | "calendar_gone" | null
  title: string
  description: string | null
  start_time: string
  end_time: string
  /** Null: it was confirmed at once. */
  hold_expires_at: string | null
  hold_priority: number
  require_free: boolean
  renewable?: boolean
  renew_until?: string
  metadata: Record<string, unknown>
  requirements: ({
    need: number
    spare: number
    members: ({
      calendar_id: string
      /** The owner of the calendar. */
      agent_id: string | null
      event_id: string
      start_time: string
      end_time: string
      status: "confirmed" | "tentative" | "cancelled" | "hold"
      /** Of a renewable group. */
      hold_fence?: number
      local?: LocalTime
    })[]
  })[]
  created_at: string
  updated_at: string
  local?: LocalTime
}

/** Why a time is not free. `busy`: an event that the caller may not see. */
export type Cause = {
  kind: "event"
  calendar_id: string
  event_id: string
  status: "confirmed" | "tentative"
  /** Of a series: which occurrence. */
  occurrence_start?: string
} | {
  kind: "hold"
  calendar_id: string
  event_id: string
  hold_priority: number
  hold_expires_at: string
  /** The group that the hold was placed with. */
  hold_group_id?: string
} | {
  kind: "buffer"
  calendar_id: string
  event_id: string
  side: "before" | "after"
  minutes: number
} | {
  kind: "working_hours"
  calendar_id?: string
} | {
  kind: "closed_date"
  calendar_id?: string
  /** The local day, in the zone of the calendar's rules. */
  date: string
} | {
  kind: "holiday"
  calendar_id?: string
  /** The local day, in the zone of the calendar's rules. */
  date: string
} | {
  kind: "time_off"
  calendar_id: string
} | {
  kind: "daily_limit"
  calendar_id: string
  /** The local day, in the zone of the calendar's rules. */
  date: string
  /** Which limit of the rules is reached, or would be exceeded. */
  limit: "meetings" | "busy_minutes"
} | {
  kind: "external"
  reason: "busy" | "not_current"
} | {
  kind: "busy"
}

/** The changes that the request would make. Nothing was changed. */
export type DryRun = {
  dry_run: true
  /** The status with which the request itself would be answered. */
  status: number
  /** The body of that answer; null if it would have none. Values that only the request itself would make (ids, secrets, their prefixes, slugs, addresses) are null. */
  body: Record<string, unknown> | null
  /** The changes that would happen, in order, as entries of the change feed, with or without subscribers. */
  effects: ({
    type: string
    resource: {
      type: string
      /** Null for what the request itself would make. */
      id: string | null
    }
  })[]
  /** The units of monthly budgets that the request would take. */
  spends: Record<string, number>
}

export type ApprovalRequested = {
  approval: {
    id: string
    /** `failed`: it was approved, and refused when it was done; `result` says why. */
    status: "pending" | "approved" | "rejected" | "expired" | "failed"
    /** The request in words, with the local time. It quotes text that others wrote. */
    summary: string
    expires_at: string
    /** The page on which a person decides after they have signed in. Only if the approver is `session`. */
    url?: string
    /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
    outside?: Record<string, "guest" | "import">
  }
}

export type Calendar = {
  id: string
  orgId: string
  /** Null: the calendar belongs to the organization. */
  agentId: string | null
  name: string
  timezone: string
  metadata: Record<string, unknown>
  externalId: string | null
  provider: string | null
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  agent_status: string
  default_reminders: number[] | null
  ical_url: string
}

export type BusyFeed = {
  busy_ical_url: string
}

export type ChangedEvent = {
  id: string
  calendarId: string
  orgId: string
  title: string
  description: string | null
  startTime: string
  endTime: string
  allDay: boolean
  status: "confirmed" | "tentative" | "cancelled" | "hold"
  source: "internal" | "external_ical"
  metadata: Record<string, unknown>
  /** Null: the calendar's. */
  reminders: number[] | null
  holdExpiresAt: string | null
  holdPriority: number
  /** The group that the hold was placed with. */
  holdGroupId?: string
  /** Only of a renewable hold. */
  renewable?: boolean
  renewUntil?: string
  /** Of a renewable hold: of two holds of a calendar, the later one has the larger fence. */
  holdFence?: number
  recurrenceRule: string | null
  recurrenceExdates: string[]
  /** Where set: by whose clock the series repeats. */
  recurrenceTimezone?: string
  /** Where set: starts beside those of the rule. */
  recurrenceRdates?: string[]
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Only of an event that takes no time. */
  transparency?: "transparent"
  /** Only of a private event. */
  visibility?: "private"
  /** Where set. */
  labels?: string[]
  /** Where set. */
  color?: string
  /** Where set. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
  local?: LocalTime
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
  /** The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended. */
  external_sync: {
    status: "not_configured" | "queued" | "published" | "skipped" | "failed"
  }
}

export type EventInstance = {
  id: string
  calendarId: string
  orgId: string
  title: string
  description: string | null
  startTime: string
  endTime: string
  allDay: boolean
  status: "confirmed" | "tentative" | "cancelled" | "hold"
  source: "internal" | "external_ical"
  metadata: Record<string, unknown>
  /** Null: the calendar's. */
  reminders: number[] | null
  holdExpiresAt: string | null
  holdPriority: number
  /** The group that the hold was placed with. */
  holdGroupId?: string
  /** Only of a renewable hold. */
  renewable?: boolean
  renewUntil?: string
  /** Of a renewable hold: of two holds of a calendar, the later one has the larger fence. */
  holdFence?: number
  recurrenceRule: string | null
  recurrenceExdates: string[]
  /** Where set: by whose clock the series repeats. */
  recurrenceTimezone?: string
  /** Where set: starts beside those of the rule. */
  recurrenceRdates?: string[]
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Only of an event that takes no time. */
  transparency?: "transparent"
  /** Only of a private event. */
  visibility?: "private"
  /** Where set. */
  labels?: string[]
  /** Where set. */
  color?: string
  /** Where set. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
  local?: LocalTime
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
  /** The series, of an occurrence. */
  recurringEventId?: string
  /** The start the occurrence was generated for. */
  originalStartTime?: string
  /** Only of an occurrence that was edited by itself. */
  overridden?: true
}

export type ChangedEventInstance = {
  id: string
  calendarId: string
  orgId: string
  title: string
  description: string | null
  startTime: string
  endTime: string
  allDay: boolean
  status: "confirmed" | "tentative" | "cancelled" | "hold"
  source: "internal" | "external_ical"
  metadata: Record<string, unknown>
  /** Null: the calendar's. */
  reminders: number[] | null
  holdExpiresAt: string | null
  holdPriority: number
  /** The group that the hold was placed with. */
  holdGroupId?: string
  /** Only of a renewable hold. */
  renewable?: boolean
  renewUntil?: string
  /** Of a renewable hold: of two holds of a calendar, the later one has the larger fence. */
  holdFence?: number
  recurrenceRule: string | null
  recurrenceExdates: string[]
  /** Where set: by whose clock the series repeats. */
  recurrenceTimezone?: string
  /** Where set: starts beside those of the rule. */
  recurrenceRdates?: string[]
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Only of an event that takes no time. */
  transparency?: "transparent"
  /** Only of a private event. */
  visibility?: "private"
  /** Where set. */
  labels?: string[]
  /** Where set. */
  color?: string
  /** Where set. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
  local?: LocalTime
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
  /** The series, of an occurrence. */
  recurringEventId?: string
  /** The start the occurrence was generated for. */
  originalStartTime?: string
  /** Only of an occurrence that was edited by itself. */
  overridden?: true
  /** The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended. */
  external_sync: {
    status: "not_configured" | "queued" | "published" | "skipped" | "failed"
  }
}

export type SplitSeries = {
  previous: ChangedEvent | null
  series: ChangedEvent
}

export type CalendarContext = {
  calendar_id: string
  now: string
  agent_status: string
  current_event: EventInstance | null
  next_event: EventInstance | null
  recent_events: EventInstance[]
  upcoming: EventInstance[]
}

export type EventPage = {
  data: EventInstance[]
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null
}

export type DeletedEvent = {
  id: string
  calendarId: string
  orgId: string
  title: string
  description: string | null
  startTime: string
  endTime: string
  allDay: boolean
  status: "confirmed" | "tentative" | "cancelled" | "hold"
  source: "internal" | "external_ical"
  metadata: Record<string, unknown>
  /** Null: the calendar's. */
  reminders: number[] | null
  holdExpiresAt: string | null
  holdPriority: number
  /** The group that the hold was placed with. */
  holdGroupId?: string
  /** Only of a renewable hold. */
  renewable?: boolean
  renewUntil?: string
  /** Of a renewable hold: of two holds of a calendar, the later one has the larger fence. */
  holdFence?: number
  recurrenceRule: string | null
  recurrenceExdates: string[]
  /** Where set: by whose clock the series repeats. */
  recurrenceTimezone?: string
  /** Where set: starts beside those of the rule. */
  recurrenceRdates?: string[]
  deletedAt: string
  createdAt: string
  updatedAt: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Only of an event that takes no time. */
  transparency?: "transparent"
  /** Only of a private event. */
  visibility?: "private"
  /** Where set. */
  labels?: string[]
  /** Where set. */
  color?: string
  /** Where set. */
  links?: ({
    url: string
    title?: string
    type?: string | readonly string[]
  })[]
  local?: LocalTime
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
  /** Null: it cannot be restored, because a guest booked it. */
  restorable_until: string | null
}

export type EventHistoryEntry = {
  change_id: string
  at: string
  /** As in the change feed. */
  type: string
  cause: "api" | "timer" | "booking" | "import" | "approval"
  /** Null if no key or account acted: a time came due, a guest booked, a feed was imported. */
  actor: {
    agent_id: string | null
    key_prefix: string | null
  } | null
  /** Only of a change of one occurrence: the start that the series gives it. */
  occurrence_start?: string
  /** By name; `[]` for a creation and a deletion. Null with `incomplete`. */
  changes: ({
    /** A key of the event record. */
    field: string
    /** Null if the record did not have it. */
    from: unknown
    to: unknown
  })[] | null
  /** The entry before it is not kept any more. */
  incomplete?: true
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
}

export type Availability = {
  agents: string[]
  slots: ({
    start: string
    end: string
    local?: LocalTime
  })[]
  /** Busy time of the calendar, with include_busy. */
  busy?: ({
    start: string
    end: string
    local?: LocalTime
  })[]
  /** Busy time of each agent, with include_busy. */
  per_agent_busy?: Record<string, ({
    start: string
    end: string
    local?: LocalTime
  })[]>
  availability_state: "complete" | "stale" | "partial" | "unavailable"
  sources: {
    internal: "current"
    external: "current" | "stale" | "partial" | "unavailable" | "none"
    /** Last synchronization of external calendars; null: there are none. */
    last_synced_at: string | null
  }
  /** `availability_incomplete`: the busy time of external calendars is not known. */
  warnings: string[]
  /** With `explain`: the time that is not free, as stretches of one set of causes each. At most 2,000 of them with 20,000 causes in all. */
  blocked?: ({
    start: string
    end: string
    by: Cause[]
  })[]
  /** There are more: `blocked` holds the first ones. */
  blocked_truncated?: true
  /** With `explain`, if there are no slots. */
  empty_reason?: "external_not_current" | "window_shorter_than_duration" | "all_blocked" | "no_stretch_long_enough" | "daily_limit"
  /** With `best`: by score, then start. They do not overlap. */
  best?: ({
    start: string
    end: string
    local?: LocalTime
    score: number
    /** `touches_before`, `touches_after`, `in_preferred_hours`, `minutes_before:<n>` and `minutes_after:<n>` to the next busy time. */
    reasons: string[]
  })[]
}

export type AvailabilityCheck = {
  free: boolean
  /** The causes that block the time, each once. */
  blocked_by: Cause[]
  /** The first start, at or after the requested one, from which the same length is free; null: none within 14 days. */
  free_from: string | null
  /** The next free times of the same length, at most 5. */
  next_free: ({
    start: string
    end: string
    local?: LocalTime
  })[]
}

export type AvailabilityRules = {
  id: string
  calendar_id: string
  buffer_before_minutes: number
  buffer_after_minutes: number
  working_hours: {
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
  timezone: string
  /** This and the following are shown where they are set. */
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
  time_off?: ({
    start: string
    end: string
    label?: string
  })[]
  /** Those that were not removed. */
  holiday_subscription_ids?: string[]
  max_meetings_per_day?: number
  max_busy_minutes_per_day?: number
  created_at: string
  updated_at: string
}

export type Time = {
  now: string
  local: {
    timezone: string
    weekday: "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday"
    date: string
    /** To the minute. */
    time: string
    utc_offset: string
    text: string
  }
  /** Of the local date. */
  iso_week: string
  /** null if there is none. */
  next_offset_change: {
    at: string
    /** From then on. */
    utc_offset: string
  } | null
}

export type CreatedApiKey = {
  id: string
  key_prefix: string
  agent_id: string
  label: string | null
  created_at: string
  guardrails?: KeyGuardrails
  /** Only where the key ends. */
  expires_at?: string
  /** The secret. Shown only here. */
  key: string
}

/** Only where the key has some. */
export type KeyGuardrails = {
  /** The key changes nothing. */
  read_only?: boolean
  /** The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these. */
  calendar_ids?: string[]
  /** Of the hours and of the days that are counted; UTC without it. */
  timezone?: string
  allowed_hours?: {
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
  }
  /** The longest event or hold. */
  max_minutes?: number
  /** Events and holds start at most this many days from now, each occurrence of the first 366 days too. */
  max_days_ahead?: number
  /** Events and holds start at least this many minutes from now. */
  min_notice_minutes?: number
  max_hold_priority?: number
  /** Active holds on the calendars of its agent. */
  max_live_holds?: number
  /** As if every change of time had `require_free`. */
  require_free?: boolean
  /** Events that the key creates in a day of `timezone`, and holds that it confirms. */
  max_events_per_day?: number
  /** Holds that the key places in a day of `timezone`. */
  max_holds_per_day?: number
  approval?: {
    /** `all`: every change that an agent key can make. */
    on: "all" | ("event.create" | "event.update" | "event.delete" | "hold.create" | "hold.confirm" | "calendar.update" | "calendar.delete")[]
    expires_in_minutes: number
    /** `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner. */
    approver: "session" | "link"
  }
  /** At least so careful is the key shown text that guests and feeds wrote, on every surface. */
  outside_text?: "fenced" | "hidden"
}

export type ListedApiKey = {
  id: string
  key_prefix: string
  agent_id: string
  label: string | null
  created_at: string
  guardrails?: KeyGuardrails
  /** Null: never. */
  expires_at?: string | null
  /** Up to ten minutes late; null: never used. */
  last_used_at?: string | null
  /** Who made it with a console session; null: nobody did. */
  created_by?: {
    member_id: string
    email: string
  } | null
  /** The key that has replaced it: this one works until `expires_at`. */
  replaced_by?: string | null
}

export type ApiKey = {
  id: string
  key_prefix: string
  agent_id: string
  label: string | null
  created_at: string
  guardrails?: KeyGuardrails
  /** Only where the key ends. */
  expires_at?: string
}

export type RotatedApiKey = {
  id: string
  key_prefix: string
  agent_id: string
  label: string | null
  created_at: string
  guardrails?: KeyGuardrails
  /** Only where the key ends. */
  expires_at?: string
  /** The secret. Shown only here. */
  key: string
  /** Until when the key that was replaced works; null: it has ended. */
  previous_expires_at: string | null
}

export type OrganizationKeyRecord = {
  id: string
  key_prefix: string
  name: string | null
  /** `read_only`: only `GET`. */
  scope: "full" | "read_only"
  /** The key that is made without a body. */
  primary: boolean
  allowed_ips: string[] | null
  created_at: string
  /** Null: never. */
  expires_at: string | null
  /** Up to ten minutes late; null: never used. */
  last_used_at: string | null
  /** Who made it with a console session; null: nobody did. */
  created_by: {
    member_id: string
    email: string
  } | null
  /** The key that has replaced it: this one works until `expires_at`. */
  replaced_by: string | null
}

export type OrganizationKey = {
  id: string
  /** The secret. Shown only here. */
  key: string
  key_prefix: string
  created_at: string
  name?: string | null
  /** `read_only`: only `GET`. */
  scope?: "full" | "read_only"
  /** The key that is made without a body. */
  primary?: boolean
  allowed_ips?: string[] | null
  /** Null: never. */
  expires_at?: string | null
  /** Up to ten minutes late; null: never used. */
  last_used_at?: string | null
  /** Who made it with a console session; null: nobody did. */
  created_by?: {
    member_id: string
    email: string
  } | null
  /** The key that has replaced it: this one works until `expires_at`. */
  replaced_by?: string | null
}

export type RegeneratedOrganizationKey = {
  id: string
  /** The secret. Shown only here. */
  key: string
  key_prefix: string
  created_at: string
  /** Until when the key that was replaced works; null: it has ended. */
  previous_expires_at?: string | null
}

export type RotatedOrganizationKey = {
  id: string
  key_prefix: string
  name: string | null
  /** `read_only`: only `GET`. */
  scope: "full" | "read_only"
  /** The key that is made without a body. */
  primary: boolean
  allowed_ips: string[] | null
  created_at: string
  /** Null: never. */
  expires_at: string | null
  /** Up to ten minutes late; null: never used. */
  last_used_at: string | null
  /** Who made it with a console session; null: nobody did. */
  created_by: {
    member_id: string
    email: string
  } | null
  /** The key that has replaced it: this one works until `expires_at`. */
  replaced_by: string | null
  /** The secret. Shown only here. */
  key: string
  /** Until when the key that was replaced works; null: it has ended. */
  previous_expires_at: string | null
}

export type Proposal = {
  id: string
  title: string
  description: string | null
  organizer_agent_id: string
  participant_agent_ids: string[]
  calendar_id: string
  status: "pending" | "confirmed" | "expired" | "cancelled"
  expires_at: string | null
  resolved_slot: ResolvedSlot | null
  created_event_id: string | null
  metadata: Record<string, unknown>
  created_at: string
  updated_at: string
  /** Where set. */
  location?: string
  /** Where set. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
}

export type IcalSubscription = {
  id: string
  agent_id: string
  calendar_id: string
  url: string
  label: string | null
  status: "active" | "error" | "paused"
  last_synced_at: string | null
  /** Why the last sync failed, in one line. While the status is `active`: how many parts of the feed could not be read. */
  last_error: string | null
  created_at: string
  /** Where set. */
  keep?: ("details" | "transparency")[]
}

export type CreatedConnectionLink = {
  id: string
  calendar_id: string
  status: "awaiting_human" | "in_progress" | "completed" | "declined" | "expired" | "cancelled"
  expires_at: string
  /** Give it to the human. Shown once: null if a pending link was reused. */
  setup_url: string | null
  reused: boolean
}

export type ConnectionLink = {
  id: string
  calendar_id: string
  status: "awaiting_human" | "in_progress" | "completed" | "declined" | "expired" | "cancelled"
  expires_at: string
  /** Null until the link is completed. */
  connection_id: string | null
}

export type CalendarConnectionDetail = {
  id: string
  provider: "google" | "microsoft" | "caldav"
  account_label: string | null
  capabilities: ("availability" | "publishing")[]
  status: "active" | "paused" | "reauthorization_required" | "disconnected"
  reauthorization_reason: "grant_revoked" | "credentials_rejected" | "scope_missing" | "provider_policy" | "unattended" | null
  selected_calendar_count: number
  last_authenticated_at: string
  created_at: string
  /** Of another member, whose account has no label here. For owners and admins only. */
  member_id?: string
  /** The primary one first, then by name. */
  calendars: ExternalCalendar[]
}

export type ExternalCalendar = {
  id: string
  name: string
  access_role: "owner" | "writer" | "reader" | "free_busy" | null
  primary: boolean
  timezone: string | null
  availability_readable: boolean
  writable: boolean
  selected: boolean
  /** Selected, readable, and in an active grant. */
  availability_source_active: boolean
  sync: {
    /** Null: the calendar is not selected. */
    status: "pending" | "syncing" | "current" | "stale" | "partial" | "unavailable" | null
    last_attempted_at: string | null
    last_successful_sync_at: string | null
    last_error_category: "rate_limited" | "unreachable" | "provider_error" | "unauthorized" | "forbidden" | "not_found" | "too_large" | "malformed" | null
  }
}

export type CalendarConnection = {
  id: string
  provider: "google" | "microsoft" | "caldav"
  account_label: string | null
  capabilities: ("availability" | "publishing")[]
  status: "active" | "paused" | "reauthorization_required" | "disconnected"
  reauthorization_reason: "grant_revoked" | "credentials_rejected" | "scope_missing" | "provider_policy" | "unattended" | null
  selected_calendar_count: number
  last_authenticated_at: string
  created_at: string
  /** Of another member, whose account has no label here. For owners and admins only. */
  member_id?: string
}

export type ExternalDestination = {
  id: string
  calendar_id: string
  external_calendar_id: string
  /** Which events are published: `confirmed` ones, or `tentative` ones too. */
  policy: "confirmed" | "confirmed_tentative"
  /** The connection is active, and the calendar can still be written to. */
  active: boolean
  health: {
    /** Copies that will be written. */
    queued: number
    /** Copies that wait until the destination works again, or were given up. */
    failed: number
    last_error_category: string | null
  }
}

export type AvailabilityGrant = {
  id: string
  audience: "selected_agents" | "all_current_agents" | "all_org_agents"
  /** With `all_current_agents`: agents that are created later are not included. */
  audience_cutoff_at: string | null
  active: boolean
  external_calendar_ids: string[]
  agent_ids: string[]
  created_at: string
}

export type BookingPage = {
  id: string
  org_id: string
  calendar_id: string
  agent_id: string | null
  slug: string
  title: string
  description: string | null
  duration_minutes: number
  buffer_minutes: number
  window_days: number
  min_notice_minutes: number
  timezone: string
  availability_constraints: {
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
  /** Guests can book. Always false once the calendar is deleted. */
  active: boolean
  bookings_count: number
  booking_url: string
  created_at: string
  updated_at: string
  /** The person whom guests meet. The page shows it above the title. */
  host_name?: string
  /** The organization of the host. */
  host_organization?: string
  /** Where it takes place: an address, a phone number, or a link to a call. */
  location?: string
  /** A privacy policy for the data that guests enter. The form links to it. */
  privacy_url?: string
  /** A readable address in addition to the secret one, unique in the installation. It can be guessed. */
  vanity_slug?: string
  /** Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may. */
  allowed_origins?: string[]
  /** Questions to guests besides their name and address. */
  questions?: ({
    /** Names the answer; unique on the page. */
    name: string
    /** The question as guests read it. */
    label: string
    kind: "text" | "long_text" | "choice"
    required: boolean
    /** The possible answers; only for the kind `choice`. */
    options?: string[]
  })[]
  /** An image above the title, and in previews of links. Browsers of guests load it from there. */
  logo_url?: string
  /** The colour of buttons and links. It is made darker or lighter if text on it would be hard to read. */
  theme_color?: string
  /** Minutes from the start of one slot to the next. Without it slots follow each other. */
  slot_interval_minutes?: number
  /** How many further guests may be invited with a booking, each by a mail. */
  additional_guests?: number
  /** How guests reach the host if no time is free: an address, a phone number or a link. */
  contact?: string
  /** Whether guests get mails about their bookings. Records have this field only if it is false. */
  guest_mails?: boolean
  /** The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true. */
  details_on_event?: boolean
  /** The page at its readable address. */
  vanity_url?: string
  /** The reason why guests cannot book, if there is one. */
  warnings?: string[]
}

export type PageBooking = {
  event_id: string
  start: string
  end: string
  status: "confirmed" | "cancelled"
  name: string
  email: string
  notes: string | null
  answers: ({
    name: string
    label: string
    answer: string
  })[]
  /** The addresses of further guests who were invited. */
  guests: string[]
  created_at: string
  /** Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was. */
  outside?: Record<string, "guest" | "import">
}

export type BookingSlots = {
  booking_page: {
    slug: string
    title: string
    description: string | null
    duration_minutes: number
    timezone: string
    /** The person whom guests meet. The page shows it above the title. */
    host_name?: string
    /** The organization of the host. */
    host_organization?: string
    /** Where it takes place: an address, a phone number, or a link to a call. */
    location?: string
    /** Questions to guests besides their name and address. */
    questions?: ({
      /** Names the answer; unique on the page. */
      name: string
      /** The question as guests read it. */
      label: string
      kind: "text" | "long_text" | "choice"
      required: boolean
      /** The possible answers; only for the kind `choice`. */
      options?: string[]
    })[]
    /** How many further guests may be invited with a booking, each by a mail. */
    additional_guests?: number
    /** How guests reach the host if no time is free: an address, a phone number or a link. */
    contact?: string
    /** Where set: guests who have booked get the whole. */
    conference?: {
      provider: string
    }
  }
  slots: ({
    start: string
    end: string
  })[]
  /** Only if later slots may be free: pass it as `from` for the next ones. */
  next_from?: string
  /** With `explain`: the time that is not free, as stretches of one set of causes each. At most 2,000 of them with 20,000 causes in all. */
  blocked?: ({
    start: string
    end: string
    by: Cause[]
  })[]
  /** There are more: `blocked` holds the first ones. */
  blocked_truncated?: true
  /** With `explain`, if there are no slots. */
  empty_reason?: "external_not_current" | "window_shorter_than_duration" | "all_blocked" | "no_stretch_long_enough" | "daily_limit"
}

export type Booking = {
  booking_page_id: string
  event: {
    id: string
    status: "confirmed"
  }
}

export type GuestBooking = {
  booking_page_id: string
  event: {
    id: string
    status: "confirmed" | "cancelled"
  }
  start: string
  end: string
  can_cancel: boolean
  can_reschedule: boolean
}

export type CreatedWebhook = {
  id: string
  orgId: string
  url: string
  events: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
  active: boolean
  consecutiveFailures: number
  firstFailureAt: string | null
  createdAt: string
  /** Present only if it is used, like the next two fields. */
  calendarIds?: string[] | null
  agentIds?: string[] | null
  standard?: boolean
  /** The names of `headers`, in lower case and in order. */
  headerNames?: string[]
  envelope?: boolean
  /** Present only in an overlap: until then the previous secret signs as well. */
  previousSecretExpiresAt?: string
  /** Signs the deliveries. Shown only here. */
  secret: string
}

export type Webhook = {
  id: string
  orgId: string
  url: string
  events: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
  active: boolean
  consecutiveFailures: number
  firstFailureAt: string | null
  createdAt: string
  /** Present only if it is used, like the next two fields. */
  calendarIds?: string[] | null
  agentIds?: string[] | null
  standard?: boolean
  /** The names of `headers`, in lower case and in order. */
  headerNames?: string[]
  envelope?: boolean
  /** Present only in an overlap: until then the previous secret signs as well. */
  previousSecretExpiresAt?: string
}

export type WebhookDelivery = {
  id: string
  subscription_id: string
  event_type: "agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored"
  status: "pending" | "delivered" | "failed"
  attempts: number
  last_attempt_at: string | null
  next_retry_at: string | null
  created_at: string
  payload?: Record<string, unknown>
  /** Only with `include_attempt=true`. Null until an attempt has ended. */
  last_attempt?: {
    outcome: string
    /** Null without an answer. */
    http_status: number | null
    /** Null if it was made before durations were recorded. */
    duration_ms: number | null
  } | null
}

export type WebhookDeliveryDetail = {
  id: string
  subscription_id: string
  event_type: "agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored"
  status: "pending" | "delivered" | "failed"
  attempts: number
  last_attempt_at: string | null
  next_retry_at: string | null
  created_at: string
  /** Null if the change is no longer kept. */
  payload: Record<string, unknown> | null
  /** Those of the last attempt, by their names in lower case; null before the first one. The signatures are left out if the webhook has changed since, and the `headers` of the webhook always. */
  request_headers: Record<string, string> | null
  /** The attempts that have ended, the last 50, earliest first. */
  attempt_log: ({
    at: string
    outcome: string
    /** Null without an answer. */
    http_status: number | null
    duration_ms: number
    /** The first 500 characters of the answer; null without one. */
    body_start: string | null
  })[]
}

export type StartedWebhookReplay = {
  id: string
  /** How many deliveries are sent. */
  matched: number
  status: "pending" | "running" | "done"
}

export type WebhookReplay = {
  id: string
  /** How many deliveries are sent. */
  matched: number
  status: "pending" | "running" | "done"
  /** How many of them have been handed over to be sent. */
  progress: number
  created_at: string
}

export type WebhookTest = {
  delivered: boolean
  outcome: string
  /** Null without an answer. */
  http_status: number | null
  duration_ms: number
  /** The first 500 characters of the answer; null without one. */
  body_start: string | null
}

export type RotatedSecret = {
  /** Signs the deliveries. Shown only here. */
  secret: string
  /** Null without an overlap. */
  previous_expires_at: string | null
}

export type WebhookHealth = {
  state: "healthy" | "failing" | "disabled"
  /** In the window, like the next five fields. */
  attempts: number
  delivered: number
  failed: number
  by_outcome: Record<string, number>
  /** Null without attempts. */
  p50_ms: number | null
  p95_ms: number | null
  /** Counted up to 10,000. */
  pending: number
  oldest_pending_at: string | null
  last_success_at: string | null
  last_failure: {
    at: string
    outcome: string
    /** Null without an answer. */
    http_status: number | null
  } | null
  consecutive_failures: number
  /** This many failures in a row switch the webhook off. */
  disables_at: number
}

export type WebhookHealthSeries = {
  points: ({
    /** The beginning of the step. */
    at: string
    delivered: number
    failed: number
    /** Null without attempts. */
    p95_ms: number | null
  })[]
}

export type Change = {
  /** Of the entry: `change_id` and `position`. */
  id: string
  change_id: string
  /** Among the entries of one change. */
  position: number
  type: "agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored" | "event.hold_renewed" | "agent.decommissioned" | "calendar.created" | "calendar.updated" | "calendar.deleted" | "calendar.imported" | "availability_rules.set" | "availability_rules.removed" | "booking_page.created" | "booking_page.updated" | "booking_page.removed" | "ical_subscription.created" | "ical_subscription.updated" | "ical_subscription.removed"
  at: string
  calendar_id: string | null
  /** The agent that owns the calendar or organizes the proposal. */
  agent_id: string | null
  resource: {
    type: "event" | "calendar" | "agent" | "availability_rules" | "proposal" | "booking_page" | "ical_subscription" | "webhook" | "approval" | "hold_group" | "connection_link" | "availability_source"
    /** For `availability_rules`: of its calendar. For `availability_source`: of the agent. */
    id: string
  }
  /** The revision of the calendar after the change. Null for a start, end or reminder, and without a calendar. */
  revision: number | null
  cause: "api" | "timer" | "booking" | "import" | "approval"
  /** Null if no key or account acted: a time came due, a guest booked, a feed was imported. */
  actor: {
    agent_id: string | null
    key_prefix: string | null
  } | null
  /** The payload that webhooks of this type get, fixed when the change happened. Left out with `payload=none`. */
  payload?: Record<string, unknown>
}

export type Usage = {
  plan: "free" | "pro" | "custom"
  period_start: string
  period_end: string
  agents: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  calendars: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  events: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  api_calls: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  /** Deliveries. */
  webhooks: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  availability_queries: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  ical_subscriptions: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  proposals: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  recurring_events: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  webhook_endpoints: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  booking_pages: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  /** Keys of agents. */
  scoped_keys: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
  /** Holds that have not ended. They have no limit of their own: each counts as one of `events`. 0 without a paid plan. */
  holds: {
    used: number
    /** Null is unlimited. */
    limit: number | null
  }
}

export type AuditEntry = {
  id: string
  action: string
  actor_key_prefix: string | null
  /** The address of the account, if a console session acted. */
  actor_account?: string
  /** With `include_member=true`: the member whose session acted; null for keys. */
  actor_member?: string | null
  /** With `include_member=true`: the role of that member at the time. */
  actor_role?: "owner" | "admin" | "developer" | "viewer" | null
  /** The agent whose key acted; null if it was not the key of an agent. */
  agent_id: string | null
  resource: string | null
  ip: string | null
  status: number | null
  method: string | null
  path: string | null
  duration_ms: number | null
  request_id: string | null
  created_at: string
}

export type RefusedRequest = {
  request_id: string
  at: string
  method: string
  /** Without its query. */
  path: string
  status: number
  type: string
  code: string | null
  param: string | null
  key_prefix: string | null
  /** The address of the account, if a console session asked. */
  actor_account: string | null
  agent_id: string | null
  ip: string | null
  duration_ms: number
}

export type Plan = {
  id: "free" | "pro" | "custom"
  name: string
  tagline: string
  /** Per month, in the smallest unit of the currency; null: negotiated. */
  price: number | null
  currency: string | null
  /** Null for one limit: unlimited. Null for all of `limits`: negotiated. */
  limits: {
    agents: number | null
    calendars: number | null
    events: number | null
    api_calls: number | null
    webhook_deliveries: number | null
    availability_queries: number | null
    ical_subscriptions: number | null
    proposals: number | null
    recurring_events: number | null
    webhook_endpoints: number | null
    booking_pages: number | null
    scoped_keys: number | null
  } | null
  /** For people. The limits of a plan are in `limits`. */
  display_features: string[]
  recommended: boolean
  custom_pricing?: true
  contact_url?: string
}

export type SignedIn = {
  org: Organization
  /** A JWT, valid as bearer token for 12 hours or until sign-out. */
  token: string
  expires_at: string
}

export type Organization = {
  id: string
  name: string
  email: string
  plan: "free" | "pro" | "custom" | "free-agent" | "free-agent-unverified"
  /** For organizations that an agent signed up; null for others. */
  verification_status: "unverified" | "verified" | null
  is_waitlisted: boolean
  signup_source: string
  email_verified: boolean
  accepted_terms_version: string | null
  accepted_terms_at: string | null
  created_at: string
  updated_at: string
}

/** For an address that is known already, only `message`. */
export type AgentSignUp = {
  org_id?: string
  agent_id?: string
  /** The secret of the organization. Shown only here. */
  api_key?: string
  message: string
}

export type SignedInThrough = {
  org: Organization
  /** A JWT, valid as bearer token for 12 hours or until sign-out. */
  token: string
  expires_at: string
  /** If an invitation was accepted. */
  member?: {
    id: string
    role: "owner" | "admin" | "developer" | "viewer"
  }
}

export type Reauthenticated = {
  reauthenticated_until: string
}

export type Session = {
  id: string
  created_at: string
  last_seen_at: string
  /** Where it was opened. */
  ip: string | null
  /** The program that opened it, in its own words; at most 200 characters. */
  user_agent: string | null
  /** The session of this request. */
  current: boolean
}

export type Factors = {
  totp: {
    enabled: boolean
    enabled_at: string | null
  }
  recovery_codes_left: number
}

export type Invitation = {
  id: string
  email: string
  role: "owner" | "admin" | "developer" | "viewer"
  status: "pending" | "accepted" | "revoked" | "expired"
  /** The address of the member who sent the link. */
  invited_by: string
  created_at: string
  /** When the last link was sent. */
  sent_at: string
  expires_at: string
}

export type OpenInvitation = {
  organization: {
    name: string
  }
  email: string
  role: "owner" | "admin" | "developer" | "viewer"
  invited_by: string
  expires_at: string
}

export type Joined = {
  org: Organization
  member: {
    id: string
    role: "owner" | "admin" | "developer" | "viewer"
  }
}

export type SignedUpMember = {
  org: Organization
  /** A JWT, valid as bearer token for 12 hours or until sign-out. */
  token: string
  expires_at: string
  member: {
    id: string
    role: "owner" | "admin" | "developer" | "viewer"
  }
}

export type Providers = {
  /** For `GET /v1/auth/oauth/{provider}`. */
  sign_in: ({
    id: string
    name: string
  })[]
  /** For `POST /v1/calendar-connections/oauth/{provider}/start`. CalDAV always works and is not listed. */
  calendars: ({
    id: string
    name: string
  })[]
}

export type Checklist = {
  /** The address of the organization is proven. */
  address: boolean
  /** There is an API key. */
  key: boolean
  agent: boolean
  calendar: boolean
  /** There is an event that was not imported. */
  event: boolean
  webhook: boolean
  /** A receiver has accepted a delivery. */
  delivery: boolean
}

export type TermsManifest = {
  version: string
  effective_at: string
  url: string
  /** Existing customers must accept again. */
  material: boolean
}

export type Waitlisted = {
  data: {
    id: string
    name: string
    email: string
    is_waitlisted: boolean
    waitlisted_at: string | null
    signup_source: string
  }
  message: string
}

export type AccountExport = {
  exported_at: string
  format_version: "1"
  org: Organization
  agents: Agent[]
  /** Deleted ones too, while they are kept. */
  calendars: ({
    id: string
    orgId: string
    /** Null: the calendar belongs to the organization. */
    agentId: string | null
    name: string
    timezone: string
    metadata: Record<string, unknown>
    externalId: string | null
    provider: string | null
    deletedAt: string | null
    createdAt: string
    updatedAt: string
    agent_status: string
    default_reminders: number[] | null
    ical_url: string
    /** The token of its public feed. */
    ical_token: string
    /** That of its busy feed, if it has one. */
    busy_ical_token?: string
  })[]
  /** Deleted ones too, while they are kept. */
  events: Event[]
  /** Occurrences that differ from their series, if there are any. */
  overrides?: EventInstance[]
  availability_rules: AvailabilityRules[]
  ical_subscriptions: IcalSubscription[]
  webhook_subscriptions: ({
    id: string
    orgId: string
    url: string
    events: ("agent.created" | "agent.updated" | "event.created" | "event.updated" | "event.deleted" | "event.started" | "event.ended" | "event.reminder" | "event.hold_created" | "event.hold_expired" | "event.hold_released" | "event.hold_confirmed" | "proposal.created" | "proposal.responded" | "proposal.confirmed" | "proposal.cancelled" | "proposal.expired" | "webhook.deactivated" | "approval.requested" | "approval.decided" | "hold_group.created" | "hold_group.confirmed" | "hold_group.released" | "hold_group.expired" | "connection_link.completed" | "connection_link.ended" | "availability_source.interrupted" | "availability_source.restored")[]
    active: boolean
    consecutiveFailures: number
    firstFailureAt: string | null
    createdAt: string
    /** Present only if it is used, like the next two fields. */
    calendarIds?: string[] | null
    agentIds?: string[] | null
    standard?: boolean
    /** The names of `headers`, in lower case and in order. */
    headerNames?: string[]
    envelope?: boolean
    /** Present only in an overlap: until then the previous secret signs as well. */
    previousSecretExpiresAt?: string
    /** Signs the deliveries. Shown only here. */
    secret: string
    headers?: Record<string, string>
  })[]
  /** Without their secrets, which are not kept. */
  api_keys: ({
    id: string
    key_prefix: string
    /** Null: the organization's own key. */
    agent_id: string | null
    label: string | null
    created_at: string
    revoked_at: string | null
  })[]
  scheduling_proposals: Proposal[]
  proposal_slots: ({
    id: string
    start_time: string
    end_time: string
    weight: number
    /** Null: the proposal's. */
    calendar_id: string | null
    local?: LocalTime
    proposal_id: string
  })[]
  proposal_responses: ({
    id: string
    agent_id: string
    response: "accept" | "decline" | "counter"
    selected_slot_id: string | null
    counter_slots: (Record<string, unknown>)[]
    message: string | null
    created_at: string
    proposal_id: string
  })[]
  hold_groups: HoldGroup[]
  /** Of agent keys, if any has some. */
  guardrails?: ({
    key_id: string
    agent_id: string
    guardrails: KeyGuardrails
  })[]
  /** If an agent key has asked for any. */
  approvals?: Approval[]
  usage_records: ({
    metric: string
    period_start: string
    used: number
  })[]
  quota_counters: ({
    metric: string
    period_start: string
    period_end: string
    used: number
    /** Null is unlimited. */
    limit: number | null
  })[]
  tos_acceptances: ({
    version: string
    /** SHA-256 of the published content, in hexadecimal digits. */
    document_hash: string
    source: string
    ip: string | null
    user_agent: string | null
    accepted_at: string
  })[]
  /** Once somebody was invited. */
  members?: ({
    id: string
    email: string
    role: "owner" | "admin" | "developer" | "viewer"
    joined_at: string
  })[]
  /** Once there was one. */
  invitations?: Invitation[]
  /** Always empty. */
  account_claims_initiated: unknown[]
}

export type CurrentSession = {
  id: string
  account: {
    email: string
    has_password: boolean
  }
  org: Organization
  member: {
    id: string
    role: "owner" | "admin" | "developer" | "viewer"
  }
  /** It was opened with a second factor. */
  second_factor: boolean
  /** Until then acts that ask for re-authentication do not ask; null: they ask. */
  reauthenticated_until: string | null
  /** The ways in which this account shows who it is. */
  reauthentication: ("password" | "code" | "provider")[]
  expires_at: string
}

export type Membership = {
  org: {
    id: string
    name: string
    plan: "free" | "pro" | "custom" | "free-agent" | "free-agent-unverified"
  }
  role: "owner" | "admin" | "developer" | "viewer"
  member_id: string
  require_second_factor: boolean
}

export type Member = {
  id: string
  email: string
  role: "owner" | "admin" | "developer" | "viewer"
  joined_at: string
  /** It is the member who asks. */
  you: boolean
  /** Whether the account has a second factor. For owners and admins only. */
  second_factor?: boolean
  /** When a session of the account was last used; null: it has none. For owners and admins only. */
  last_seen_at?: string | null
}

export type OrganizationDetail = {
  org: Organization
  /** In force now; null is unlimited. */
  limits: {
    agents: number | null
    calendars: number | null
    events: number | null
    api_calls: number | null
    webhooks: number | null
    webhook_deliveries: number | null
    availability_queries: number | null
    ical_subscriptions: number | null
    proposals: number | null
    recurring_events: number | null
    booking_pages: number | null
    scoped_keys: number | null
    organization_keys: number | null
    agents_per_query: number | null
    query_range_days: number | null
    audit_retention_days: number | null
    changes_retention_days: number | null
    change_waits: number | null
    calendar_connections: number | null
    members: number | null
  }
  /** In force now; null is unlimited. */
  rate_limit_per_second: number | null
  usage: Usage
}

export type Queue = {
  name: string
  waiting: number
  active: number
  /** Wake-ups that are not due yet. */
  delayed: number
  failed: number
  /** How long the oldest waiting wake-up has been due; 0 if none waits. */
  oldest_seconds: number
}

export type Error = {
  error: {
    /** The kind of error, for programs to decide by. */
    type: "validation_error" | "bad_request" | "validation" | "invalid_transition" | "authentication_error" | "forbidden" | "plan_required" | "account_waitlisted" | "not_found" | "conflict" | "email_taken" | "tos_version_stale" | "cursor_gone" | "precondition_failed" | "idempotency_key_reused" | "rate_limit_error" | "rate_limited" | "quota_exceeded" | "internal_error"
    /** The problem and the next step, for people. The wording may change. */
    message: string
    /** The first wrong field or parameter, as a dotted path: `slots.0.end_time`. Null if it concerns none. */
    param: string | null
    /** The same id as in the header `X-Request-Id`. */
    request_id: string
    /** A more specific name than the type, if there is one. */
    code?: "invalid_time_format" | "offset_mismatch" | "nonexistent_local_time" | "ambiguous_local_time" | "weekday_mismatch" | "end_before_start" | "agent_required" | "calendar_required" | "timezone_required" | "window_in_past" | "in_past" | "series_scope" | "calendar_not_found" | "event_not_found" | "external_event_readonly" | "guardrail" | "role" | "key_expired" | "key_scope" | "ip_not_allowed" | "key_replaced" | "overlap_open" | "reauthentication_required" | "second_factor_required" | "wrong_code" | "challenge_ended" | "address_unproven" | "wrong_account" | "already_member" | "already_invited" | "last_owner" | "has_members" | "agent_decommissioned" | "hold_conflict" | "hold_expired" | "not_a_hold" | "hold_in_group" | "not_renewable" | "not_free" | "not_deleted" | "not_restorable" | "approval_decided" | "approval_expired" | "time_taken" | "duplicate_response" | "credentials_rejected" | "scope_missing" | "in_use" | "account_mismatch" | "second_factor_missing" | "required_by_organization" | "provider_error" | "availability_incomplete"
    /** Values that may be sent instead, the likeliest first. Present if a local time or a weekday is refused. */
    suggestions?: string[]
    /** With `plan_required`: the feature that the plan lacks. */
    feature?: string
    /** With the code `guardrail`: the one that refuses it. */
    guardrail?: "read_only" | "calendar_ids" | "allowed_hours" | "max_minutes" | "max_days_ahead" | "min_notice_minutes" | "max_hold_priority" | "max_live_holds" | "max_events_per_day" | "max_holds_per_day" | "approval"
    /** With `reauthentication_required`: the ways in which this account may show it. */
    methods?: ("password" | "code" | "provider")[]
    /** With `second_factor_required` of a sign-in: goes with the code. It is good for 5 minutes. */
    challenge?: string
    /** With `required_by_organization`: those whose policy it is. With `last_owner`, of several: those that would have no owner. */
    organizations?: string[]
    /** With the code `role`: the least that is enough. */
    required_role?: "owner" | "admin" | "developer" | "viewer"
    /** With `tos_version_stale`: the version of the terms of service to accept. */
    current_version?: string
    /** With `idempotency_key_reused`: the request that the key was used for. */
    original_request_id?: string
    /** With `cursor_gone`: why the cursor is no longer valid. */
    reason?: "too_old" | "restored"
    /** With `cursor_gone`: take this cursor, read the lists, then follow the cursor. Nothing is missed. */
    resync?: {
      cursor: string
      lists: string[]
    }
    /** With `precondition_failed`: the current tag of the record. */
    current_etag?: string
    /** With `explain`: the first thing in the way, its times, and the owner of its calendar. */
    conflict?: {
      kind: "event"
      calendar_id: string
      event_id: string
      status: "confirmed" | "tentative"
      /** Of a series: which occurrence. */
      occurrence_start?: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "hold"
      calendar_id: string
      event_id: string
      hold_priority: number
      hold_expires_at: string
      /** The group that the hold was placed with. */
      hold_group_id?: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "buffer"
      calendar_id: string
      event_id: string
      side: "before" | "after"
      minutes: number
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "working_hours"
      calendar_id?: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "closed_date"
      calendar_id?: string
      /** The local day, in the zone of the calendar's rules. */
      date: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "holiday"
      calendar_id?: string
      /** The local day, in the zone of the calendar's rules. */
      date: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "time_off"
      calendar_id: string
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "daily_limit"
      calendar_id: string
      /** The local day, in the zone of the calendar's rules. */
      date: string
      /** Which limit of the rules is reached, or would be exceeded. */
      limit: "meetings" | "busy_minutes"
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "external"
      reason: "busy" | "not_current"
      start_time: string
      end_time: string
      agent_id: string | null
    } | {
      kind: "busy"
    }
    /** With `explain`: how many things are in the way. */
    conflicts?: number
    /** With `explain`: the next times of the same length that would be accepted, at most 5, within 14 days. They are not reserved. */
    alternatives?: ({
      start: string
      end: string
      local?: LocalTime
    })[]
    /** With `explain`, of a hold group: what is in the way on each calendar. */
    blocked?: ({
      requirement: number
      calendar_id: string
      by: Cause[]
    })[]
    /** With `explain`, if only holds are in the way: when the last of them runs out. */
    retry_at?: string
    /** Every wrong field, if there are several. */
    errors?: ({
      param: string | null
      message: string
    })[]
  }
}

export type ErrorType = Error['error']['type']

export type ErrorCode = NonNullable<Error['error']['code']>

/** The payload of each type of webhook event. */
export type WebhookPayloads = {
  /** An agent was registered. */
  "agent.created": {
    agent: Agent
  }
  /** An agent was changed. */
  "agent.updated": {
    agent: Agent
  }
  /** An event other than a hold was created, or a deleted one restored. */
  "event.created": {
    calendar_id: string
    event: Event
    /** Only for a booking: the page on which it was made. */
    booking_page_id?: string
    /** Only if it was deleted before, and is back under its id. */
    restored?: true
  }
  /** An event was changed, or one occurrence of a series cancelled or restored. */
  "event.updated": {
    calendar_id: string
    event: Event
  }
  /** An event, or a whole series, was deleted. */
  "event.deleted": {
    calendar_id: string
    event_id: string
  }
  /** The start of a confirmed event was reached. */
  "event.started": {
    event_id: string
    calendar_id: string
    title: string
    start_time: string
    end_time: string
    /** Only for a series: the start of the occurrence that these times belong to. */
    occurrence_start?: string
  }
  /** The end of a confirmed event was reached. */
  "event.ended": {
    event_id: string
    calendar_id: string
    title: string
    start_time: string
    end_time: string
    /** Only for a series: the start of the occurrence that these times belong to. */
    occurrence_start?: string
  }
  /** A reminder of a confirmed event came due. */
  "event.reminder": {
    event_id: string
    calendar_id: string
    title: string
    start_time: string
    end_time: string
    /** Only for a series: the start of the occurrence that these times belong to. */
    occurrence_start?: string
    /** Minutes before the start. */
    reminder_minutes: number
  }
  /** A hold was placed. */
  "event.hold_created": {
    calendar_id: string
    event: Event
  }
  /** A hold ran out, or a hold with a higher priority took its place. */
  "event.hold_expired": {
    calendar_id: string
    event_id: string
  }
  /** A hold was released. */
  "event.hold_released": {
    calendar_id: string
    event_id: string
  }
  /** A hold was confirmed. */
  "event.hold_confirmed": {
    calendar_id: string
    event: Event
  }
  /** A proposal was made. */
  "proposal.created": {
    proposal: FullProposal
  }
  /** A participant responded. */
  "proposal.responded": {
    proposal_id: string
    agent_id: string
    response: "accept" | "decline" | "counter"
  }
  /** A slot was chosen and its event created. */
  "proposal.confirmed": {
    proposal_id: string
    resolved_slot: ResolvedSlot
    created_event_id: string
  }
  /** A proposal was cancelled, or every participant had declined. */
  "proposal.cancelled": {
    proposal_id: string
    reason: "organizer_cancelled" | "all_declined"
  }
  /** A proposal was still pending when it expired. */
  "proposal.expired": {
    proposal_id: string
  }
  /** Another webhook of the organization was switched off. */
  "webhook.deactivated": {
    webhook_id: string
    url: string
    reason: "consecutive_failures"
  }
  /** A request of an agent key waits for the decision of a person. */
  "approval.requested": {
    approval: Approval
  }
  /** A request of an agent key was approved, rejected, refused after its approval, or not decided in time. */
  "approval.decided": {
    approval: Approval
  }
  /** A hold group was placed. */
  "hold_group.created": {
    hold_group: HoldGroup
  }
  /** A hold group was confirmed, or created with `confirm`. */
  "hold_group.confirmed": {
    hold_group: HoldGroup
  }
  /** A hold group was released. */
  "hold_group.released": {
    hold_group: HoldGroup
  }
  /** A hold group ended by itself. */
  "hold_group.expired": {
    hold_group: HoldGroup
  }
  /** A human connected their calendar through a link. */
  "connection_link.completed": {
    connection_link: {
      id: string
      calendar_id: string
      status: "completed"
    }
  }
  /** A link ended without a connection. */
  "connection_link.ended": {
    connection_link: {
      id: string
      calendar_id: string
      status: "declined" | "cancelled" | "expired"
    }
  }
  /** Calendars of a human whose busy time counts for an agent are no longer read. */
  "availability_source.interrupted": {
    agent_id: string
  }
  /** Calendars of a human whose busy time counts for an agent are read again. */
  "availability_source.restored": {
    agent_id: string
  }
}
