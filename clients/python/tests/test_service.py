"""With the real service at AGENT_CALENDAR_URL."""

import os
import unittest
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import agent_calendar as ac
from agent_calendar import AgentCalendar, local_time

calendar = AgentCalendar()
tomorrow = {"start_time": "2026-03-03T10:00:00Z", "end_time": "2026-03-03T10:30:00Z"}


def new_calendar(timezone: str = "UTC") -> str:
    return calendar.calendars.create({"name": "Tried", "timezone": timezone})["id"]


class Service(unittest.TestCase):
    def test_an_agent_gets_a_calendar_and_an_event(self):
        agent = calendar.agents.create({"name": "Scheduler", "type": "ai"})
        made = calendar.calendars.create_for_agent(agent["id"], {"name": "Meetings", "timezone": "Europe/Berlin"})
        event = calendar.events.create(made["id"], {"title": "Planning", **tomorrow})
        self.assertEqual(event["startTime"], "2026-03-03T10:00:00.000Z")
        self.assertEqual(calendar.events.get(made["id"], event["id"])["id"], event["id"])
        changed = calendar.events.update(made["id"], event["id"], {"title": "Planning, again"})
        self.assertEqual(changed["title"], "Planning, again")
        self.assertIsNone(calendar.events.delete(made["id"], event["id"]))
        self.assertRaises(ac.NotFoundError, calendar.events.get, made["id"], event["id"])

    def test_times_may_be_a_datetime_and_are_answered_on_the_wall_clock(self):
        id = new_calendar("Europe/Berlin")
        body = {
            "title": "Lunch",
            "start_time": local_time("2026-03-03T12:00", "Europe/Berlin"),
            "end_time": datetime(2026, 3, 3, 13, 0, 0, 500_000, tzinfo=ZoneInfo("Europe/Berlin")),
        }
        event = calendar.events.create(id, body, view="local")
        self.assertEqual(event["endTime"], "2026-03-03T12:00:00.500Z")
        self.assertEqual(event["local"]["weekday"], "Tuesday")
        bounds = {"start_after": datetime(2026, 3, 3, tzinfo=UTC), "start_before": datetime(2026, 3, 4, tzinfo=UTC)}
        self.assertEqual(calendar.events.list(id, **bounds, expand=True).page["total"], 1)

    def test_a_list_is_its_first_page_or_in_a_loop_everything(self):
        id = new_calendar()
        for nth in range(7):
            calendar.events.create(id, {"title": f"Event {nth}", **tomorrow})
        events = calendar.events.list(id, limit=3)
        self.assertEqual((len(events.page["data"]), events.page["total"]), (3, 7))
        self.assertEqual(len({event["title"] for event in events}), 7)
        self.assertEqual([len(page["data"]) for page in events.pages()], [3, 3, 1])
        actions = [entry["action"] for entry in calendar.audit_log.list(action="event.create", limit=5)]
        self.assertGreaterEqual(len(actions), 7)
        later = datetime.now(UTC).replace(year=2100)
        self.assertEqual(calendar.audit_log.list(from_=later).page["data"], [])

    def test_a_retry_with_the_same_key_answers_the_same_event(self):
        id = new_calendar()
        answers: list[ac.Answer] = []
        for _ in range(2):
            calendar.events.create(id, {"title": "Once", **tomorrow}, idempotency_key="once", on_answer=answers.append)
        self.assertEqual([answer.is_replayed for answer in answers], [False, True])
        self.assertEqual(answers[0].data, answers[1].data)
        self.assertRegex(answers[0].request_id, "^req_")

    def test_tags(self):
        id = new_calendar()
        answers: list[ac.Answer] = []
        calendar.calendars.get(id, on_answer=answers.append)
        etag = answers[0].etag
        self.assertIsNone(calendar.calendars.get(id, if_none_match=etag))
        calendar.calendars.update(id, {"name": "Changed"}, if_match=etag)
        with self.assertRaises(ac.PreconditionFailedError) as raised:
            calendar.calendars.update(id, {"name": "Too late"}, if_match=etag)
        self.assertIsInstance(raised.exception.details["current_etag"], str)

    def test_a_dry_run_says_what_would_happen(self):
        would = calendar.agents.create({"name": "Nobody", "type": "ai"}, dry_run=True)
        self.assertEqual((would["dry_run"], would["status"], would["effects"][0]["type"]), (True, 201, "agent.created"))

    def test_errors_are_classes_with_what_the_service_says(self):
        id = new_calendar("Europe/Berlin")
        skipped = {"start_time": "2026-03-29T02:30[Europe/Berlin]", "end_time": "2026-03-29T04:00[Europe/Berlin]"}
        with self.assertRaises(ac.ValidationError) as raised:
            calendar.events.create(id, {"title": "Skipped", **skipped})
        error = raised.exception
        self.assertEqual((error.status, error.type, error.code), (400, "validation_error", "nonexistent_local_time"))
        self.assertEqual((error.param, len(error.suggestions) > 0), ("start_time", True))
        self.assertRegex(error.request_id, "^req_")
        free = {"title": "Alone", "require_free": True, **tomorrow}
        calendar.events.create(id, free)
        with self.assertRaises(ac.ConflictError) as raised:
            calendar.events.create(id, free, explain=True)
        self.assertEqual((raised.exception.code, "conflict" in raised.exception.details), ("not_free", True))

    def test_a_list_of_ids_may_be_sent_as_a_list(self):
        ids = [calendar.agents.create({"name": name, "type": "ai"})["id"] for name in ("A", "B")]
        free = calendar.availability.get(agents=ids, start="2026-03-03T09:00:00Z", end="2026-03-03T10:00:00Z")
        self.assertTrue(free["slots"])

    def test_every_change_arrives_and_goes_on_from_a_kept_cursor(self):
        troubles: list[object] = []
        follow = calendar.changes.follow(types=["agent.created"], wait_seconds=5, on_trouble=lambda *_: troubles.append(_))
        first = next(follow)
        self.assertIsInstance(first, ac.Idle)
        new_calendar()
        made = [calendar.agents.create({"name": name, "type": "ai"})["id"] for name in ("One", "Two")]
        seen: list[str] = []
        for step in calendar.changes.follow(first.cursor, types="agent.created", wait_seconds=5):
            seen += [change["resource"]["id"] for change in step.entries] if isinstance(step, ac.Changes) else []
            if len(seen) == 2:
                break
        self.assertEqual((seen, troubles), (made, []))
        with self.assertRaises(ac.AuthenticationError):
            next(AgentCalendar("svc_sk_unknown").changes.follow())
        with self.assertRaisesRegex(TypeError, "no option limti"):
            next(calendar.changes.follow(limti=3))

    def test_what_is_wrong_is_refused_before_it_is_sent(self):
        with self.assertRaisesRegex(TypeError, "agents.list has no option limti"):
            calendar.agents.list(limti=3)
        for id in ("", ".", "..", None):
            self.assertRaises(TypeError, calendar.agents.get, id)
        self.assertRaises(ac.NotFoundError, calendar.agents.get, "../calendars?limit=1#")

    def test_the_key_is_in_no_text_of_the_client_and_of_its_errors(self):
        key = os.environ["AGENT_CALENDAR_KEY"]
        with self.assertRaises(ac.NotFoundError) as raised:
            calendar.agents.get("agt_unknown")
        connection = calendar.agents._send.__self__
        for text in (repr(calendar), repr(connection), repr(vars(raised.exception)), str(raised.exception)):
            self.assertNotIn(key, text)
        with self.assertRaises(ValueError) as wrong:
            AgentCalendar(f"{key}\n")
        self.assertNotIn(key, str(wrong.exception))


if __name__ == "__main__":
    unittest.main()
