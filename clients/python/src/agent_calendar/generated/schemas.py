# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
from ..local_time import Moment


class CreateHoldGroupRequirementsItem(TypedDict):
    calendar_ids: Sequence[str]
    #: How many of the calendars are needed.
    need: NotRequired[int]
    #: How many more are held if their time is free. They are released when the group is confirmed.
    spare: NotRequired[int]
    #: Instead of the group's.
    start_time: NotRequired[Moment]
    end_time: NotRequired[Moment]


class CreateHoldGroup(TypedDict):
    title: str
    description: NotRequired[str]
    start_time: Moment
    end_time: Moment
    #: 30 s to 15 min ahead. Required without `confirm`.
    hold_expires_at: NotRequired[Moment]
    hold_priority: NotRequired[int]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]
    renewable: NotRequired[bool]
    #: Until when the group may be renewed, at most 24 hours ahead. 4 hours unless given.
    renew_until: NotRequired[Moment]
    #: Create confirmed events at once, without holds.
    confirm: NotRequired[bool]
    #: Only calendars count that are free by the rules of availability. If false, only other holds count.
    require_free: NotRequired[bool]
    requirements: Sequence[CreateHoldGroupRequirementsItem]


class ConfirmHoldGroup(TypedDict):
    #: Calendars of members that become confirmed, at most `need` of a requirement. Without it the first ones are.
    choose: NotRequired[Sequence[str]]


class RenewHoldGroup(TypedDict):
    #: 30 s to 15 min ahead, at most `renew_until`.
    hold_expires_at: Moment


class DayHours(TypedDict):
    start: str
    end: str


class CreateProposalSlotsItem(TypedDict):
    start_time: Moment
    end_time: Moment
    #: The score of the slot before any response.
    weight: NotRequired[float]
    #: The calendar for this slot, if it is not that of the proposal.
    calendar_id: NotRequired[str]


