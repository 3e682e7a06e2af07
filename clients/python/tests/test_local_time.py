import unittest
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from agent_calendar import in_zone, local_time, read_time
from agent_calendar.local_time import time_text


class LocalTime(unittest.TestCase):
    def test_a_local_time_is_written_with_its_zone(self):
        self.assertEqual(local_time("2026-12-01T10:00", "Europe/Berlin"), "2026-12-01T10:00[Europe/Berlin]")
        self.assertEqual(local_time("2026-12-01T10:00:30.5", "UTC"), "2026-12-01T10:00:30.5[UTC]")
        for wrong in ("2026-12-01", "2026-12-01 10:00", "2026-12-01T10:00Z", "2026-12-01T10:00\n", "x"):
            self.assertRaises(ValueError, local_time, wrong, "UTC")
        for zone in ("", "Berlin", "Europe", "../UTC", "Europe/Berlin]", "Europe/Berlin\n"):
            with self.assertRaisesRegex(ValueError, "no time zone"):
                local_time("2026-12-01T10:00", zone)

    def test_what_is_written_is_read(self):
        for zone in ("Europe/Berlin", "America/St_Johns", "Pacific/Apia", "UTC"):
            for month in (1, 7):
                moment = datetime(2026, month, 1, 9, tzinfo=UTC)
                read = read_time(in_zone(moment, zone))
                self.assertEqual((read, str(read.tzinfo)), (moment, zone))
        self.assertEqual(in_zone(datetime(2026, 12, 1, 9, tzinfo=UTC), "Europe/Berlin"), "2026-12-01T10:00:00+01:00[Europe/Berlin]")
        self.assertEqual(read_time("2026-12-01T10:00[Europe/Berlin]"), datetime(2026, 12, 1, 9, tzinfo=UTC))
        self.assertEqual(read_time("2026-03-03T10:00:00.000Z"), datetime(2026, 3, 3, 10, tzinfo=UTC))
        for wrong in ("2026-12-01T10:00", "[UTC]", "2026-12-01T10:00[", "x" * 100_000):
            self.assertRaises(ValueError, read_time, wrong)

    def test_both_moments_of_a_doubled_hour(self):
        first = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
        self.assertEqual(time_text(first), "2026-10-25T02:30:00+02:00[Europe/Berlin]")
        self.assertEqual(time_text(first.replace(fold=1)), "2026-10-25T02:30:00+01:00[Europe/Berlin]")

    def test_a_datetime_needs_a_zone(self):
        self.assertEqual(time_text(datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2)))), "2026-01-01T00:00:00+02:00")
        self.assertRaises(TypeError, time_text, datetime(2026, 1, 1))
        self.assertRaises(ValueError, in_zone, datetime(2026, 1, 1), "UTC")


if __name__ == "__main__":
    unittest.main()
