# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import CreatedWebhook, DryRun, RotatedSecret, StartedWebhookReplay, Webhook, WebhookDelivery, WebhookDeliveryDetail, WebhookHealth, WebhookHealthSeries, WebhookReplay, WebhookTest


class CreateWebhookBody(TypedDict):
    #: HTTPS address that receives the events.
    url: str
    events: Sequence[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]
    #: Only what happens on one of these calendars, or to one of `agent_ids`. Null: everything.
    calendar_ids: NotRequired[Sequence[str] | None]
    #: Only what happens to one of these agents, on their calendars, or in proposals that they organize or take part in.
    agent_ids: NotRequired[Sequence[str] | None]
    #: Deliveries also carry the headers of Standard Webhooks and those of the change.
    standard: NotRequired[bool]
    headers: NotRequired[Mapping[str, str] | None]
    #: The body of a delivery is `{ type, id, at, data }`, with the payload as `data`.
    envelope: NotRequired[bool]


class ListWebhooksOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListWebhooksPage(TypedDict):
    data: list[Webhook]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateWebhookBody(TypedDict):
    #: HTTPS address that receives the events.
    url: NotRequired[str]
    events: NotRequired[Sequence[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]]
    active: NotRequired[bool]
    #: Only what happens on one of these calendars, or to one of `agent_ids`. Null: everything.
    calendar_ids: NotRequired[Sequence[str] | None]
    #: Only what happens to one of these agents, on their calendars, or in proposals that they organize or take part in.
    agent_ids: NotRequired[Sequence[str] | None]
    #: Deliveries also carry the headers of Standard Webhooks and those of the change.
    standard: NotRequired[bool]
    headers: NotRequired[Mapping[str, str] | None]
    #: The body of a delivery is `{ type, id, at, data }`, with the payload as `data`.
    envelope: NotRequired[bool]


class ListWebhookDeliveriesOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: The `next_cursor` of the page before.
    cursor: str
    status: Literal["pending", "delivered", "failed"]
    event_type: Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]
    #: First `created_at` that is listed.
    from_: Moment
    #: Last `created_at` that is listed.
    to: Moment
    include_payload: bool
    #: Shows how the last attempt of each ended.
    include_attempt: bool
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListWebhookDeliveriesPageStats(TypedDict):
    pending: int
    delivered: int
    failed: int


class ListWebhookDeliveriesPage(TypedDict):
    data: list[WebhookDelivery]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int
    stats: ListWebhookDeliveriesPageStats
    #: The `cursor` of the next page; null on the last one.
    next_cursor: NotRequired[str | None]


class GetWebhookDeliveryOptions(ReadOptions, total=False):
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


ReplayWebhookBody = TypedDict("ReplayWebhookBody", {
    #: At most 30 days before `to`.
    "from": "Moment",
    #: Default: now.
    "to": "NotRequired[Moment]",
    #: Default: all.
    "types": "NotRequired[Sequence[Literal['agent.created', 'agent.updated', 'event.created', 'event.updated', 'event.deleted', 'event.started', 'event.ended', 'event.reminder', 'event.hold_created', 'event.hold_expired', 'event.hold_released', 'event.hold_confirmed', 'proposal.created', 'proposal.responded', 'proposal.confirmed', 'proposal.cancelled', 'proposal.expired', 'webhook.deactivated', 'approval.requested', 'approval.decided', 'hold_group.created', 'hold_group.confirmed', 'hold_group.released', 'hold_group.expired', 'connection_link.completed', 'connection_link.ended', 'availability_source.interrupted', 'availability_source.restored']]]",
    #: `undelivered`: those that failed and those that are pending.
    "only": "NotRequired[Literal['failed', 'undelivered', 'all']]",
    #: Also what happened before the webhook existed, while it was off, or before it subscribed to that type.
    "include_missed": "NotRequired[bool]",
})


class TestWebhookBody(TypedDict):
    #: Default: the first one of the webhook.
    type: NotRequired[Literal["agent.created", "agent.updated", "event.created", "event.updated", "event.deleted", "event.started", "event.ended", "event.reminder", "event.hold_created", "event.hold_expired", "event.hold_released", "event.hold_confirmed", "proposal.created", "proposal.responded", "proposal.confirmed", "proposal.cancelled", "proposal.expired", "webhook.deactivated", "approval.requested", "approval.decided", "hold_group.created", "hold_group.confirmed", "hold_group.released", "hold_group.expired", "connection_link.completed", "connection_link.ended", "availability_source.interrupted", "availability_source.restored"]]


