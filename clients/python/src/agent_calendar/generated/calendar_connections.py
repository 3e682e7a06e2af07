# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import DryRun, ExternalDestination


class GetExternalDestinationAnswer(TypedDict):
    data: ExternalDestination | None


class SetExternalDestinationBody(TypedDict):
    #: A calendar that can be written to.
    external_calendar_id: str
    #: Which events are published: `confirmed` ones, or `tentative` ones too.
    policy: NotRequired[Literal["confirmed", "confirmed_tentative"]]


class DeleteExternalDestinationOptions(WriteOptions, total=False):
    #: Leaves the copies of events that have not ended in the external calendar.
    keep_published: bool


class ReceiveMicrosoftPushOptions(ReadOptions, total=False):
    validation_token: Any


class CalendarConnectionsGroup(Group):
    def get_external_destination(self, id: str, **options: Unpack[ReadOptions]) -> GetExternalDestinationAnswer:
        """Read where the events of a calendar are published to.

        `data` is null if they are published nowhere.

        `GET /v1/calendars/{id}/external-destination`
        """
        return self._call(operations.get_external_destination, {"id": id}, None, options)

    @overload
    def set_external_destination(self, id: str, body: SetExternalDestinationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def set_external_destination(self, id: str, body: SetExternalDestinationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> ExternalDestination: ...

    def set_external_destination(self, id: str, body: SetExternalDestinationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Publish the events of a calendar into an external calendar.

        Events that end in the future are published, and follow every change. Nothing comes back: a copy that the human moved is written over when its event changes, one that they deleted stays deleted until the event gets another start, end or rule.

        Setting another external calendar withdraws the copies from the previous one. Setting the same one again repairs failed copies.

        `PUT /v1/calendars/{id}/external-destination`
        """
        return self._call(operations.set_external_destination, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete_external_destination(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteExternalDestinationOptions]) -> DryRun: ...

    @overload
    def delete_external_destination(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteExternalDestinationOptions]) -> None: ...

    def delete_external_destination(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Stop publishing the events of a calendar.

        Copies that have not ended are withdrawn, unless `keep_published=true`. Past ones stay. Answers 204 also if there is no destination.

        `DELETE /v1/calendars/{id}/external-destination`
        """
        return self._call(operations.delete_external_destination, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def receive_google_push(self, **options: Unpack[ReadOptions]) -> None:
        """The address that Google sends messages about changes to.

        Google calls it, not you. The channel and its secret are in headers; the body is not read. The answer is always the same.

        `POST /v1/calendar-connections/push/google`
        """
        return self._call(operations.receive_google_push, {}, None, options)

    def receive_microsoft_push(self, channel: str, **options: Unpack[ReceiveMicrosoftPushOptions]) -> str:
        """The address that Microsoft sends messages about changes to.

        Microsoft calls it, not you. The answer is always 202. While a channel is being made, its `validationToken` is answered as text.

        `POST /v1/calendar-connections/push/microsoft/{channel}`
        """
        return self._call(operations.receive_microsoft_push, {"channel": channel}, None, options)