class CreateProposalConference(TypedDict):
    """How to join it as a call."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class CreateProposal(TypedDict):
    title: str
    description: NotRequired[str]
    organizer_agent_id: str
    participant_agent_ids: Sequence[str]
    #: The calendar in which the event is created.
    calendar_id: str
    slots: Sequence[CreateProposalSlotsItem]
    #: Must be in the future. Without it the proposal does not expire.
    expires_at: NotRequired[Moment]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]
    location: NotRequired[str]
    #: How to join it as a call.
    conference: NotRequired[CreateProposalConference]


class Agent(TypedDict):
    id: str
    orgId: str
    name: str
    type: Literal["ai", "human", "resource"]
    description: str | None
    status: Literal["active", "paused", "decommissioned"]
    metadata: dict[str, Any]
    createdAt: str
    updatedAt: str


class EventConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class EventLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class Event(TypedDict):
    id: str
    calendarId: str
    orgId: str
    title: str
    description: str | None
    startTime: str
    endTime: str
    allDay: bool
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    metadata: dict[str, Any]
    #: Null: the calendar's.
    reminders: list[int] | None
    holdExpiresAt: str | None
    holdPriority: int
    #: The group that the hold was placed with.
    holdGroupId: NotRequired[str]
    #: Only of a renewable hold.
    renewable: NotRequired[bool]
    renewUntil: NotRequired[str]
    #: Of a renewable hold: of two holds of a calendar, the later one has the larger fence.
    holdFence: NotRequired[int]
    recurrenceRule: str | None
    recurrenceExdates: list[str]
    #: Where set: by whose clock the series repeats.
    recurrenceTimezone: NotRequired[str]
    #: Where set: starts beside those of the rule.
    recurrenceRdates: NotRequired[list[str]]
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[EventConference]
    #: Only of an event that takes no time.
    transparency: NotRequired[Literal["transparent"]]
    #: Only of a private event.
    visibility: NotRequired[Literal["private"]]
    #: Where set.
    labels: NotRequired[list[str]]
    #: Where set.
    color: NotRequired[str]
    #: Where set.
    links: NotRequired[list[EventLinksItem]]
    local: NotRequired[LocalTime]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]


class LocalTime(TypedDict):
    """The same times on the wall clock of a zone. Only with `view=local`."""
    timezone: str
    #: Of the start.
    weekday: Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    #: Of the start.
    date: str
    #: Seconds and milliseconds only where there are any.
    start: str
    end: str
    #: Of the end. An all-day event ends where this date begins.
    end_date: str
    #: At the start.
    utc_offset: str
    #: At the end, where clocks change in between.
    end_utc_offset: NotRequired[str]
    #: The last day of an all-day event, included.
    last_date: NotRequired[str]
    text: str


class FullProposalConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class FullProposal(TypedDict):
    id: str
    title: str
    description: str | None
    organizer_agent_id: str
    participant_agent_ids: list[str]
    calendar_id: str
    status: Literal["pending", "confirmed", "expired", "cancelled"]
    expires_at: str | None
    resolved_slot: ResolvedSlot | None
    created_event_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[FullProposalConference]
    slots: list[ProposalSlot]
    responses: list[ProposalResponse]


class ResolvedSlot(TypedDict):
    id: str
    start_time: str
    end_time: str
    weight: float
    calendar_id: str
    local: NotRequired[LocalTime]


class ProposalSlot(TypedDict):
    id: str
    start_time: str
    end_time: str
    weight: float
    #: Null: the proposal's.
    calendar_id: str | None
    local: NotRequired[LocalTime]


class ProposalResponse(TypedDict):
    id: str
    agent_id: str
    response: Literal["accept", "decline", "counter"]
    selected_slot_id: str | None
    counter_slots: list[dict[str, Any]]
    message: str | None
    created_at: str


class ApprovalChangesItem(TypedDict):
    field: str
    before: Any
    after: Any


class ApprovalResult(TypedDict):
    status: int
    body: Any


class Approval(TypedDict):
    id: str
    #: `failed`: it was approved, and refused when it was done; `result` says why.
    status: Literal["pending", "approved", "rejected", "expired", "failed"]
    #: The request in words, with the local time. It quotes text that others wrote.
    summary: str
    #: One of the actions of the guardrail, or the operation.
    action: str
    agent_id: str
    #: The calendar that it is about; null for several, or for none.
    calendar_id: str | None
    key_prefix: str
    approver: Literal["session", "link"]
    changes: list[ApprovalChangesItem]
    created_at: str
    expires_at: str
    decided_at: str | None
    reason: str | None
    #: The answer to the request, once it was done or refused.
    result: ApprovalResult | None
    url: NotRequired[str]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]


class HoldGroupRequirementsItemMembersItem(TypedDict):
    calendar_id: str
    #: The owner of the calendar.
    agent_id: str | None
    event_id: str
    start_time: str
    end_time: str
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    #: Of a renewable group.
    hold_fence: NotRequired[int]
    local: NotRequired[LocalTime]


class HoldGroupRequirementsItem(TypedDict):
    need: int
    spare: int
    members: list[HoldGroupRequirementsItemMembersItem]


class HoldGroup(TypedDict):
    id: str
    status: Literal["held", "confirmed", "released", "expired"]
    #: Why it is `expired`.
    reason: Literal["lapsed", "preempted", "calendar_gone"] | None
    title: str
    description: str | None
    start_time: str
    end_time: str
    #: Null: it was confirmed at once.
    hold_expires_at: str | None
    hold_priority: int
    require_free: bool
    renewable: NotRequired[bool]
    renew_until: NotRequired[str]
    metadata: dict[str, Any]
    requirements: list[HoldGroupRequirementsItem]
    created_at: str
    updated_at: str
    local: NotRequired[LocalTime]


class Cause1(TypedDict):
    kind: Literal["event"]
    calendar_id: str
    event_id: str
    status: Literal["confirmed", "tentative"]
    #: Of a series: which occurrence.
    occurrence_start: NotRequired[str]


class Cause2(TypedDict):
    kind: Literal["hold"]
    calendar_id: str
    event_id: str
    hold_priority: int
    hold_expires_at: str
    #: The group that the hold was placed with.
    hold_group_id: NotRequired[str]


class Cause3(TypedDict):
    kind: Literal["buffer"]
    calendar_id: str
    event_id: str
    side: Literal["before", "after"]
    minutes: int


class Cause4(TypedDict):
    kind: Literal["working_hours"]
    calendar_id: NotRequired[str]


class Cause5(TypedDict):
    kind: Literal["closed_date"]
    calendar_id: NotRequired[str]
    #: The local day, in the zone of the calendar's rules.
    date: str


class Cause6(TypedDict):
    kind: Literal["holiday"]
    calendar_id: NotRequired[str]
    #: The local day, in the zone of the calendar's rules.
    date: str


class Cause7(TypedDict):
    kind: Literal["time_off"]
    calendar_id: str


class Cause8(TypedDict):
    kind: Literal["daily_limit"]
    calendar_id: str
    #: The local day, in the zone of the calendar's rules.
    date: str
    #: Which limit of the rules is reached, or would be exceeded.
    limit: Literal["meetings", "busy_minutes"]


class Cause9(TypedDict):
    kind: Literal["external"]
    reason: Literal["busy", "not_current"]


class Cause10(TypedDict):
    kind: Literal["busy"]


Cause: TypeAlias = "Cause1 | Cause2 | Cause3 | Cause4 | Cause5 | Cause6 | Cause7 | Cause8 | Cause9 | Cause10"


class DryRunEffectsItemResource(TypedDict):
    type: str
    #: Null for what the request itself would make.
    id: str | None


class DryRunEffectsItem(TypedDict):
    type: str
    resource: DryRunEffectsItemResource


class DryRun(TypedDict):
    """The changes that the request would make. Nothing was changed."""
    dry_run: Literal[True]
    #: The status with which the request itself would be answered.
    status: int
    #: The body of that answer; null if it would have none. Values that only the request itself would make (ids, secrets, their prefixes, slugs, addresses) are null.
    body: dict[str, Any] | None
    #: The changes that would happen, in order, as entries of the change feed, with or without subscribers.
    effects: list[DryRunEffectsItem]
    #: The units of monthly budgets that the request would take.
    spends: dict[str, int]


class ApprovalRequestedApproval(TypedDict):
    id: str
    #: `failed`: it was approved, and refused when it was done; `result` says why.
    status: Literal["pending", "approved", "rejected", "expired", "failed"]
    #: The request in words, with the local time. It quotes text that others wrote.
    summary: str
    expires_at: str
    #: The page on which a person decides after they have signed in. Only if the approver is `session`.
    url: NotRequired[str]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]


class ApprovalRequested(TypedDict):
    approval: ApprovalRequestedApproval


class Calendar(TypedDict):
    id: str
    orgId: str
    #: Null: the calendar belongs to the organization.
    agentId: str | None
    name: str
    timezone: str
    metadata: dict[str, Any]
    externalId: str | None
    provider: str | None
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    agent_status: str
    default_reminders: list[int] | None
    ical_url: str


class BusyFeed(TypedDict):
    busy_ical_url: str


class ChangedEventConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class ChangedEventLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class ChangedEventExternalSync(TypedDict):
    """The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended."""
    status: Literal["not_configured", "queued", "published", "skipped", "failed"]


class ChangedEvent(TypedDict):
    id: str
    calendarId: str
    orgId: str
    title: str
    description: str | None
    startTime: str
    endTime: str
    allDay: bool
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    metadata: dict[str, Any]
    #: Null: the calendar's.
    reminders: list[int] | None
    holdExpiresAt: str | None
    holdPriority: int
    #: The group that the hold was placed with.
    holdGroupId: NotRequired[str]
    #: Only of a renewable hold.
    renewable: NotRequired[bool]
    renewUntil: NotRequired[str]
    #: Of a renewable hold: of two holds of a calendar, the later one has the larger fence.
    holdFence: NotRequired[int]
    recurrenceRule: str | None
    recurrenceExdates: list[str]
    #: Where set: by whose clock the series repeats.
    recurrenceTimezone: NotRequired[str]
    #: Where set: starts beside those of the rule.
    recurrenceRdates: NotRequired[list[str]]
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[ChangedEventConference]
    #: Only of an event that takes no time.
    transparency: NotRequired[Literal["transparent"]]
    #: Only of a private event.
    visibility: NotRequired[Literal["private"]]
    #: Where set.
    labels: NotRequired[list[str]]
    #: Where set.
    color: NotRequired[str]
    #: Where set.
    links: NotRequired[list[ChangedEventLinksItem]]
    local: NotRequired[LocalTime]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]
    #: The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended.
    external_sync: ChangedEventExternalSync


class EventInstanceConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class EventInstanceLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class EventInstance(TypedDict):
    id: str
    calendarId: str
    orgId: str
    title: str
    description: str | None
    startTime: str
    endTime: str
    allDay: bool
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    metadata: dict[str, Any]
    #: Null: the calendar's.
    reminders: list[int] | None
    holdExpiresAt: str | None
    holdPriority: int
    #: The group that the hold was placed with.
    holdGroupId: NotRequired[str]
    #: Only of a renewable hold.
    renewable: NotRequired[bool]
    renewUntil: NotRequired[str]
    #: Of a renewable hold: of two holds of a calendar, the later one has the larger fence.
    holdFence: NotRequired[int]
    recurrenceRule: str | None
    recurrenceExdates: list[str]
    #: Where set: by whose clock the series repeats.
    recurrenceTimezone: NotRequired[str]
    #: Where set: starts beside those of the rule.
    recurrenceRdates: NotRequired[list[str]]
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[EventInstanceConference]
    #: Only of an event that takes no time.
    transparency: NotRequired[Literal["transparent"]]
    #: Only of a private event.
    visibility: NotRequired[Literal["private"]]
    #: Where set.
    labels: NotRequired[list[str]]
    #: Where set.
    color: NotRequired[str]
    #: Where set.
    links: NotRequired[list[EventInstanceLinksItem]]
    local: NotRequired[LocalTime]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]
    #: The series, of an occurrence.
    recurringEventId: NotRequired[str]
    #: The start the occurrence was generated for.
    originalStartTime: NotRequired[str]
    #: Only of an occurrence that was edited by itself.
    overridden: NotRequired[Literal[True]]


class ChangedEventInstanceConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class ChangedEventInstanceLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class ChangedEventInstanceExternalSync(TypedDict):
    """The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended."""
    status: Literal["not_configured", "queued", "published", "skipped", "failed"]


class ChangedEventInstance(TypedDict):
    id: str
    calendarId: str
    orgId: str
    title: str
    description: str | None
    startTime: str
    endTime: str
    allDay: bool
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    metadata: dict[str, Any]
    #: Null: the calendar's.
    reminders: list[int] | None
    holdExpiresAt: str | None
    holdPriority: int
    #: The group that the hold was placed with.
    holdGroupId: NotRequired[str]
    #: Only of a renewable hold.
    renewable: NotRequired[bool]
    renewUntil: NotRequired[str]
    #: Of a renewable hold: of two holds of a calendar, the later one has the larger fence.
    holdFence: NotRequired[int]
    recurrenceRule: str | None
    recurrenceExdates: list[str]
    #: Where set: by whose clock the series repeats.
    recurrenceTimezone: NotRequired[str]
    #: Where set: starts beside those of the rule.
    recurrenceRdates: NotRequired[list[str]]
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[ChangedEventInstanceConference]
    #: Only of an event that takes no time.
    transparency: NotRequired[Literal["transparent"]]
    #: Only of a private event.
    visibility: NotRequired[Literal["private"]]
    #: Where set.
    labels: NotRequired[list[str]]
    #: Where set.
    color: NotRequired[str]
    #: Where set.
    links: NotRequired[list[ChangedEventInstanceLinksItem]]
    local: NotRequired[LocalTime]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]
    #: The series, of an occurrence.
    recurringEventId: NotRequired[str]
    #: The start the occurrence was generated for.
    originalStartTime: NotRequired[str]
    #: Only of an occurrence that was edited by itself.
    overridden: NotRequired[Literal[True]]
    #: The state of the event's copy in the calendar of a human. `not_configured`: there is no destination. `skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written. `published`: it says this already. `failed`: it is kept until the destination is mended.
    external_sync: ChangedEventInstanceExternalSync


class SplitSeries(TypedDict):
    previous: ChangedEvent | None
    series: ChangedEvent


class CalendarContext(TypedDict):
    calendar_id: str
    now: str
    agent_status: str
    current_event: EventInstance | None
    next_event: EventInstance | None
    recent_events: list[EventInstance]
    upcoming: list[EventInstance]


class EventPage(TypedDict):
    data: list[EventInstance]
    #: The `cursor` of the next page; null on the last one.
    next_cursor: str | None


class DeletedEventConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class DeletedEventLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class DeletedEvent(TypedDict):
    id: str
    calendarId: str
    orgId: str
    title: str
    description: str | None
    startTime: str
    endTime: str
    allDay: bool
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    metadata: dict[str, Any]
    #: Null: the calendar's.
    reminders: list[int] | None
    holdExpiresAt: str | None
    holdPriority: int
    #: The group that the hold was placed with.
    holdGroupId: NotRequired[str]
    #: Only of a renewable hold.
    renewable: NotRequired[bool]
    renewUntil: NotRequired[str]
    #: Of a renewable hold: of two holds of a calendar, the later one has the larger fence.
    holdFence: NotRequired[int]
    recurrenceRule: str | None
    recurrenceExdates: list[str]
    #: Where set: by whose clock the series repeats.
    recurrenceTimezone: NotRequired[str]
    #: Where set: starts beside those of the rule.
    recurrenceRdates: NotRequired[list[str]]
    deletedAt: str
    createdAt: str
    updatedAt: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[DeletedEventConference]
    #: Only of an event that takes no time.
    transparency: NotRequired[Literal["transparent"]]
    #: Only of a private event.
    visibility: NotRequired[Literal["private"]]
    #: Where set.
    labels: NotRequired[list[str]]
    #: Where set.
    color: NotRequired[str]
    #: Where set.
    links: NotRequired[list[DeletedEventLinksItem]]
    local: NotRequired[LocalTime]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]
    #: Null: it cannot be restored, because a guest booked it.
    restorable_until: str | None


class EventHistoryEntryActor(TypedDict):
    agent_id: str | None
    key_prefix: str | None


EventHistoryEntryChangesItem = TypedDict("EventHistoryEntryChangesItem", {
    #: A key of the event record.
    "field": "str",
    #: Null if the record did not have it.
    "from": "Any",
    "to": "Any",
})


class EventHistoryEntry(TypedDict):
    change_id: str
    at: str
    #: As in the change feed.
    type: str
    cause: Literal["api", "timer", "booking", "import", "approval"]
    #: Null if no key or account acted: a time came due, a guest booked, a feed was imported.
    actor: EventHistoryEntryActor | None
    #: Only of a change of one occurrence: the start that the series gives it.
    occurrence_start: NotRequired[str]
    #: By name; `[]` for a creation and a deletion. Null with `incomplete`.
    changes: list[EventHistoryEntryChangesItem] | None
    #: The entry before it is not kept any more.
    incomplete: NotRequired[Literal[True]]
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]


class AvailabilitySlotsItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]


class AvailabilityBusyItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]


class AvailabilityPerAgentBusyValueItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]


class AvailabilitySources(TypedDict):
    internal: Literal["current"]
    external: Literal["current", "stale", "partial", "unavailable", "none"]
    #: Last synchronization of external calendars; null: there are none.
    last_synced_at: str | None


class AvailabilityBlockedItem(TypedDict):
    start: str
    end: str
    by: list[Cause]


class AvailabilityBestItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]
    score: int
    #: `touches_before`, `touches_after`, `in_preferred_hours`, `minutes_before:<n>` and `minutes_after:<n>` to the next busy time.
    reasons: list[str]


class Availability(TypedDict):
    agents: list[str]
    slots: list[AvailabilitySlotsItem]
    #: Busy time of the calendar, with include_busy.
    busy: NotRequired[list[AvailabilityBusyItem]]
    #: Busy time of each agent, with include_busy.
    per_agent_busy: NotRequired[dict[str, list[AvailabilityPerAgentBusyValueItem]]]
    availability_state: Literal["complete", "stale", "partial", "unavailable"]
    sources: AvailabilitySources
    #: `availability_incomplete`: the busy time of external calendars is not known.
    warnings: list[str]
    #: With `explain`: the time that is not free, as stretches of one set of causes each. At most 2,000 of them with 20,000 causes in all.
    blocked: NotRequired[list[AvailabilityBlockedItem]]
    #: There are more: `blocked` holds the first ones.
    blocked_truncated: NotRequired[Literal[True]]
    #: With `explain`, if there are no slots.
    empty_reason: NotRequired[Literal["external_not_current", "window_shorter_than_duration", "all_blocked", "no_stretch_long_enough", "daily_limit"]]
    #: With `best`: by score, then start. They do not overlap.
    best: NotRequired[list[AvailabilityBestItem]]


class AvailabilityCheckNextFreeItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]


class AvailabilityCheck(TypedDict):
    free: bool
    #: The causes that block the time, each once.
    blocked_by: list[Cause]
    #: The first start, at or after the requested one, from which the same length is free; null: none within 14 days.
    free_from: str | None
    #: The next free times of the same length, at most 5.
    next_free: list[AvailabilityCheckNextFreeItem]


class AvailabilityRulesWorkingHoursMonItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursTueItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursWedItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursThuItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursFriItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursSatItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHoursSunItem(TypedDict):
    start: str
    end: str


class AvailabilityRulesWorkingHours(TypedDict):
    mon: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursMonItem]]
    tue: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursTueItem]]
    wed: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursWedItem]]
    thu: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursThuItem]]
    fri: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursFriItem]]
    sat: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursSatItem]]
    sun: NotRequired[DayHours | list[AvailabilityRulesWorkingHoursSunItem]]


class AvailabilityRulesDatesItemHoursItem(TypedDict):
    start: str
    end: str


AvailabilityRulesDatesItem = TypedDict("AvailabilityRulesDatesItem", {
    "from": "str",
    #: The last day; without it one day.
    "to": "NotRequired[str]",
    "hours": "list[AvailabilityRulesDatesItemHoursItem]",
    "label": "NotRequired[str]",
})


class AvailabilityRulesTimeOffItem(TypedDict):
    start: str
    end: str
    label: NotRequired[str]


class AvailabilityRules(TypedDict):
    id: str
    calendar_id: str
    buffer_before_minutes: int
    buffer_after_minutes: int
    working_hours: AvailabilityRulesWorkingHours | None
    timezone: str
    #: This and the following are shown where they are set.
    dates: NotRequired[list[AvailabilityRulesDatesItem]]
    time_off: NotRequired[list[AvailabilityRulesTimeOffItem]]
    #: Those that were not removed.
    holiday_subscription_ids: NotRequired[list[str]]
    max_meetings_per_day: NotRequired[int]
    max_busy_minutes_per_day: NotRequired[int]
    created_at: str
    updated_at: str


class TimeLocal(TypedDict):
    timezone: str
    weekday: Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    date: str
    #: To the minute.
    time: str
    utc_offset: str
    text: str


class TimeNextOffsetChange(TypedDict):
    at: str
    #: From then on.
    utc_offset: str


class Time(TypedDict):
    now: str
    local: TimeLocal
    #: Of the local date.
    iso_week: str
    #: null if there is none.
    next_offset_change: TimeNextOffsetChange | None


class CreatedApiKey(TypedDict):
    id: str
    key_prefix: str
    agent_id: str
    label: str | None
    created_at: str
    guardrails: NotRequired[KeyGuardrails]
    #: Only where the key ends.
    expires_at: NotRequired[str]
    #: The secret. Shown only here.
    key: str


class KeyGuardrailsAllowedHoursMonItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursTueItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursWedItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursThuItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursFriItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursSatItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHoursSunItem(TypedDict):
    start: str
    end: str


class KeyGuardrailsAllowedHours(TypedDict):
    mon: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursMonItem]]
    tue: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursTueItem]]
    wed: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursWedItem]]
    thu: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursThuItem]]
    fri: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursFriItem]]
    sat: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursSatItem]]
    sun: NotRequired[DayHours | list[KeyGuardrailsAllowedHoursSunItem]]


class KeyGuardrailsApproval(TypedDict):
    #: `all`: every change that an agent key can make.
    on: Literal["all"] | list[Literal["event.create", "event.update", "event.delete", "hold.create", "hold.confirm", "calendar.update", "calendar.delete"]]
    expires_in_minutes: int
    #: `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner.
    approver: Literal["session", "link"]


class KeyGuardrails(TypedDict):
    """Only where the key has some."""
    #: The key changes nothing.
    read_only: NotRequired[bool]
    #: The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these.
    calendar_ids: NotRequired[list[str]]
    #: Of the hours and of the days that are counted; UTC without it.
    timezone: NotRequired[str]
    allowed_hours: NotRequired[KeyGuardrailsAllowedHours]
    #: The longest event or hold.
    max_minutes: NotRequired[int]
    #: Events and holds start at most this many days from now, each occurrence of the first 366 days too.
    max_days_ahead: NotRequired[int]
    #: Events and holds start at least this many minutes from now.
    min_notice_minutes: NotRequired[int]
    max_hold_priority: NotRequired[int]
    #: Active holds on the calendars of its agent.
    max_live_holds: NotRequired[int]
    #: As if every change of time had `require_free`.
    require_free: NotRequired[bool]
    #: Events that the key creates in a day of `timezone`, and holds that it confirms.
    max_events_per_day: NotRequired[int]
    #: Holds that the key places in a day of `timezone`.
    max_holds_per_day: NotRequired[int]
    approval: NotRequired[KeyGuardrailsApproval]
    #: At least so careful is the key shown text that guests and feeds wrote, on every surface.
    outside_text: NotRequired[Literal["fenced", "hidden"]]


class ListedApiKeyCreatedBy(TypedDict):
    member_id: str
    email: str


class ListedApiKey(TypedDict):
    id: str
    key_prefix: str
    agent_id: str
    label: str | None
    created_at: str
    guardrails: NotRequired[KeyGuardrails]
    #: Null: never.
    expires_at: NotRequired[str | None]
    #: Up to ten minutes late; null: never used.
    last_used_at: NotRequired[str | None]
    #: Who made it with a console session; null: nobody did.
    created_by: NotRequired[ListedApiKeyCreatedBy | None]
    #: The key that has replaced it: this one works until `expires_at`.
    replaced_by: NotRequired[str | None]


class ApiKey(TypedDict):
    id: str
    key_prefix: str
    agent_id: str
    label: str | None
    created_at: str
    guardrails: NotRequired[KeyGuardrails]
    #: Only where the key ends.
    expires_at: NotRequired[str]


class RotatedApiKey(TypedDict):
    id: str
    key_prefix: str
    agent_id: str
    label: str | None
    created_at: str
    guardrails: NotRequired[KeyGuardrails]
    #: Only where the key ends.
    expires_at: NotRequired[str]
    #: The secret. Shown only here.
    key: str
    #: Until when the key that was replaced works; null: it has ended.
    previous_expires_at: str | None


class OrganizationKeyRecordCreatedBy(TypedDict):
    member_id: str
    email: str


class OrganizationKeyRecord(TypedDict):
    id: str
    key_prefix: str
    name: str | None
    #: `read_only`: only `GET`.
    scope: Literal["full", "read_only"]
    #: The key that is made without a body.
    primary: bool
    allowed_ips: list[str] | None
    created_at: str
    #: Null: never.
    expires_at: str | None
    #: Up to ten minutes late; null: never used.
    last_used_at: str | None
    #: Who made it with a console session; null: nobody did.
    created_by: OrganizationKeyRecordCreatedBy | None
    #: The key that has replaced it: this one works until `expires_at`.
    replaced_by: str | None


class OrganizationKeyCreatedBy(TypedDict):
    member_id: str
    email: str


class OrganizationKey(TypedDict):
    id: str
    #: The secret. Shown only here.
    key: str
    key_prefix: str
    created_at: str
    name: NotRequired[str | None]
    #: `read_only`: only `GET`.
    scope: NotRequired[Literal["full", "read_only"]]
    #: The key that is made without a body.
    primary: NotRequired[bool]
    allowed_ips: NotRequired[list[str] | None]
    #: Null: never.
    expires_at: NotRequired[str | None]
    #: Up to ten minutes late; null: never used.
    last_used_at: NotRequired[str | None]
    #: Who made it with a console session; null: nobody did.
    created_by: NotRequired[OrganizationKeyCreatedBy | None]
    #: The key that has replaced it: this one works until `expires_at`.
    replaced_by: NotRequired[str | None]


class RegeneratedOrganizationKey(TypedDict):
    id: str
    #: The secret. Shown only here.
    key: str
    key_prefix: str
    created_at: str
    #: Until when the key that was replaced works; null: it has ended.
    previous_expires_at: NotRequired[str | None]


class RotatedOrganizationKeyCreatedBy(TypedDict):
    member_id: str
    email: str


class RotatedOrganizationKey(TypedDict):
    id: str
    key_prefix: str
    name: str | None
    #: `read_only`: only `GET`.
    scope: Literal["full", "read_only"]
    #: The key that is made without a body.
    primary: bool
    allowed_ips: list[str] | None
    created_at: str
    #: Null: never.
    expires_at: str | None
    #: Up to ten minutes late; null: never used.
    last_used_at: str | None
    #: Who made it with a console session; null: nobody did.
    created_by: RotatedOrganizationKeyCreatedBy | None
    #: The key that has replaced it: this one works until `expires_at`.
    replaced_by: str | None
    #: The secret. Shown only here.
    key: str
    #: Until when the key that was replaced works; null: it has ended.
    previous_expires_at: str | None


class ProposalConference(TypedDict):
    """Where set."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class Proposal(TypedDict):
    id: str
    title: str
    description: str | None
    organizer_agent_id: str
    participant_agent_ids: list[str]
    calendar_id: str
    status: Literal["pending", "confirmed", "expired", "cancelled"]
    expires_at: str | None
    resolved_slot: ResolvedSlot | None
    created_event_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    #: Where set.
    location: NotRequired[str]
    #: Where set.
    conference: NotRequired[ProposalConference]


