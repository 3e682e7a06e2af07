# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import ApiKey, CreatedApiKey, DayHours, DryRun, ListedApiKey, RotatedApiKey


class CreateAgentKeyBodyGuardrailsAllowedHoursMonItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursTueItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursWedItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursThuItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursFriItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursSatItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHoursSunItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyBodyGuardrailsAllowedHours(TypedDict):
    """Events and holds lie within these hours, each occurrence of the first 366 days too."""
    mon: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursMonItem]]
    tue: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursTueItem]]
    wed: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursWedItem]]
    thu: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursThuItem]]
    fri: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursFriItem]]
    sat: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursSatItem]]
    sun: NotRequired[DayHours | Sequence[CreateAgentKeyBodyGuardrailsAllowedHoursSunItem]]


class CreateAgentKeyBodyGuardrailsApproval(TypedDict):
    #: `all`: every change that an agent key can make.
    on: Literal["all"] | Sequence[Literal["event.create", "event.update", "event.delete", "hold.create", "hold.confirm", "calendar.update", "calendar.delete"]]
    expires_in_minutes: NotRequired[int]
    #: `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner.
    approver: NotRequired[Literal["session", "link"]]


class CreateAgentKeyBodyGuardrails(TypedDict):
    """Limits of what the key may do; null: none."""
    #: The key changes nothing.
    read_only: NotRequired[bool]
    #: The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these.
    calendar_ids: NotRequired[Sequence[str]]
    #: Of the hours and of the days that are counted; UTC without it.
    timezone: NotRequired[str]
    #: Events and holds lie within these hours, each occurrence of the first 366 days too.
    allowed_hours: NotRequired[CreateAgentKeyBodyGuardrailsAllowedHours]
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
    approval: NotRequired[CreateAgentKeyBodyGuardrailsApproval]
    #: At least so careful is the key shown text that guests and feeds wrote, on every surface.
    outside_text: NotRequired[Literal["fenced", "hidden"]]


class CreateAgentKeyBody(TypedDict):
    agent_id: str
    label: NotRequired[str]
    guardrails: NotRequired[CreateAgentKeyBodyGuardrails | None]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]


class ListAgentKeysOptions(ReadOptions, total=False):
    #: With `expires_at`, `last_used_at`, `created_by` and `replaced_by`.
    include_use: bool


class ListAgentKeysAnswer(TypedDict):
    keys: list[ListedApiKey]


class UpdateAgentKeyBodyGuardrailsAllowedHoursMonItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursTueItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursWedItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursThuItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursFriItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursSatItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHoursSunItem(TypedDict):
    start: str
    end: str


class UpdateAgentKeyBodyGuardrailsAllowedHours(TypedDict):
    """Events and holds lie within these hours, each occurrence of the first 366 days too."""
    mon: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursMonItem]]
    tue: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursTueItem]]
    wed: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursWedItem]]
    thu: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursThuItem]]
    fri: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursFriItem]]
    sat: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursSatItem]]
    sun: NotRequired[DayHours | Sequence[UpdateAgentKeyBodyGuardrailsAllowedHoursSunItem]]


class UpdateAgentKeyBodyGuardrailsApproval(TypedDict):
    #: `all`: every change that an agent key can make.
    on: Literal["all"] | Sequence[Literal["event.create", "event.update", "event.delete", "hold.create", "hold.confirm", "calendar.update", "calendar.delete"]]
    expires_in_minutes: NotRequired[int]
    #: `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner.
    approver: NotRequired[Literal["session", "link"]]


class UpdateAgentKeyBodyGuardrails(TypedDict):
    """Limits of what the key may do; null: none."""
    #: The key changes nothing.
    read_only: NotRequired[bool]
    #: The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these.
    calendar_ids: NotRequired[Sequence[str]]
    #: Of the hours and of the days that are counted; UTC without it.
    timezone: NotRequired[str]
    #: Events and holds lie within these hours, each occurrence of the first 366 days too.
    allowed_hours: NotRequired[UpdateAgentKeyBodyGuardrailsAllowedHours]
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
    approval: NotRequired[UpdateAgentKeyBodyGuardrailsApproval]
    #: At least so careful is the key shown text that guests and feeds wrote, on every surface.
    outside_text: NotRequired[Literal["fenced", "hidden"]]


class UpdateAgentKeyBody(TypedDict):
    label: NotRequired[str | None]
    guardrails: NotRequired[UpdateAgentKeyBodyGuardrails | None]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]


