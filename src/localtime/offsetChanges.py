# Every change of offset from 1970 to 2037 that Python's zoneinfo knows, for the test beside this file, as JSON: the version
# of its tz database, and for each zone [second of the change, local time a second before it, local time at it].
# A zone's first entry is its local time at the start of 1970.
import json
import os
import sys
import zoneinfo
from datetime import datetime, timezone

FIRST = int(datetime(1970, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2038, 1, 1, tzinfo=timezone.utc).timestamp())
STEP = 5 * 86_400


def version():
    for folder in zoneinfo.TZPATH:
        path = os.path.join(folder, "tzdata.zi")
        if os.path.exists(path):
            with open(path, encoding="ascii") as file:
                return file.readline().split()[-1]
    try:
        import tzdata

        return tzdata.IANA_VERSION
    except ImportError:
        return "unknown"


def changes(zone):
    def offset(second):
        return datetime.fromtimestamp(second, zone).utcoffset()

    def local(second):
        return datetime.fromtimestamp(second, zone).isoformat()

    found = [[FIRST, "", local(FIRST)]]
    second, known = FIRST, offset(FIRST)
    while second < END:
        following = min(second + STEP, END)
        if offset(following) != known:
            low, high = second, following
            while high - low > 1:
                middle = (low + high) // 2
                if offset(middle) == known:
                    low = middle
                else:
                    high = middle
            found.append([high, local(high - 1), local(high)])
            known = offset(following)
        second = following
    return found


zones = {name: changes(zoneinfo.ZoneInfo(name)) for name in sorted(zoneinfo.available_timezones())}
json.dump({"version": version(), "zones": zones}, sys.stdout)