class IcalSubscription(TypedDict):
    id: str
    agent_id: str
    calendar_id: str
    url: str
    label: str | None
    status: Literal["active", "error", "paused"]
    last_synced_at: str | None
    #: Why the last sync failed, in one line. While the status is `active`: how many parts of the feed could not be read.
    last_error: str | None
    created_at: str
    #: Where set.
    keep: NotRequired[list[Literal["details", "transparency"]]]


class CreatedConnectionLink(TypedDict):
    id: str
    calendar_id: str
    status: Literal["awaiting_human", "in_progress", "completed", "declined", "expired", "cancelled"]
    expires_at: str
    #: Give it to the human. Shown once: null if a pending link was reused.
    setup_url: str | None
    reused: bool


class ConnectionLink(TypedDict):
    id: str
    calendar_id: str
    status: Literal["awaiting_human", "in_progress", "completed", "declined", "expired", "cancelled"]
    expires_at: str
    #: Null until the link is completed.
    connection_id: str | None


class CalendarConnectionDetail(TypedDict):
    id: str
    provider: Literal["google", "microsoft", "caldav"]
    account_label: str | None
    capabilities: list[Literal["availability", "publishing"]]
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]
    reauthorization_reason: Literal["grant_revoked", "credentials_rejected", "scope_missing", "provider_policy", "unattended"] | None
    selected_calendar_count: int
    last_authenticated_at: str
    created_at: str
    #: Of another member, whose account has no label here. For owners and admins only.
    member_id: NotRequired[str]
    #: The primary one first, then by name.
    calendars: list[ExternalCalendar]


