import socket
import unittest
from http.client import HTTPResponse
from threading import Event

import agent_calendar as ac
from agent_calendar import AgentCalendar
from strange_server import refusal, strange_server

agent = {"name": "Agent", "type": "ai"}


class Sending(unittest.TestCase):
    def test_a_write_is_repeated_with_the_key_of_its_first_attempt(self):
        def respond(handler, nth):
            if nth == 1:
                handler.connection.shutdown(socket.SHUT_RDWR)
            elif nth == 2:
                handler.send(503, refusal("internal_error"))
            else:
                handler.send(201, {"id": "agt_1"})

        with strange_server(respond) as (url, requests):
            calendar = AgentCalendar("svc_sk_x", url)
            self.assertEqual(calendar.agents.create(agent)["id"], "agt_1")
            keys = [request["headers"]["idempotency-key"] for request in requests]
            self.assertEqual((len(keys), len(set(keys))), (3, 1))
            calendar.agents.create(agent)
            self.assertNotEqual(requests[3]["headers"]["idempotency-key"], keys[0])

    def test_a_write_without_a_key_is_repeated_only_after_a_refusal_for_the_rate(self):
        body = {"email": "a@example.com", "agent_name": "A", "tos_version": "1"}
        with strange_server(lambda handler, _: handler.send(500, refusal("internal_error"))) as (url, requests):
            with self.assertRaises(ac.InternalError):
                AgentCalendar("x", url).agents.sign_up(body)
            self.assertEqual(len(requests), 1)

        def limited(handler, nth):
            first = (429, refusal("rate_limit_error"), {"retry-after": "0"})
            handler.send(*(first if nth == 1 else (200, {})))

        with strange_server(limited) as (url, requests):
            AgentCalendar("x", url).agents.sign_up(body)
            self.assertEqual(len(requests), 2)

    def test_retry_after_is_waited_for_but_not_for_long_and_never_for_a_quota(self):
        for kind, seconds, error in (("rate_limit_error", 86400, ac.RateLimitError), ("quota_exceeded", 0, ac.QuotaExceededError)):
            answer = (429, refusal(kind), {"retry-after": str(seconds)})
            with strange_server(lambda handler, _: handler.send(*answer)) as (url, requests):
                with self.assertRaises(error) as raised:
                    AgentCalendar("x", url).agents.list()
                self.assertEqual((raised.exception.retry_after_seconds, len(requests)), (seconds, 1))

    def test_without_an_answer_in_time_and_without_a_server(self):
        ended = Event()
        with strange_server(lambda *_: ended.wait(30)) as (url, requests):
            with self.assertRaises(ac.TimedOutError):
                AgentCalendar("x", url).agents.list(timeout_seconds=0.1, max_retries=1)
            self.assertEqual(len(requests), 2)
            ended.set()
        with self.assertRaisesRegex(ac.ConnectionFailedError, "cannot be reached"):
            AgentCalendar("x", url, max_retries=0).agents.list()

    def test_an_answer_that_trickles_in_ends_with_the_timeout(self):
        ended = Event()

        def trickle(handler, _):
            handler.send_response(200)
            handler.send_header("content-length", "1000000")
            handler.end_headers()
            try:
                while not ended.wait(0.02):
                    handler.wfile.write(b" ")
            except OSError:
                pass

        with strange_server(trickle) as (url, _):
            with self.assertRaises(ac.TimedOutError):
                AgentCalendar("x", url, max_retries=0, timeout_seconds=0.5).usage.get()
            ended.set()

    def test_an_answer_that_breaks_off_is_no_answer(self):
        answer = (200, b"{}", {"content-length": "9"})
        with strange_server(lambda handler, _: handler.send(*answer)) as (url, requests):
            with self.assertRaisesRegex(ac.ConnectionFailedError, "middle"):
                AgentCalendar("x", url, max_retries=1).usage.get()
            self.assertEqual(len(requests), 2)

    def test_a_redirect_is_not_followed(self):
        with strange_server(lambda handler, _: handler.send(200, {"data": []})) as (thief, stolen):
            for status in (301, 302, 303, 307, 308):
                answer = (status, b"", {"location": f"{thief}/v1/agents"})
                with strange_server(lambda handler, _: handler.send(*answer)) as (url, _):
                    calendar = AgentCalendar("x", url)
                    with self.assertRaisesRegex(ac.UnexpectedAnswerError, "redirect to .* is not followed"):
                        calendar.agents.list()
                    with self.assertRaises(ac.UnexpectedAnswerError):
                        calendar.agents.create(agent)
            self.assertEqual(stolen, [])

    def test_an_answer_that_is_too_large_is_refused(self):
        with strange_server(lambda handler, _: handler.send(200, {"data": ["a" * 3000]})) as (url, _):
            with self.assertRaisesRegex(ac.UnexpectedAnswerError, "more than 1000 bytes"):
                AgentCalendar("x", url, max_answer_bytes=1000).agents.list()

    def test_strange_answers_are_errors_of_the_client(self):
        for status, body, error in (
            (200, b"<html>hello</html>", ac.UnexpectedAnswerError),
            (200, b"[" * 100_000, ac.UnexpectedAnswerError),
            (400, b"<html>bad</html>", ac.UnexpectedAnswerError),
            (400, b'{"error":null}', ac.UnexpectedAnswerError),
            (400, b'{"error":{"type":"not_found"}}', ac.UnexpectedAnswerError),
            (400, b"null", ac.UnexpectedAnswerError),
            (418, b'{"error":{"type":"teapot","message":"m"}}', ac.ApiError),
            (400, b'{"error":{"type":"not_found","message":"m","param":{},"suggestions":"x","code":7}}', ac.NotFoundError),
        ):
            with self.subTest(body=body[:50]), strange_server(lambda handler, _: handler.send(status, body)) as (url, _):
                with self.assertRaises(error) as raised:
                    AgentCalendar("x", url).agents.get("agt_1")
                if isinstance(raised.exception, ac.ApiError):
                    found = raised.exception
                    self.assertEqual((found.param, found.code, found.suggestions), (None, None, []))

    def test_lists_that_are_none_and_lists_that_promise_too_much(self):
        answer = {"data": "everything", "total": 9, "offset": 0}
        with strange_server(lambda handler, _: handler.send(200, answer)) as (url, _):
            with self.assertRaises(ac.UnexpectedAnswerError):
                list(AgentCalendar("x", url).agents.list())

        def endless(handler, nth):
            handler.send(200, {"data": [1] if nth == 1 else [], "total": 10**9, "offset": nth - 1})

        with strange_server(endless) as (url, requests):
            self.assertEqual((list(AgentCalendar("x", url).agents.list()), len(requests)), ([1], 2))

    def test_base_url_is_an_address_without_a_password_and_that_of_the_mcp_server_will_do(self):
        for wrong in ("nonsense", "ftp://host", "file:///etc/passwd", "https://user:secret@host"):
            self.assertRaises(ValueError, AgentCalendar, "x", wrong)
        with strange_server(lambda handler, _: handler.send(200, {})) as (url, requests):
            AgentCalendar("x", f"{url}/behind/a/proxy/mcp/").usage.get()
            self.assertEqual(requests[0]["path"], "/behind/a/proxy/v1/usage")

    def test_the_stream_of_changes_is_an_open_answer(self):
        more = Event()

        def respond(handler, _):
            handler.send_response(200)
            handler.send_header("content-type", "text/event-stream")
            handler.end_headers()
            handler.wfile.write(b"data: 1\n\n")
            more.wait(30)

        with strange_server(respond) as (url, _):
            stream = AgentCalendar("x", url).changes.open_stream()
            self.assertIsInstance(stream, HTTPResponse)
            self.assertEqual(stream.readline(), b"data: 1\n")
            stream.close()
            more.set()


if __name__ == "__main__":
    unittest.main()
