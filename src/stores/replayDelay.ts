// How long the slowest standby has not replayed what the primary had written. Postgres tells the delay of what was replayed last, so
// a replay that stands still shows in no figure of its own.

/** `at` in milliseconds, of any clock that only goes on; `writtenTo` in bytes of the write-ahead log. */
type Position = { at: number; writtenTo: number }

const mostKept = 500

/** The function is called now and then; it returns seconds. `replayedTo`: of the standby furthest behind, null where there is no standby. */
export function openReplayDelay(): (now: Position, replayedTo: number | null) => number {
  let ahead: Position[] = []
  return (now, replayedTo) => {
    if (replayedTo === null) {
      ahead = []
      return 0
    }
    // A promoted standby begins where it had come to.
    const isOfAnother = now.writtenTo < (ahead.at(-1)?.writtenTo ?? 0)
    ahead = isOfAnother ? [] : ahead.filter(({ writtenTo }) => writtenTo > replayedTo)
    if (now.writtenTo > (ahead.at(-1)?.writtenTo ?? replayedTo)) ahead.push(now)
    if (ahead.length > mostKept) ahead = ahead.filter((_, nth) => nth % 2 === 0)
    return ahead[0] ? (now.at - ahead[0].at) / 1_000 : 0
  }
}