class ExternalCalendarSync(TypedDict):
    #: Null: the calendar is not selected.
    status: Literal["pending", "syncing", "current", "stale", "partial", "unavailable"] | None
    last_attempted_at: str | None
    last_successful_sync_at: str | None
    last_error_category: Literal["rate_limited", "unreachable", "provider_error", "unauthorized", "forbidden", "not_found", "too_large", "malformed"] | None


class ExternalCalendar(TypedDict):
    id: str
    name: str
    access_role: Literal["owner", "writer", "reader", "free_busy"] | None
    primary: bool
    timezone: str | None
    availability_readable: bool
    writable: bool
    selected: bool
    #: Selected, readable, and in an active grant.
    availability_source_active: bool
    sync: ExternalCalendarSync


class CalendarConnection(TypedDict):
    id: str
    provider: Literal["google", "microsoft", "caldav"]
    account_label: str | None
    capabilities: list[Literal["availability", "publishing"]]
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]
    reauthorization_reason: Literal["grant_revoked", "credentials_rejected", "scope_missing", "provider_policy", "unattended"] | None
    selected_calendar_count: int
    last_authenticated_at: str
    created_at: str
    #: Of another member, whose account has no label here. For owners and admins only.
    member_id: NotRequired[str]


class ExternalDestinationHealth(TypedDict):
    #: Copies that will be written.
    queued: int
    #: Copies that wait until the destination works again, or were given up.
    failed: int
    last_error_category: str | None


class ExternalDestination(TypedDict):
    id: str
    calendar_id: str
    external_calendar_id: str
    #: Which events are published: `confirmed` ones, or `tentative` ones too.
    policy: Literal["confirmed", "confirmed_tentative"]
    #: The connection is active, and the calendar can still be written to.
    active: bool
    health: ExternalDestinationHealth


class AvailabilityGrant(TypedDict):
    id: str
    audience: Literal["selected_agents", "all_current_agents", "all_org_agents"]
    #: With `all_current_agents`: agents that are created later are not included.
    audience_cutoff_at: str | None
    active: bool
    external_calendar_ids: list[str]
    agent_ids: list[str]
    created_at: str


class BookingPageAvailabilityConstraintsMonItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsTueItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsWedItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsThuItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsFriItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsSatItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraintsSunItem(TypedDict):
    start: str
    end: str


class BookingPageAvailabilityConstraints(TypedDict):
    mon: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsMonItem]]
    tue: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsTueItem]]
    wed: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsWedItem]]
    thu: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsThuItem]]
    fri: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsFriItem]]
    sat: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsSatItem]]
    sun: NotRequired[DayHours | list[BookingPageAvailabilityConstraintsSunItem]]


class BookingPageQuestionsItem(TypedDict):
    #: Names the answer; unique on the page.
    name: str
    #: The question as guests read it.
    label: str
    kind: Literal["text", "long_text", "choice"]
    required: bool
    #: The possible answers; only for the kind `choice`.
    options: NotRequired[list[str]]


