# The starts of series by wall clocks as python-dateutil finds them, for dateutil.ts beside this file. Reads a JSON list of
# {zone, wall (the local start), rule (with UNTIL as a local time), from, to (local times)}, prints the list of their starts in
# milliseconds. dateutil walks over wall times; a time that clocks skip counts by the offset before the gap, a doubled one is the first.
import json
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

EPOCH = datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))


def starts(case):
    zone = ZoneInfo(case["zone"])
    rule = rrulestr(case["rule"], dtstart=datetime.fromisoformat(case["wall"]))
    walls = rule.between(datetime.fromisoformat(case["from"]), datetime.fromisoformat(case["to"]), inc=True)
    # fold=0: before a change of clocks, for a skipped time and for a doubled one.
    return [(wall.replace(tzinfo=zone, fold=0) - EPOCH) // timedelta(milliseconds=1) for wall in walls]


json.dump([starts(case) for case in json.load(sys.stdin)], sys.stdout)
