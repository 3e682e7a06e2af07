# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import DryRun, IcalSubscription


class CreateIcalSubscriptionBody(TypedDict):
    calendar_id: str
    #: HTTPS address of an .ics feed.
    url: str
    label: NotRequired[str]
    #: Events keep these besides title, description, times and status. `details`: place, call, visibility, labels, colour and links. `transparency`: those that say so take no time. null and []: nothing.
    keep: NotRequired[Sequence[Literal["details", "transparency"]] | None]


class ListIcalSubscriptionsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["active", "error", "paused"]


class ListIcalSubscriptionsPage(TypedDict):
    data: list[IcalSubscription]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class ListAllIcalSubscriptionsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["active", "error", "paused"]


class ListAllIcalSubscriptionsPage(TypedDict):
    data: list[IcalSubscription]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateIcalSubscriptionBody(TypedDict):
    label: NotRequired[str]
    #: HTTPS address of an .ics feed.
    url: NotRequired[str]
    #: Events keep these besides title, description, times and status. `details`: place, call, visibility, labels, colour and links. `transparency`: those that say so take no time. null and []: nothing.
    keep: NotRequired[Sequence[Literal["details", "transparency"]] | None]


class SyncIcalSubscriptionAnswer(TypedDict):
    status: Literal["syncing"]


class IcalSubscriptionsGroup(Group):
    @overload
    def create(self, agent_id: str, body: CreateIcalSubscriptionBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, agent_id: str, body: CreateIcalSubscriptionBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> IcalSubscription: ...

    def create(self, agent_id: str, body: CreateIcalSubscriptionBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Subscribe a calendar to an external feed.

        The feed is read at once and then every 15 minutes. Its events are copied as read-only events that block time, send no webhook events and use no quota.

        `calendar_id` is a calendar of this agent or, with the organization's key, one without an agent. The address must be public HTTPS.

        An invalid body is 422; a reached limit of the plan is 402.

        `POST /v1/agents/{agent_id}/ical-subscriptions`
        """
        return self._call(operations.create_ical_subscription, {"agent_id": agent_id}, body, {**options, "dry_run": dry_run or None})

    def list(self, agent_id: str, **options: Unpack[ListIcalSubscriptionsOptions]) -> Paged[IcalSubscription, ListIcalSubscriptionsPage]:
        """List the iCal subscriptions of an agent.

        Newest first. `status` is `active`, `error` (the last sync failed with `last_error` and will be repeated) or `paused` (the agent is decommissioned or the calendar is deleted).

        `GET /v1/agents/{agent_id}/ical-subscriptions`
        """
        return self._paged(operations.list_ical_subscriptions, {"agent_id": agent_id}, options)

    def list_all(self, **options: Unpack[ListAllIcalSubscriptionsOptions]) -> Paged[IcalSubscription, ListAllIcalSubscriptionsPage]:
        """List the iCal subscriptions of all agents.

        As the list of one agent, newest first. An agent key sees those of its agent.

        `GET /v1/ical-subscriptions`
        """
        return self._paged(operations.list_all_ical_subscriptions, {}, options)

    def get(self, id: str, **options: Unpack[ReadOptions]) -> IcalSubscription:
        """Read an iCal subscription.

        `last_synced_at` is the time of the last successful sync, also if the feed had not changed; null before the first one. `last_error` is null if the last sync succeeded.

        `GET /v1/ical-subscriptions/{id}`
        """
        return self._call(operations.get_ical_subscription, {"id": id}, None, options)

    @overload
    def update(self, id: str, body: UpdateIcalSubscriptionBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateIcalSubscriptionBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> IcalSubscription: ...

    def update(self, id: str, body: UpdateIcalSubscriptionBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change an iCal subscription.

        A new `url` is read at once, and events that it does not contain are removed. The calendar cannot change. An invalid body is 422.

        `PATCH /v1/ical-subscriptions/{id}`
        """
        return self._call(operations.update_ical_subscription, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove an iCal subscription.

        Imported events stay, read-only, until their calendar is deleted.

        `DELETE /v1/ical-subscriptions/{id}`
        """
        return self._call(operations.delete_ical_subscription, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def sync(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def sync(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> SyncIcalSubscriptionAnswer: ...

    def sync(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Read the feed of an iCal subscription now.

        The answer comes before the feed is read: check `last_synced_at` and `last_error` afterwards. Takes no body.

        `POST /v1/ical-subscriptions/{id}/sync`
        """
        return self._call(operations.sync_ical_subscription, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def get_feed(self, ical_token: str, **options: Unpack[ReadOptions]) -> str:
        """The public feed of a calendar.

        The token in the path is the credential. A matching `If-None-Match` gets 304.

        `GET /ical/{ical_token}.ics`
        """
        return self._call(operations.get_ical_feed, {"ical_token": ical_token}, None, options)
