"""Whether a delivery is genuine, by X-Signature or by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from .errors import CalendarError

_max_signatures = 10
_seconds = re.compile(r"[0-9]{1,11}")
_own = re.compile(r"sha256=([0-9a-f]{64})")


@dataclass(frozen=True)
class WebhookEvent:
    #: From a header that X-Signature does not cover.
    type: str
    #: `generated.schemas` has its type: that of `event.created` is `EventCreatedPayload`.
    payload: Any
    #: The same for every attempt: if you have seen it, you already have this delivery.
    delivery_id: str
    change_id: str | None
    calendar_revision: int | None
    #: Sent by `webhooks.test`.
    is_test: bool
    signed_at: datetime


class WebhookVerificationError(CalendarError):
    def __init__(
        self, reason: Literal["missing_headers", "wrong_signature", "too_old", "too_new", "not_json"], message: str
    ) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: datetime | None = None,
) -> WebhookEvent:
    """Checks the signature and the time of a delivery, and reads it. Raises `WebhookVerificationError`: answer 401 then.

    `body` is the raw body, before anything parsed it. `secret` is `whsec_…`; several while a secret is rotated.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise TypeError("body must be the raw body, as text or bytes. A parsed body cannot be checked.")
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or any(not isinstance(one, str) or len(one) < 8 for one in secrets):
        raise TypeError("secret must be the signing secret of the webhook (whsec_…).")
    header = _reader(headers)
    raw = body.encode() if isinstance(body, str) else bytes(body)
    candidates = [*_of_standard(header), *_of_own(header)]
    if not candidates:
        raise WebhookVerificationError("missing_headers", "The delivery has no signature and time that could be checked.")
    found = next((one for one in candidates if one.is_genuine(secrets, raw)), None)
    if found is None:
        raise WebhookVerificationError("wrong_signature", "The signature does not fit the body and the secret.")
    signed_at = datetime.fromtimestamp(int(found.timestamp), UTC)
    _check_time(signed_at, now or datetime.now(UTC), tolerance_seconds)
    revision = header("x-calendar-revision")
    return WebhookEvent(
        type=header("x-service-event-type") or "",
        payload=_read(raw),
        delivery_id=found.id or header("x-delivery-id") or "",
        change_id=header("x-change-id"),
        calendar_revision=int(revision) if revision and re.fullmatch(r"[0-9]{1,15}", revision) else None,
        is_test=header("x-service-test") == "true",
        signed_at=signed_at,
    )


@dataclass(frozen=True)
class _Candidate:
    #: The signed text before the body.
    prefix: str
    timestamp: str
    #: Only where it is signed.
    id: str | None
    signature: bytes
    key_of: Callable[[str], bytes | None]

    def is_genuine(self, secrets: Sequence[str], body: bytes) -> bool:
        signed = self.prefix.encode("utf-8", "replace") + body
        keys = [self.key_of(secret) for secret in secrets]
        return any(hmac.compare_digest(hmac.digest(key, signed, "sha256"), self.signature) for key in keys if key)


def _of_own(header: Callable[[str], str | None]) -> Iterator[_Candidate]:
    """`sha256=<hex>` over `<timestamp>.<body>`. In an overlap, X-Signature-Next is of the new secret."""
    timestamp = header("x-timestamp") or ""
    if not _seconds.fullmatch(timestamp):
        return
    for name in ("x-signature", "x-signature-next"):
        if found := _own.fullmatch(header(name) or ""):
            yield _Candidate(f"{timestamp}.", timestamp, None, bytes.fromhex(found[1]), str.encode)


def _of_standard(header: Callable[[str], str | None]) -> Iterator[_Candidate]:
    """`v1,<base64>` over `<id>.<timestamp>.<body>`, several of them with spaces between."""
    delivery_id, timestamp = header("webhook-id"), header("webhook-timestamp") or ""
    if not delivery_id or not _seconds.fullmatch(timestamp):
        return
    for one in (header("webhook-signature") or "").split(" ")[:_max_signatures]:
        signature = _from_base64(one.removeprefix("v1,")) if one.startswith("v1,") else None
        if signature and len(signature) == 32:
            yield _Candidate(f"{delivery_id}.{timestamp}.", timestamp, delivery_id, signature, _standard_key)


def _standard_key(secret: str) -> bytes | None:
    return _from_base64(secret.removeprefix("whsec_"))


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _check_time(signed_at: datetime, now: datetime, tolerance_seconds: float) -> None:
    age = (now - signed_at).total_seconds()
    # Written so that a tolerance which is not a number refuses.
    if not age <= tolerance_seconds:
        raise WebhookVerificationError("too_old", "The signature is too old.")
    if not age >= -tolerance_seconds:
        raise WebhookVerificationError("too_new", "The signature is from the future.")


def _reader(headers: Mapping[str, str]) -> Callable[[str], str | None]:
    """Names in any case. A header that was sent twice counts as missing."""
    values: dict[str, list[str]] = {}
    for name, value in headers.items():
        values.setdefault(name.lower(), []).append(value)

    def read(name: str) -> str | None:
        found = values.get(name, [])
        return found[0] if len(found) == 1 and isinstance(found[0], str) else None

    return read


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("not_json", "The body is genuine, but not JSON.") from None
