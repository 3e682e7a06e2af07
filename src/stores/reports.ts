// Rows that only report what happened: they are written after the request, in batches, one statement at a time. In a flood only a
// few of each kind are kept: a burst informs its reader, hours of it do not.

/** How many of each kind were kept since `since`. */
type Window = { windowMs: number; max: number; kept: Map<string, number>; since: number }

/** How long the first row waits for others to share its statement. */
const delayMs = 100
const bounds = [
  { windowMs: 10_000, max: 20 },
  { windowMs: 60 * 60_000, max: 200 },
]
const maxKinds = 10_000
const maxWaiting = 1_000
const maxAtOnce = 200

type Reports<Item> = {
  /** Never throws and never waits. False: there are too many of the kind, and `item` was not called. */
  add(kind: string, now: Date, item: () => Item): boolean
  /** Resolves when everything that waited was written, or given up. */
  flush(): Promise<void>
}

/** `write` never rejects. */
export function openReports<Item>(write: (items: Item[]) => Promise<void>): Reports<Item> {
  const waiting: Item[] = []
  const windows = bounds.map((bound): Window => ({ ...bound, kept: new Map(), since: 0 }))
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function isKept(kind: string, at: number): boolean {
    for (const window of windows) {
      if (Math.abs(at - window.since) < window.windowMs && window.kept.size < maxKinds) continue
      window.kept.clear()
      window.since = at
    }
    if (waiting.length >= maxWaiting || windows.some(({ kept, max }) => (kept.get(kind) ?? 0) >= max)) return false
    for (const { kept } of windows) kept.set(kind, (kept.get(kind) ?? 0) + 1)
    return true
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      while (waiting.length > 0) await write(waiting.splice(0, maxAtOnce))
    })
    return writing
  }

  return {
    add(kind, now, item) {
      if (!isKept(kind, now.getTime())) return false
      waiting.push(item())
      timer ??= setTimeout(() => void flush(), delayMs)
      return true
    },
    flush,
  }
}
