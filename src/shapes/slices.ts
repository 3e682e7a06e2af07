// Long work in slices: after a few milliseconds the rest of the process gets a turn.
const sliceMs = 4

/** Says true when a slice is over, and begins the next one. */
export function sliceTimer(): () => boolean {
  let end = performance.now() + sliceMs
  return () => {
    const now = performance.now()
    if (now < end) return false
    end = now + sliceMs
    return true
  }
}

/** Long work in turns of the event loop. */
export function openTurns() {
  const isOver = sliceTimer()
  let begunAt = performance.now()
  let before = 0
  const tookMs = () => before + performance.now() - begunAt
  return {
    isOver,
    /** Without the time of other turns. */
    tookMs,
    async next(ready: Promise<unknown> = new Promise(setImmediate)) {
      before = tookMs()
      await ready
      begunAt = performance.now()
    },
  }
}

/** Maps the items in slices: a long list leaves the rest of the process its turns. */
export async function mapInSlices<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped,
): Promise<Mapped[]> {
  const isSliceOver = sliceTimer()
  const mapped: Mapped[] = []
  for (const item of items) {
    mapped.push(map(item))
    if (isSliceOver()) await new Promise(setImmediate)
  }
  return mapped
}
