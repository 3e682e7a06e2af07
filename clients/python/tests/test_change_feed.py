import socket
import unittest

from agent_calendar import AgentCalendar, Changes, Resync, UnexpectedAnswerError
from strange_server import refusal, strange_server


class ChangeFeed(unittest.TestCase):
    def test_it_goes_on_from_the_last_cursor_after_trouble_and_says_so(self):
        def respond(handler, nth):
            if nth == 2:
                handler.connection.shutdown(socket.SHUT_RDWR)
            elif nth == 3:
                handler.send(503, refusal("internal_error"), {"retry-after": "0"})
            else:
                handler.send(200, {"data": [{"type": "x"}], "cursor": f"c{nth}"})

        with strange_server(respond) as (url, requests):
            troubles: list[object] = []
            steps = AgentCalendar("x", url).changes.follow("c0", on_trouble=lambda error, _: troubles.append(error))
            self.assertEqual([next(steps), next(steps)], [Changes([{"type": "x"}], "c1"), Changes([{"type": "x"}], "c4")])
            cursors = [request["path"].split("cursor=")[1].split("&")[0] for request in requests]
            self.assertEqual((cursors, len(troubles)), (["c0", "c1", "c1", "c1"], 2))

    def test_410_is_a_resync_and_the_iteration_goes_on_behind_it(self):
        def respond(handler, nth):
            gone = refusal("cursor_gone", reason="restored", resync={"cursor": "n", "lists": ["/v1/agents"]})
            handler.send(*((410, gone) if nth == 1 else (200, {"data": [], "cursor": "m"})))

        with strange_server(respond) as (url, requests):
            steps = AgentCalendar("x", url).changes.follow("c0")
            self.assertEqual(next(steps), Resync(["/v1/agents"], "restored", "n"))
            next(steps)
            self.assertIn("cursor=n", requests[1]["path"])

    def test_a_page_that_is_none_is_an_error(self):
        with strange_server(lambda handler, _: handler.send(200, {"data": []})) as (url, _):
            with self.assertRaises(UnexpectedAnswerError):
                next(AgentCalendar("x", url).changes.follow())


if __name__ == "__main__":
    unittest.main()