class RotateWebhookSecretBody(TypedDict):
    #: How long the previous secret still signs.
    overlap_seconds: NotRequired[int]
    #: Replaces the secret even while an overlap is open.
    force: NotRequired[bool]


class GetWebhookHealthOptions(ReadOptions, total=False):
    #: How far back it counts.
    window: Literal["1h", "24h", "7d"]


class GetWebhookHealthSeriesOptions(ReadOptions, total=False):
    #: How far back it counts.
    window: Literal["1h", "24h", "7d"]


class WebhooksGroup(Group):
    @overload
    def create(self, body: CreateWebhookBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateWebhookBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedWebhook: ...

    def create(self, body: CreateWebhookBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Subscribe an address to events.

        `secret`, which signs the deliveries, appears only in this answer. The address must be public HTTPS, and may subscribe to an event type only once (`conflict`), unless the filters of both webhooks never meet. The deliveries are described under Webhooks in this document.

        `POST /v1/webhooks`
        """
        return self._call(operations.create_webhook, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListWebhooksOptions]) -> Paged[Webhook, ListWebhooksPage]:
        """List webhooks.

        Newest first, inactive ones included; 20 per page unless `limit` says otherwise. Secrets are not shown.

        `GET /v1/webhooks`
        """
        return self._paged(operations.list_webhooks, {}, options)

    def get(self, id: str, **options: Unpack[ReadOptions]) -> Webhook:
        """Read a webhook.

        `consecutiveFailures` counts failed attempts in a row; a success resets it to 0, and at 50 the webhook is switched off. `firstFailureAt` is null while there are none.

        `GET /v1/webhooks/{id}`
        """
        return self._call(operations.get_webhook, {"id": id}, None, options)

    @overload
    def update(self, id: str, body: UpdateWebhookBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateWebhookBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Webhook: ...

    def update(self, id: str, body: UpdateWebhookBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change a webhook.

        `events` is replaced as a whole. `active: true` switches the webhook on again, resets its failures, and sends the deliveries that were pending when it was switched off. The secret stays.

        `PATCH /v1/webhooks/{id}`
        """
        return self._call(operations.update_webhook, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove a webhook.

        Its history is deleted with it, and pending deliveries are not sent.

        `DELETE /v1/webhooks/{id}`
        """
        return self._call(operations.delete_webhook, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def list_deliveries(self, id: str, **options: Unpack[ListWebhookDeliveriesOptions]) -> Paged[WebhookDelivery, ListWebhookDeliveriesPage]:
        """List the deliveries of a webhook.

        Newest first, for 30 days. A null `next_retry_at` means that there is no further attempt, or that the delivery waits for an earlier one. `payload` is included only with `include_payload=true`; `stats` counts all, regardless of `status`. A delivery beyond the month's quota is `failed` with 0 `attempts`.

        With `cursor`, which is empty for the first page, the answer has `next_cursor`: every page costs the same, and a delivery that keeps its status is on exactly one. `event_type`, `from` and `to` narrow the list; `total` then counts up to 10,000. With `from`, events from more than a day before it that a replay made up for are left out.

        `GET /v1/webhooks/{id}/deliveries`
        """
        return self._paged(operations.list_webhook_deliveries, {"id": id}, options)

    def get_delivery(self, id: str, whd: str, **options: Unpack[GetWebhookDeliveryOptions]) -> WebhookDeliveryDetail:
        """Read a delivery.

        The payload as it was sent, the headers of the last attempt, and for each attempt how it ended and how the answer of the receiver began. An attempt that was interrupted on our side is not listed: it is made again.

        `GET /v1/webhooks/{id}/deliveries/{whd}`
        """
        return self._call(operations.get_webhook_delivery, {"id": id, "whd": whd}, None, options)

    @overload
    def resend_delivery(self, id: str, whd: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def resend_delivery(self, id: str, whd: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> WebhookDelivery: ...

    def resend_delivery(self, id: str, whd: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Send a delivery again.

        The same bytes under the same id, signed anew. One that waits for its retry is sent now; one that has ended gets one attempt more. Refused (`conflict`) while the webhook is off, during an attempt, and while an earlier event of the same change is pending. It spends a delivery of the month only if it was never posted.

        `POST /v1/webhooks/{id}/deliveries/{whd}/resend`
        """
        return self._call(operations.resend_webhook_delivery, {"id": id, "whd": whd}, None, {**options, "dry_run": dry_run or None})

    @overload
    def replay(self, id: str, body: ReplayWebhookBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def replay(self, id: str, body: ReplayWebhookBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> StartedWebhookReplay: ...

    def replay(self, id: str, body: ReplayWebhookBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Send the deliveries of a window again.

        At most 10,000 of at most 30 days (`bad_request`), under their old ids, each with one attempt more; those that wait for their retry are sent now. `include_missed` also sends events that the webhook never got but would get today, as new deliveries. One replay at a time (`conflict`). It continues in the background, along with new events; if the webhook is off, they are sent when it is switched on. A delivery that was never posted spends one of the month.

        `POST /v1/webhooks/{id}/replay`
        """
        return self._call(operations.replay_webhook, {"id": id}, body, {**options, "dry_run": dry_run or None})

    def get_replay(self, id: str, rpl: str, **options: Unpack[ReadOptions]) -> WebhookReplay:
        """Follow a replay.

        `done` when all of it has been handed over to be sent. Kept for 30 days.

        `GET /v1/webhooks/{id}/replays/{rpl}`
        """
        return self._call(operations.get_webhook_replay, {"id": id, "rpl": rpl}, None, options)

    @overload
    def test(self, id: str, body: TestWebhookBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def test(self, id: str, body: TestWebhookBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> WebhookTest: ...

    def test(self, id: str, body: TestWebhookBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Try a webhook.

        Makes one attempt now with the example of an event, also if the webhook is off, and returns its outcome. The delivery carries `X-Service-Test: true` and is signed like any other. It is not in the history, is not a failure, and spends nothing. One per second, 100 in 24 hours for each webhook.

        `POST /v1/webhooks/{id}/test`
        """
        return self._call(operations.test_webhook, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def rotate_secret(self, id: str, body: RotateWebhookSecretBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def rotate_secret(self, id: str, body: RotateWebhookSecretBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RotatedSecret: ...

    def rotate_secret(self, id: str, body: RotateWebhookSecretBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Replace the secret of a webhook.

        `secret` appears only in this answer. Until `previous_expires_at` the previous secret signs `X-Signature`, and the new one `X-Signature-Next`; then the new one signs `X-Signature`. While such an overlap is open, `force: true` is needed (`conflict`): the secret that signs `X-Signature` continues to, and the one in between is discarded.

        `POST /v1/webhooks/{id}/secret/rotate`
        """
        return self._call(operations.rotate_webhook_secret, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def end_secret_overlap(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def end_secret_overlap(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def end_secret_overlap(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """End the overlap of two secrets.

        The previous secret no longer signs. Without a previous secret, nothing changes.

        `DELETE /v1/webhooks/{id}/secret/previous`
        """
        return self._call(operations.end_webhook_secret_overlap, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def get_health(self, id: str, **options: Unpack[GetWebhookHealthOptions]) -> WebhookHealth:
        """Read the health of a webhook.

        Counts attempts, in steps of ten minutes. `state` is `disabled` for a webhook that is off; `failing` after five failures in a row, or if fewer than 90% of at least ten attempts of the last hour succeeded; otherwise `healthy`.

        `GET /v1/webhooks/{id}/health`
        """
        return self._call(operations.get_webhook_health, {"id": id}, None, options)

    def get_health_series(self, id: str, **options: Unpack[GetWebhookHealthSeriesOptions]) -> WebhookHealthSeries:
        """Read the health of a webhook over time.

        Attempts in steps of ten minutes, with `window=7d` in steps of an hour; the last step is under way. Steps without attempts are there, too, and all together are what the health of the same window counts.

        `GET /v1/webhooks/{id}/health/series`
        """
        return self._call(operations.get_webhook_health_series, {"id": id}, None, options)
