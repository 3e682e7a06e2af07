// The pace of one process while no count of all processes is available.

/** Returns what takes the place of a request: milliseconds to wait, -1 if that is longer than `maxWaitMs`. */
export function localPace(maxWaitMs: number, now: () => number = () => performance.now()) {
  const next = new Map<string, number>()
  return (name: string, perSecond: number): number => {
    const at = now()
    const start = Math.max(next.get(name) ?? Number.NEGATIVE_INFINITY, at - 1000)
    const waitMs = Math.max(0, start - at)
    if (waitMs > maxWaitMs) return -1
    next.set(name, start + 1000 / perSecond)
    return Math.ceil(waitMs)
  }
}
