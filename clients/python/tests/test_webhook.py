import base64
import hashlib
import hmac
import unittest
from datetime import UTC, datetime, timedelta
from email.message import Message

from agent_calendar import WebhookVerificationError, verify_webhook

secret = "whsec_" + base64.b64encode(bytes([1] * 32)).decode()
now = datetime(2026, 3, 2, 9, tzinfo=UTC)
seconds = str(int(now.timestamp()))
body = '{"calendar_id":"cal_1","event_id":"evt_1"}'


def own(**more: str) -> dict[str, str]:
    signature = hmac.new(secret.encode(), f"{seconds}.{body}".encode(), hashlib.sha256).hexdigest()
    names = {name.replace("_", "-"): value for name, value in more.items()}
    return {
        "X-Timestamp": seconds,
        "X-Signature": f"sha256={signature}",
        "X-Delivery-Id": "whd_1",
        "X-Service-Event-Type": "event.deleted",
        **names,
    }


def standard(**more: str) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"whd_1.{seconds}.{body}".encode(), "sha256")).decode()
    names = {name.replace("_", "-"): value for name, value in more.items()}
    given = {"webhook-id": "whd_1", "webhook-timestamp": seconds, "webhook-signature": f"v1,{signature}"}
    return {**given, "x-service-event-type": "event.deleted", **names}


def outcome(headers, text=body, key=secret, at=now, **more) -> str:
    try:
        return verify_webhook(text, headers, key, now=at, **more).type
    except WebhookVerificationError as error:
        return error.reason


class Webhooks(unittest.TestCase):
    def test_both_schemes_names_in_any_case_bytes_or_text_one_of_several_secrets(self):
        message = Message()
        for name, value in own().items():
            message[name.lower()] = value
        for headers in (own(), standard(), message):
            self.assertEqual(outcome(headers), "event.deleted")
            self.assertEqual(outcome(headers, text=body.encode()), "event.deleted")
            self.assertEqual(outcome(headers, key=["whsec_another", secret]), "event.deleted")
        event = verify_webhook(body, standard(X_Calendar_Revision="7", X_Service_Test="true"), secret, now=now)
        self.assertEqual((event.delivery_id, event.calendar_revision, event.is_test), ("whd_1", 7, True))
        self.assertEqual((event.payload["event_id"], event.signed_at), ("evt_1", now))

    def test_what_is_changed_too_old_or_from_the_future_is_refused(self):
        for headers in (own(), standard()):
            self.assertEqual(outcome(headers, text=body.replace("evt_1", "evt_2")), "wrong_signature")
            self.assertEqual(outcome(headers, key=f"whsec_{base64.b64encode(b'another').decode()}"), "wrong_signature")
        self.assertEqual(outcome(own(X_Timestamp=str(int(seconds) + 1))), "wrong_signature")
        self.assertEqual(outcome(standard(webhook_id="whd_2")), "wrong_signature")
        self.assertEqual(outcome(own(X_Signature="sha256=" + "0" * 64)), "wrong_signature")
        for offset, expected in ((300, "event.deleted"), (301, "too_old"), (-300, "event.deleted"), (-301, "too_new")):
            self.assertEqual(outcome(own(), at=now + timedelta(seconds=offset)), expected)
        self.assertEqual(outcome(own(), at=now + timedelta(seconds=3000), tolerance_seconds=3600), "event.deleted")
        self.assertEqual(outcome(own(), tolerance_seconds=float("nan")), "too_old")

    def test_signatures_of_any_other_form_are_refused_and_none_crashes(self):
        good = own()["X-Signature"]
        digits = good.removeprefix("sha256=")
        for wrong in ("", "sha256=", good[:-1], f"{good}0", digits, f"sha1={digits}", good.upper(), f" {good}", f"{good}\0",
                      f"{good}\n", "sha256=" + "é" * 64, "sha256=" + "٠" * 64):
            self.assertEqual(outcome(own(X_Signature=wrong)), "missing_headers", wrong)
        for wrong in ("", "-1", "1e3", "9" * 20, "NaN", f"{seconds}.0", f" {seconds}", f"{seconds}\n", "٣" * 10):
            self.assertEqual(outcome(own(X_Timestamp=wrong)), "missing_headers", wrong)
        encoded = standard()["webhook-signature"].removeprefix("v1,")
        late = "v1,AAAA " * 50 + f"v1,{encoded}"
        for wrong in ("", "v1", "v1,", f"v2,{encoded}", f"v1,{encoded[4:]}", "v1,!!!!", "v1,é", f"v1a,{encoded}", late):
            self.assertEqual(outcome(standard(webhook_signature=wrong)), "missing_headers", wrong)
        twice = Message()
        for name, value in [*own().items(), ("X-Signature", good)]:
            twice[name] = value
        self.assertEqual(outcome(twice), "missing_headers")

    def test_a_genuine_body_that_is_not_json_a_parsed_body_and_a_secret_that_is_none(self):
        signature = hmac.new(secret.encode(), f"{seconds}.hello".encode(), hashlib.sha256).hexdigest()
        self.assertEqual(outcome(own(X_Signature=f"sha256={signature}"), text="hello"), "not_json")
        with self.assertRaisesRegex(TypeError, "raw body"):
            verify_webhook({}, own(), secret)
        for none in ("", [], None, [None]):
            with self.assertRaisesRegex(TypeError, "signing secret"):
                verify_webhook(body, own(), none)


if __name__ == "__main__":
    unittest.main()