class BookingPageConference(TypedDict):
    """The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class BookingPage(TypedDict):
    id: str
    org_id: str
    calendar_id: str
    agent_id: str | None
    slug: str
    title: str
    description: str | None
    duration_minutes: int
    buffer_minutes: int
    window_days: int
    min_notice_minutes: int
    timezone: str
    availability_constraints: BookingPageAvailabilityConstraints | None
    #: Guests can book. Always false once the calendar is deleted.
    active: bool
    bookings_count: int
    booking_url: str
    created_at: str
    updated_at: str
    #: The person whom guests meet. The page shows it above the title.
    host_name: NotRequired[str]
    #: The organization of the host.
    host_organization: NotRequired[str]
    #: Where it takes place: an address, a phone number, or a link to a call.
    location: NotRequired[str]
    #: A privacy policy for the data that guests enter. The form links to it.
    privacy_url: NotRequired[str]
    #: A readable address in addition to the secret one, unique in the installation. It can be guessed.
    vanity_slug: NotRequired[str]
    #: Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may.
    allowed_origins: NotRequired[list[str]]
    #: Questions to guests besides their name and address.
    questions: NotRequired[list[BookingPageQuestionsItem]]
    #: An image above the title, and in previews of links. Browsers of guests load it from there.
    logo_url: NotRequired[str]
    #: The colour of buttons and links. It is made darker or lighter if text on it would be hard to read.
    theme_color: NotRequired[str]
    #: Minutes from the start of one slot to the next. Without it slots follow each other.
    slot_interval_minutes: NotRequired[int]
    #: How many further guests may be invited with a booking, each by a mail.
    additional_guests: NotRequired[int]
    #: How guests reach the host if no time is free: an address, a phone number or a link.
    contact: NotRequired[str]
    #: Whether guests get mails about their bookings. Records have this field only if it is false.
    guest_mails: NotRequired[bool]
    #: The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`.
    conference: NotRequired[BookingPageConference]
    #: Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true.
    details_on_event: NotRequired[bool]
    #: The page at its readable address.
    vanity_url: NotRequired[str]
    #: The reason why guests cannot book, if there is one.
    warnings: NotRequired[list[str]]


class PageBookingAnswersItem(TypedDict):
    name: str
    label: str
    answer: str


class PageBooking(TypedDict):
    event_id: str
    start: str
    end: str
    status: Literal["confirmed", "cancelled"]
    name: str
    email: str
    notes: str | None
    answers: list[PageBookingAnswersItem]
    #: The addresses of further guests who were invited.
    guests: list[str]
    created_at: str
    #: Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.
    outside: NotRequired[dict[str, Literal["guest", "import"]]]


class BookingSlotsBookingPageQuestionsItem(TypedDict):
    #: Names the answer; unique on the page.
    name: str
    #: The question as guests read it.
    label: str
    kind: Literal["text", "long_text", "choice"]
    required: bool
    #: The possible answers; only for the kind `choice`.
    options: NotRequired[list[str]]


class BookingSlotsBookingPageConference(TypedDict):
    """Where set: guests who have booked get the whole."""
    provider: str


class BookingSlotsBookingPage(TypedDict):
    slug: str
    title: str
    description: str | None
    duration_minutes: int
    timezone: str
    #: The person whom guests meet. The page shows it above the title.
    host_name: NotRequired[str]
    #: The organization of the host.
    host_organization: NotRequired[str]
    #: Where it takes place: an address, a phone number, or a link to a call.
    location: NotRequired[str]
    #: Questions to guests besides their name and address.
    questions: NotRequired[list[BookingSlotsBookingPageQuestionsItem]]
    #: How many further guests may be invited with a booking, each by a mail.
    additional_guests: NotRequired[int]
    #: How guests reach the host if no time is free: an address, a phone number or a link.
    contact: NotRequired[str]
    #: Where set: guests who have booked get the whole.
    conference: NotRequired[BookingSlotsBookingPageConference]


class BookingSlotsSlotsItem(TypedDict):
    start: str
    end: str


class BookingSlotsBlockedItem(TypedDict):
    start: str
    end: str
    by: list[Cause]


class BookingSlots(TypedDict):
    booking_page: BookingSlotsBookingPage
    slots: list[BookingSlotsSlotsItem]
    #: Only if later slots may be free: pass it as `from` for the next ones.
    next_from: NotRequired[str]
    #: With `explain`: the time that is not free, as stretches of one set of causes each. At most 2,000 of them with 20,000 causes in all.
    blocked: NotRequired[list[BookingSlotsBlockedItem]]
    #: There are more: `blocked` holds the first ones.
    blocked_truncated: NotRequired[Literal[True]]
    #: With `explain`, if there are no slots.
    empty_reason: NotRequired[Literal["external_not_current", "window_shorter_than_duration", "all_blocked", "no_stretch_long_enough", "daily_limit"]]


class BookingEvent(TypedDict):
    id: str
    status: Literal["confirmed"]


class Booking(TypedDict):
    booking_page_id: str
    event: BookingEvent


class GuestBookingEvent(TypedDict):
    id: str
    status: Literal["confirmed", "cancelled"]


class GuestBooking(TypedDict):
    booking_page_id: str
    event: GuestBookingEvent
    start: str
    end: str
    can_cancel: bool
    can_reschedule: bool


class CreatedWebhook(TypedDict):
    id: str
    orgId: str
    url: str
    events: list[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]
    active: bool
    consecutiveFailures: int
    firstFailureAt: str | None
    createdAt: str
    #: Present only if it is used, like the next two fields.
    calendarIds: NotRequired[list[str] | None]
    agentIds: NotRequired[list[str] | None]
    standard: NotRequired[bool]
    #: The names of `headers`, in lower case and in order.
    headerNames: NotRequired[list[str]]
    envelope: NotRequired[bool]
    #: Present only in an overlap: until then the previous secret signs as well.
    previousSecretExpiresAt: NotRequired[str]
    #: Signs the deliveries. Shown only here.
    secret: str


class Webhook(TypedDict):
    id: str
    orgId: str
    url: str
    events: list[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]
    active: bool
    consecutiveFailures: int
    firstFailureAt: str | None
    createdAt: str
    #: Present only if it is used, like the next two fields.
    calendarIds: NotRequired[list[str] | None]
    agentIds: NotRequired[list[str] | None]
    standard: NotRequired[bool]
    #: The names of `headers`, in lower case and in order.
    headerNames: NotRequired[list[str]]
    envelope: NotRequired[bool]
    #: Present only in an overlap: until then the previous secret signs as well.
    previousSecretExpiresAt: NotRequired[str]


class WebhookDeliveryLastAttempt(TypedDict):
    outcome: str
    #: Null without an answer.
    http_status: int | None
    #: Null if it was made before durations were recorded.
    duration_ms: int | None


class WebhookDelivery(TypedDict):
    id: str
    subscription_id: str
    event_type: Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    last_attempt_at: str | None
    next_retry_at: str | None
    created_at: str
    payload: NotRequired[dict[str, Any]]
    #: Only with `include_attempt=true`. Null until an attempt has ended.
    last_attempt: NotRequired[WebhookDeliveryLastAttempt | None]


class WebhookDeliveryDetailAttemptLogItem(TypedDict):
    at: str
    outcome: str
    #: Null without an answer.
    http_status: int | None
    duration_ms: int
    #: The first 500 characters of the answer; null without one.
    body_start: str | None


class WebhookDeliveryDetail(TypedDict):
    id: str
    subscription_id: str
    event_type: Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    last_attempt_at: str | None
    next_retry_at: str | None
    created_at: str
    #: Null if the change is no longer kept.
    payload: dict[str, Any] | None
    #: Those of the last attempt, by their names in lower case; null before the first one. The signatures are left out if the webhook has changed since, and the `headers` of the webhook always.
    request_headers: dict[str, str] | None
    #: The attempts that have ended, the last 50, earliest first.
    attempt_log: list[WebhookDeliveryDetailAttemptLogItem]


class StartedWebhookReplay(TypedDict):
    id: str
    #: How many deliveries are sent.
    matched: int
    status: Literal["pending", "running", "done"]


class WebhookReplay(TypedDict):
    id: str
    #: How many deliveries are sent.
    matched: int
    status: Literal["pending", "running", "done"]
    #: How many of them have been handed over to be sent.
    progress: int
    created_at: str


class WebhookTest(TypedDict):
    delivered: bool
    outcome: str
    #: Null without an answer.
    http_status: int | None
    duration_ms: int
    #: The first 500 characters of the answer; null without one.
    body_start: str | None


class RotatedSecret(TypedDict):
    #: Signs the deliveries. Shown only here.
    secret: str
    #: Null without an overlap.
    previous_expires_at: str | None


class WebhookHealthLastFailure(TypedDict):
    at: str
    outcome: str
    #: Null without an answer.
    http_status: int | None


class WebhookHealth(TypedDict):
    state: Literal["healthy", "failing", "disabled"]
    #: In the window, like the next five fields.
    attempts: int
    delivered: int
    failed: int
    by_outcome: dict[str, int]
    #: Null without attempts.
    p50_ms: int | None
    p95_ms: int | None
    #: Counted up to 10,000.
    pending: int
    oldest_pending_at: str | None
    last_success_at: str | None
    last_failure: WebhookHealthLastFailure | None
    consecutive_failures: int
    #: This many failures in a row switch the webhook off.
    disables_at: int


class WebhookHealthSeriesPointsItem(TypedDict):
    #: The beginning of the step.
    at: str
    delivered: int
    failed: int
    #: Null without attempts.
    p95_ms: int | None


class WebhookHealthSeries(TypedDict):
    points: list[WebhookHealthSeriesPointsItem]


class ChangeResource(TypedDict):
    type: Literal["event", "calendar", "agent", "availability_rules", "proposal", "booking_page", "ical_subscription", "webhook", "approval", "hold_group", "connection_link", "availability_source"]
    #: For `availability_rules`: of its calendar. For `availability_source`: of the agent.
    id: str


class ChangeActor(TypedDict):
    agent_id: str | None
    key_prefix: str | None


class Change(TypedDict):
    #: Of the entry: `change_id` and `position`.
    id: str
    change_id: str
    #: Among the entries of one change.
    position: int
    type: Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored", "event.hold_renewed", "agent.decommissioned", "calendar.created", "calendar.updated", "calendar.deleted", "calendar.imported", "availability_rules.set", "availability_rules.removed", "booking_page.created", "booking_page.updated", "booking_page.removed", "ical_subscription.created", "ical_subscription.updated", "ical_subscription.removed"]
    at: str
    calendar_id: str | None
    #: The agent that owns the calendar or organizes the proposal.
    agent_id: str | None
    resource: ChangeResource
    #: The revision of the calendar after the change. Null for a start, end or reminder, and without a calendar.
    revision: int | None
    cause: Literal["api", "timer", "booking", "import", "approval"]
    #: Null if no key or account acted: a time came due, a guest booked, a feed was imported.
    actor: ChangeActor | None
    #: The payload that webhooks of this type get, fixed when the change happened. Left out with `payload=none`.
    payload: NotRequired[dict[str, Any]]


class UsageAgents(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageCalendars(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageEvents(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageApiCalls(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageWebhooks(TypedDict):
    """Deliveries."""
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageAvailabilityQueries(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageIcalSubscriptions(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageProposals(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageRecurringEvents(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageWebhookEndpoints(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageBookingPages(TypedDict):
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageScopedKeys(TypedDict):
    """Keys of agents."""
    used: int
    #: Null is unlimited.
    limit: int | None


class UsageHolds(TypedDict):
    """Holds that have not ended. They have no limit of their own: each counts as one of `events`. 0 without a paid plan."""
    used: int
    #: Null is unlimited.
    limit: int | None


class Usage(TypedDict):
    plan: Literal["free", "pro", "custom"]
    period_start: str
    period_end: str
    agents: UsageAgents
    calendars: UsageCalendars
    events: UsageEvents
    api_calls: UsageApiCalls
    #: Deliveries.
    webhooks: UsageWebhooks
    availability_queries: UsageAvailabilityQueries
    ical_subscriptions: UsageIcalSubscriptions
    proposals: UsageProposals
    recurring_events: UsageRecurringEvents
    webhook_endpoints: UsageWebhookEndpoints
    booking_pages: UsageBookingPages
    #: Keys of agents.
    scoped_keys: UsageScopedKeys
    #: Holds that have not ended. They have no limit of their own: each counts as one of `events`. 0 without a paid plan.
    holds: UsageHolds


class AuditEntry(TypedDict):
    id: str
    action: str
    actor_key_prefix: str | None
    #: The address of the account, if a console session acted.
    actor_account: NotRequired[str]
    #: With `include_member=true`: the member whose session acted; null for keys.
    actor_member: NotRequired[str | None]
    #: With `include_member=true`: the role of that member at the time.
    actor_role: NotRequired[Literal["owner", "admin", "developer", "viewer"] | None]
    #: The agent whose key acted; null if it was not the key of an agent.
    agent_id: str | None
    resource: str | None
    ip: str | None
    status: int | None
    method: str | None
    path: str | None
    duration_ms: int | None
    request_id: str | None
    created_at: str


class RefusedRequest(TypedDict):
    request_id: str
    at: str
    method: str
    #: Without its query.
    path: str
    status: int
    type: str
    code: str | None
    param: str | None
    key_prefix: str | None
    #: The address of the account, if a console session asked.
    actor_account: str | None
    agent_id: str | None
    ip: str | None
    duration_ms: int


class PlanLimits(TypedDict):
    agents: int | None
    calendars: int | None
    events: int | None
    api_calls: int | None
    webhook_deliveries: int | None
    availability_queries: int | None
    ical_subscriptions: int | None
    proposals: int | None
    recurring_events: int | None
    webhook_endpoints: int | None
    booking_pages: int | None
    scoped_keys: int | None


class Plan(TypedDict):
    id: Literal["free", "pro", "custom"]
    name: str
    tagline: str
    #: Per month, in the smallest unit of the currency; null: negotiated.
    price: int | None
    currency: str | None
    #: Null for one limit: unlimited. Null for all of `limits`: negotiated.
    limits: PlanLimits | None
    #: For people. The limits of a plan are in `limits`.
    display_features: list[str]
    recommended: bool
    custom_pricing: NotRequired[Literal[True]]
    contact_url: NotRequired[str]


class SignedIn(TypedDict):
    org: Organization
    #: A JWT, valid as bearer token for 12 hours or until sign-out.
    token: str
    expires_at: str


class Organization(TypedDict):
    id: str
    name: str
    email: str
    plan: Literal["free", "pro", "custom", "free-agent", "free-agent-unverified"]
    #: For organizations that an agent signed up; null for others.
    verification_status: Literal["unverified", "verified"] | None
    is_waitlisted: bool
    signup_source: str
    email_verified: bool
    accepted_terms_version: str | None
    accepted_terms_at: str | None
    created_at: str
    updated_at: str


class AgentSignUp(TypedDict):
    """For an address that is known already, only `message`."""
    org_id: NotRequired[str]
    agent_id: NotRequired[str]
    #: The secret of the organization. Shown only here.
    api_key: NotRequired[str]
    message: str


class SignedInThroughMember(TypedDict):
    """If an invitation was accepted."""
    id: str
    role: Literal["owner", "admin", "developer", "viewer"]


class SignedInThrough(TypedDict):
    org: Organization
    #: A JWT, valid as bearer token for 12 hours or until sign-out.
    token: str
    expires_at: str
    #: If an invitation was accepted.
    member: NotRequired[SignedInThroughMember]


class Reauthenticated(TypedDict):
    reauthenticated_until: str


class Session(TypedDict):
    id: str
    created_at: str
    last_seen_at: str
    #: Where it was opened.
    ip: str | None
    #: The program that opened it, in its own words; at most 200 characters.
    user_agent: str | None
    #: The session of this request.
    current: bool


class FactorsTotp(TypedDict):
    enabled: bool
    enabled_at: str | None


class Factors(TypedDict):
    totp: FactorsTotp
    recovery_codes_left: int


class Invitation(TypedDict):
    id: str
    email: str
    role: Literal["owner", "admin", "developer", "viewer"]
    status: Literal["pending", "accepted", "revoked", "expired"]
    #: The address of the member who sent the link.
    invited_by: str
    created_at: str
    #: When the last link was sent.
    sent_at: str
    expires_at: str


class OpenInvitationOrganization(TypedDict):
    name: str


class OpenInvitation(TypedDict):
    organization: OpenInvitationOrganization
    email: str
    role: Literal["owner", "admin", "developer", "viewer"]
    invited_by: str
    expires_at: str


class JoinedMember(TypedDict):
    id: str
    role: Literal["owner", "admin", "developer", "viewer"]


class Joined(TypedDict):
    org: Organization
    member: JoinedMember


class SignedUpMemberMember(TypedDict):
    id: str
    role: Literal["owner", "admin", "developer", "viewer"]


class SignedUpMember(TypedDict):
    org: Organization
    #: A JWT, valid as bearer token for 12 hours or until sign-out.
    token: str
    expires_at: str
    member: SignedUpMemberMember


class ProvidersSignInItem(TypedDict):
    id: str
    name: str


class ProvidersCalendarsItem(TypedDict):
    id: str
    name: str


class Providers(TypedDict):
    #: For `GET /v1/auth/oauth/{provider}`.
    sign_in: list[ProvidersSignInItem]
    #: For `POST /v1/calendar-connections/oauth/{provider}/start`. CalDAV always works and is not listed.
    calendars: list[ProvidersCalendarsItem]


class Checklist(TypedDict):
    #: The address of the organization is proven.
    address: bool
    #: There is an API key.
    key: bool
    agent: bool
    calendar: bool
    #: There is an event that was not imported.
    event: bool
    webhook: bool
    #: A receiver has accepted a delivery.
    delivery: bool


class TermsManifest(TypedDict):
    version: str
    effective_at: str
    url: str
    #: Existing customers must accept again.
    material: bool


class WaitlistedData(TypedDict):
    id: str
    name: str
    email: str
    is_waitlisted: bool
    waitlisted_at: str | None
    signup_source: str


class Waitlisted(TypedDict):
    data: WaitlistedData
    message: str


class AccountExportCalendarsItem(TypedDict):
    id: str
    orgId: str
    #: Null: the calendar belongs to the organization.
    agentId: str | None
    name: str
    timezone: str
    metadata: dict[str, Any]
    externalId: str | None
    provider: str | None
    deletedAt: str | None
    createdAt: str
    updatedAt: str
    agent_status: str
    default_reminders: list[int] | None
    ical_url: str
    #: The token of its public feed.
    ical_token: str
    #: That of its busy feed, if it has one.
    busy_ical_token: NotRequired[str]


class AccountExportWebhookSubscriptionsItem(TypedDict):
    id: str
    orgId: str
    url: str
    events: list[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]
    active: bool
    consecutiveFailures: int
    firstFailureAt: str | None
    createdAt: str
    #: Present only if it is used, like the next two fields.
    calendarIds: NotRequired[list[str] | None]
    agentIds: NotRequired[list[str] | None]
    standard: NotRequired[bool]
    #: The names of `headers`, in lower case and in order.
    headerNames: NotRequired[list[str]]
    envelope: NotRequired[bool]
    #: Present only in an overlap: until then the previous secret signs as well.
    previousSecretExpiresAt: NotRequired[str]
    #: Signs the deliveries. Shown only here.
    secret: str
    headers: NotRequired[dict[str, str]]


class AccountExportApiKeysItem(TypedDict):
    id: str
    key_prefix: str
    #: Null: the organization's own key.
    agent_id: str | None
    label: str | None
    created_at: str
    revoked_at: str | None


class AccountExportProposalSlotsItem(TypedDict):
    id: str
    start_time: str
    end_time: str
    weight: float
    #: Null: the proposal's.
    calendar_id: str | None
    local: NotRequired[LocalTime]
    proposal_id: str


class AccountExportProposalResponsesItem(TypedDict):
    id: str
    agent_id: str
    response: Literal["accept", "decline", "counter"]
    selected_slot_id: str | None
    counter_slots: list[dict[str, Any]]
    message: str | None
    created_at: str
    proposal_id: str


class AccountExportGuardrailsItem(TypedDict):
    key_id: str
    agent_id: str
    guardrails: KeyGuardrails


class AccountExportUsageRecordsItem(TypedDict):
    metric: str
    period_start: str
    used: int


class AccountExportQuotaCountersItem(TypedDict):
    metric: str
    period_start: str
    period_end: str
    used: int
    #: Null is unlimited.
    limit: int | None


class AccountExportTosAcceptancesItem(TypedDict):
    version: str
    #: SHA-256 of the published content, in hexadecimal digits.
    document_hash: str
    source: str
    ip: str | None
    user_agent: str | None
    accepted_at: str


class AccountExportMembersItem(TypedDict):
    id: str
    email: str
    role: Literal["owner", "admin", "developer", "viewer"]
    joined_at: str


class AccountExport(TypedDict):
    exported_at: str
    format_version: Literal["1"]
    org: Organization
    agents: list[Agent]
    #: Deleted ones too, while they are kept.
    calendars: list[AccountExportCalendarsItem]
    #: Deleted ones too, while they are kept.
    events: list[Event]
    #: Occurrences that differ from their series, if there are any.
    overrides: NotRequired[list[EventInstance]]
    availability_rules: list[AvailabilityRules]
    ical_subscriptions: list[IcalSubscription]
    webhook_subscriptions: list[AccountExportWebhookSubscriptionsItem]
    #: Without their secrets, which are not kept.
    api_keys: list[AccountExportApiKeysItem]
    scheduling_proposals: list[Proposal]
    proposal_slots: list[AccountExportProposalSlotsItem]
    proposal_responses: list[AccountExportProposalResponsesItem]
    hold_groups: list[HoldGroup]
    #: Of agent keys, if any has some.
    guardrails: NotRequired[list[AccountExportGuardrailsItem]]
    #: If an agent key has asked for any.
    approvals: NotRequired[list[Approval]]
    usage_records: list[AccountExportUsageRecordsItem]
    quota_counters: list[AccountExportQuotaCountersItem]
    tos_acceptances: list[AccountExportTosAcceptancesItem]
    #: Once somebody was invited.
    members: NotRequired[list[AccountExportMembersItem]]
    #: Once there was one.
    invitations: NotRequired[list[Invitation]]
    #: Always empty.
    account_claims_initiated: list[Any]


class CurrentSessionAccount(TypedDict):
    email: str
    has_password: bool


class CurrentSessionMember(TypedDict):
    id: str
    role: Literal["owner", "admin", "developer", "viewer"]


class CurrentSession(TypedDict):
    id: str
    account: CurrentSessionAccount
    org: Organization
    member: CurrentSessionMember
    #: It was opened with a second factor.
    second_factor: bool
    #: Until then acts that ask for re-authentication do not ask; null: they ask.
    reauthenticated_until: str | None
    #: The ways in which this account shows who it is.
    reauthentication: list[Literal["password", "code", "provider"]]
    expires_at: str


class MembershipOrg(TypedDict):
    id: str
    name: str
    plan: Literal["free", "pro", "custom", "free-agent", "free-agent-unverified"]


class Membership(TypedDict):
    org: MembershipOrg
    role: Literal["owner", "admin", "developer", "viewer"]
    member_id: str
    require_second_factor: bool


class Member(TypedDict):
    id: str
    email: str
    role: Literal["owner", "admin", "developer", "viewer"]
    joined_at: str
    #: It is the member who asks.
    you: bool
    #: Whether the account has a second factor. For owners and admins only.
    second_factor: NotRequired[bool]
    #: When a session of the account was last used; null: it has none. For owners and admins only.
    last_seen_at: NotRequired[str | None]


class OrganizationDetailLimits(TypedDict):
    """In force now; null is unlimited."""
    agents: int | None
    calendars: int | None
    events: int | None
    api_calls: int | None
    webhooks: int | None
    webhook_deliveries: int | None
    availability_queries: int | None
    ical_subscriptions: int | None
    proposals: int | None
    recurring_events: int | None
    booking_pages: int | None
    scoped_keys: int | None
    organization_keys: int | None
    agents_per_query: int | None
    query_range_days: int | None
    audit_retention_days: int | None
    changes_retention_days: int | None
    change_waits: int | None
    calendar_connections: int | None
    members: int | None


class OrganizationDetail(TypedDict):
    org: Organization
    #: In force now; null is unlimited.
    limits: OrganizationDetailLimits
    #: In force now; null is unlimited.
    rate_limit_per_second: int | None
    usage: Usage


class Queue(TypedDict):
    name: str
    waiting: int
    active: int
    #: Wake-ups that are not due yet.
    delayed: int
    failed: int
    #: How long the oldest waiting wake-up has been due; 0 if none waits.
    oldest_seconds: float


class ErrorErrorResync(TypedDict):
    """With `cursor_gone`: take this cursor, read the lists, then follow the cursor. Nothing is missed."""
    cursor: str
    lists: list[str]


class ErrorErrorConflict1(TypedDict):
    kind: Literal["event"]
    calendar_id: str
    event_id: str
    status: Literal["confirmed", "tentative"]
    #: Of a series: which occurrence.
    occurrence_start: NotRequired[str]
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict2(TypedDict):
    kind: Literal["hold"]
    calendar_id: str
    event_id: str
    hold_priority: int
    hold_expires_at: str
    #: The group that the hold was placed with.
    hold_group_id: NotRequired[str]
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict3(TypedDict):
    kind: Literal["buffer"]
    calendar_id: str
    event_id: str
    side: Literal["before", "after"]
    minutes: int
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict4(TypedDict):
    kind: Literal["working_hours"]
    calendar_id: NotRequired[str]
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict5(TypedDict):
    kind: Literal["closed_date"]
    calendar_id: NotRequired[str]
    #: The local day, in the zone of the calendar's rules.
    date: str
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict6(TypedDict):
    kind: Literal["holiday"]
    calendar_id: NotRequired[str]
    #: The local day, in the zone of the calendar's rules.
    date: str
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict7(TypedDict):
    kind: Literal["time_off"]
    calendar_id: str
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict8(TypedDict):
    kind: Literal["daily_limit"]
    calendar_id: str
    #: The local day, in the zone of the calendar's rules.
    date: str
    #: Which limit of the rules is reached, or would be exceeded.
    limit: Literal["meetings", "busy_minutes"]
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict9(TypedDict):
    kind: Literal["external"]
    reason: Literal["busy", "not_current"]
    start_time: str
    end_time: str
    agent_id: str | None


class ErrorErrorConflict10(TypedDict):
    kind: Literal["busy"]


class ErrorErrorAlternativesItem(TypedDict):
    start: str
    end: str
    local: NotRequired[LocalTime]


class ErrorErrorBlockedItem(TypedDict):
    requirement: int
    calendar_id: str
    by: list[Cause]


class ErrorErrorErrorsItem(TypedDict):
    param: str | None
    message: str


class ErrorError(TypedDict):
    #: The kind of error, for programs to decide by.
    type: Literal["validation_error", "bad_request", "validation", "invalid_transition", "authentication_error", "forbidden", "plan_required", "account_waitlisted", "not_found", "conflict", "email_taken", "tos_version_stale", "cursor_gone", "precondition_failed", "idempotency_key_reused", "rate_limit_error", "rate_limited", "quota_exceeded", "internal_error"]
    #: The problem and the next step, for people. The wording may change.
    message: str
    #: The first wrong field or parameter, as a dotted path: `slots.0.end_time`. Null if it concerns none.
    param: str | None
    #: The same id as in the header `X-Request-Id`.
    request_id: str
    #: A more specific name than the type, if there is one.
    code: NotRequired[Literal["invalid_time_format", "offset_mismatch", "nonexistent_local_time", "ambiguous_local_time", "weekday_mismatch", "end_before_start", "agent_required", "calendar_required", "timezone_required", "window_in_past", "in_past", "series_scope", "calendar_not_found", "event_not_found", "external_event_readonly", "guardrail", "role", "key_expired", "key_scope", "ip_not_allowed", "key_replaced", "overlap_open", "reauthentication_required", "second_factor_required", "wrong_code", "challenge_ended", "address_unproven", "wrong_account", "already_member", "already_invited", "last_owner", "has_members", "agent_decommissioned", "hold_conflict", "hold_expired", "not_a_hold", "hold_in_group", "not_renewable", "not_free", "not_deleted", "not_restorable", "approval_decided", "approval_expired", "time_taken", "duplicate_response", "credentials_rejected", "scope_missing", "in_use", "account_mismatch", "second_factor_missing", "required_by_organization", "provider_error", "availability_incomplete"]]
    #: Values that may be sent instead, the likeliest first. Present if a local time or a weekday is refused.
    suggestions: NotRequired[list[str]]
    #: With `plan_required`: the feature that the plan lacks.
    feature: NotRequired[str]
    #: With the code `guardrail`: the one that refuses it.
    guardrail: NotRequired[Literal["read_only", "calendar_ids", "allowed_hours", "max_minutes", "max_days_ahead", "min_notice_minutes", "max_hold_priority", "max_live_holds", "max_events_per_day", "max_holds_per_day", "approval"]]
    #: With `reauthentication_required`: the ways in which this account may show it.
    methods: NotRequired[list[Literal["password", "code", "provider"]]]
    #: With `second_factor_required` of a sign-in: goes with the code. It is good for 5 minutes.
    challenge: NotRequired[str]
    #: With `required_by_organization`: those whose policy it is. With `last_owner`, of several: those that would have no owner.
    organizations: NotRequired[list[str]]
    #: With the code `role`: the least that is enough.
    required_role: NotRequired[Literal["owner", "admin", "developer", "viewer"]]
    #: With `tos_version_stale`: the version of the terms of service to accept.
    current_version: NotRequired[str]
    #: With `idempotency_key_reused`: the request that the key was used for.
    original_request_id: NotRequired[str]
    #: With `cursor_gone`: why the cursor is no longer valid.
    reason: NotRequired[Literal["too_old", "restored"]]
    #: With `cursor_gone`: take this cursor, read the lists, then follow the cursor. Nothing is missed.
    resync: NotRequired[ErrorErrorResync]
    #: With `precondition_failed`: the current tag of the record.
    current_etag: NotRequired[str]
    #: With `explain`: the first thing in the way, its times, and the owner of its calendar.
    conflict: NotRequired[ErrorErrorConflict1 | ErrorErrorConflict2 | ErrorErrorConflict3 | ErrorErrorConflict4 | ErrorErrorConflict5 | ErrorErrorConflict6 | ErrorErrorConflict7 | ErrorErrorConflict8 | ErrorErrorConflict9 | ErrorErrorConflict10]
    #: With `explain`: how many things are in the way.
    conflicts: NotRequired[int]
    #: With `explain`: the next times of the same length that would be accepted, at most 5, within 14 days. They are not reserved.
    alternatives: NotRequired[list[ErrorErrorAlternativesItem]]
    #: With `explain`, of a hold group: what is in the way on each calendar.
    blocked: NotRequired[list[ErrorErrorBlockedItem]]
    #: With `explain`, if only holds are in the way: when the last of them runs out.
    retry_at: NotRequired[str]
    #: Every wrong field, if there are several.
    errors: NotRequired[list[ErrorErrorErrorsItem]]


class Error(TypedDict):
    error: ErrorError


class AgentCreatedPayload(TypedDict):
    agent: Agent


class AgentUpdatedPayload(TypedDict):
    agent: Agent


class EventCreatedPayload(TypedDict):
    calendar_id: str
    event: Event
    #: Only for a booking: the page on which it was made.
    booking_page_id: NotRequired[str]
    #: Only if it was deleted before, and is back under its id.
    restored: NotRequired[Literal[True]]


class EventUpdatedPayload(TypedDict):
    calendar_id: str
    event: Event


class EventDeletedPayload(TypedDict):
    calendar_id: str
    event_id: str


class EventStartedPayload(TypedDict):
    event_id: str
    calendar_id: str
    title: str
    start_time: str
    end_time: str
    #: Only for a series: the start of the occurrence that these times belong to.
    occurrence_start: NotRequired[str]


class EventEndedPayload(TypedDict):
    event_id: str
    calendar_id: str
    title: str
    start_time: str
    end_time: str
    #: Only for a series: the start of the occurrence that these times belong to.
    occurrence_start: NotRequired[str]


class EventReminderPayload(TypedDict):
    event_id: str
    calendar_id: str
    title: str
    start_time: str
    end_time: str
    #: Only for a series: the start of the occurrence that these times belong to.
    occurrence_start: NotRequired[str]
    #: Minutes before the start.
    reminder_minutes: int


class EventHoldCreatedPayload(TypedDict):
    calendar_id: str
    event: Event


class EventHoldExpiredPayload(TypedDict):
    calendar_id: str
    event_id: str


class EventHoldReleasedPayload(TypedDict):
    calendar_id: str
    event_id: str


class EventHoldConfirmedPayload(TypedDict):
    calendar_id: str
    event: Event


class ProposalCreatedPayload(TypedDict):
    proposal: FullProposal


class ProposalRespondedPayload(TypedDict):
    proposal_id: str
    agent_id: str
    response: Literal["accept", "decline", "counter"]


class ProposalConfirmedPayload(TypedDict):
    proposal_id: str
    resolved_slot: ResolvedSlot
    created_event_id: str


class ProposalCancelledPayload(TypedDict):
    proposal_id: str
    reason: Literal["organizer_cancelled", "all_declined"]


class ProposalExpiredPayload(TypedDict):
    proposal_id: str


class WebhookDeactivatedPayload(TypedDict):
    webhook_id: str
    url: str
    reason: Literal["consecutive_failures"]


class ApprovalRequestedPayload(TypedDict):
    approval: Approval


class ApprovalDecidedPayload(TypedDict):
    approval: Approval


class HoldGroupCreatedPayload(TypedDict):
    hold_group: HoldGroup


class HoldGroupConfirmedPayload(TypedDict):
    hold_group: HoldGroup


class HoldGroupReleasedPayload(TypedDict):
    hold_group: HoldGroup


class HoldGroupExpiredPayload(TypedDict):
    hold_group: HoldGroup


class ConnectionLinkCompletedPayloadConnectionLink(TypedDict):
    id: str
    calendar_id: str
    status: Literal["completed"]


class ConnectionLinkCompletedPayload(TypedDict):
    connection_link: ConnectionLinkCompletedPayloadConnectionLink


class ConnectionLinkEndedPayloadConnectionLink(TypedDict):
    id: str
    calendar_id: str
    status: Literal["declined", "cancelled", "expired"]


class ConnectionLinkEndedPayload(TypedDict):
    connection_link: ConnectionLinkEndedPayloadConnectionLink


class AvailabilitySourceInterruptedPayload(TypedDict):
    agent_id: str


class AvailabilitySourceRestoredPayload(TypedDict):
    agent_id: str


#: Every type of webhook event.
WebhookType: TypeAlias = Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]