class RotateAgentKeyBody(TypedDict):
    #: For how long the key that is replaced continues to work; 0: it ends at once.
    overlap_seconds: NotRequired[int]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]
    #: End the key before this one, if it still works.
    force: NotRequired[bool]


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursMonItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursTueItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursWedItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursThuItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursFriItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursSatItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursSunItem(TypedDict):
    start: str
    end: str


class CreateAgentKeyFromConsoleBodyGuardrailsAllowedHours(TypedDict):
    """Events and holds lie within these hours, each occurrence of the first 366 days too."""
    mon: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursMonItem]]
    tue: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursTueItem]]
    wed: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursWedItem]]
    thu: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursThuItem]]
    fri: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursFriItem]]
    sat: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursSatItem]]
    sun: NotRequired[DayHours | Sequence[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHoursSunItem]]


class CreateAgentKeyFromConsoleBodyGuardrailsApproval(TypedDict):
    #: `all`: every change that an agent key can make.
    on: Literal["all"] | Sequence[Literal["event.create", "event.update", "event.delete", "hold.create", "hold.confirm", "calendar.update", "calendar.delete"]]
    expires_in_minutes: NotRequired[int]
    #: `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner.
    approver: NotRequired[Literal["session", "link"]]


class CreateAgentKeyFromConsoleBodyGuardrails(TypedDict):
    """Limits of what the key may do; null: none."""
    #: The key changes nothing.
    read_only: NotRequired[bool]
    #: The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these.
    calendar_ids: NotRequired[Sequence[str]]
    #: Of the hours and of the days that are counted; UTC without it.
    timezone: NotRequired[str]
    #: Events and holds lie within these hours, each occurrence of the first 366 days too.
    allowed_hours: NotRequired[CreateAgentKeyFromConsoleBodyGuardrailsAllowedHours]
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
    approval: NotRequired[CreateAgentKeyFromConsoleBodyGuardrailsApproval]
    #: At least so careful is the key shown text that guests and feeds wrote, on every surface.
    outside_text: NotRequired[Literal["fenced", "hidden"]]


class CreateAgentKeyFromConsoleBody(TypedDict):
    agent_id: str
    label: NotRequired[str]
    guardrails: NotRequired[CreateAgentKeyFromConsoleBodyGuardrails | None]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]


class KeysGroup(Group):
    @overload
    def create(self, body: CreateAgentKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateAgentKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedApiKey: ...

    def create(self, body: CreateAgentKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a key for one agent.

        The whole secret appears only in this answer. The key reads and writes the agent's own calendars, events, availability and iCal subscriptions; what belongs to the organization is `forbidden` to it. An agent may have several keys.

        `guardrails` limit what the key may do. A request that they forbid is `forbidden` with the code `guardrail`; `guardrail` in the error names the one. `max_events_per_day` and `max_holds_per_day` are `quota_exceeded` with that code.

        `POST /v1/keys`
        """
        return self._call(operations.create_agent_key, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListAgentKeysOptions]) -> ListAgentKeysAnswer:
        """List agent keys.

        All active keys of agents, newest first, in one answer without pages; the organization's own keys are not listed. The audit log names a key by its `key_prefix`.

        `GET /v1/keys`
        """
        return self._call(operations.list_agent_keys, {}, None, options)

    @overload
    def update(self, id: str, body: UpdateAgentKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateAgentKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> ApiKey: ...

    def update(self, id: str, body: UpdateAgentKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change the label, the guardrails or the end of an agent key.

        Fields that are left out stay. `guardrails` are replaced as a whole; null removes them, and the end. Every process obeys them from the next request on. A key that was replaced may end earlier, not later.

        `PATCH /v1/keys/{id}`
        """
        return self._call(operations.update_agent_key, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def revoke(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def revoke(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def revoke(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Revoke an agent key.

        Every process refuses the key from the next request on.

        `DELETE /v1/keys/{id}`
        """
        return self._call(operations.revoke_agent_key, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def rotate(self, id: str, body: RotateAgentKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def rotate(self, id: str, body: RotateAgentKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RotatedApiKey: ...

    def rotate(self, id: str, body: RotateAgentKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Rotate an agent key.

        A new key with the same label and guardrails, and as long a life unless `expires_at` says otherwise. The old one works until `previous_expires_at`; with `overlap_seconds: 0` it ends before this answers, and that is null. While the key before this one still works, `force: true` is needed, which ends it.

        `POST /v1/keys/{id}/rotate`
        """
        return self._call(operations.rotate_agent_key, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedApiKey: ...

    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a key for one agent from the console.

        The same as `POST /v1/keys`, with a console session instead of the organization's key. The secret is shown only in this answer.

        `POST /v1/auth/keys/scoped`
        """
        return self._call(operations.create_agent_key_from_console, {}, body, {**options, "dry_run": dry_run or None})
