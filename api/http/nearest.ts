// The name that a misspelt one probably stands for. Pure.

/** The name nearest to `given`; undefined if none is near enough. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined
  const snake = inSnakeCase(given)
  let nearest: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = distanceOf(snake, name)
    if (isNear(snake, name, distance) && !(nearest && nearest.distance <= distance)) nearest = { name, distance }
  }
  return nearest?.name
}

/** Longer texts than any name are not compared, so that no request pays for it. */
const maxLength = 64

/** `startTime` and `Start-Time` become `start_time`. */
const inSnakeCase = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** One letter in three may differ, or one name may have more words at its end: `agent` for `agent_id`. */
const isNear = (given: string, name: string, distance: number): boolean =>
  distance <= Math.floor(Math.max(given.length, name.length) / 3) ||
  name.startsWith(`${given}_`) ||
  given.startsWith(`${name}_`)

/** The Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const exchange = a[row - 1] === b[column - 1] ? 0 : 1
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next.push(
        Math.min(
          last[column]! + 1,
          next[column - 1]! + 1,
          last[column - 1]! + exchange,
          isSwap ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = next
  }
  return last[b.length]!
}
