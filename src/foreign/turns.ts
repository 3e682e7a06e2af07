// Organizations take turns at a few places. An organization holds one of them at most; those whose work took long lately leave one
// to the others.

type Turns = {
  take<Value>(orgId: string, work: () => Promise<Value>): Promise<Value>
  /** Resolves when nothing is under way and nothing waits. */
  over(): Promise<void>
}

/** Work that takes longer than this makes its organization a slow one for a minute. */
const slowMs = 1_000
const slowForMs = 60_000
const maxSlow = 10_000

export function openTurns(places: number, nowMs = () => performance.now()): Turns {
  const working = new Map<string, Promise<void>>()
  /** The organization that was served longest ago comes first. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const slowUntil = new Map<string, number>()

  function isSlow(orgId: string): boolean {
    const until = slowUntil.get(orgId)
    if (until === undefined) return false
    if (until > nowMs()) return true
    slowUntil.delete(orgId)
    return false
  }

  function noteSlow(orgId: string): void {
    if (slowUntil.size >= maxSlow) slowUntil.clear()
    slowUntil.set(orgId, nowMs() + slowForMs)
  }

  function mayBegin(orgId: string): boolean {
    if (working.has(orgId)) return false
    const left = places - working.size
    return left > 1 || (left === 1 && (places === 1 || !isSlow(orgId) || ![...working.keys()].some(isSlow)))
  }

  /** Its requests of the meantime wait for its next turn. */
  function moveBack(orgId: string): void {
    const own = waiting.get(orgId)
    if (!own) return
    waiting.delete(orgId)
    waiting.set(orgId, own)
  }

  function begin(): void {
    for (const [orgId, own] of waiting) {
      if (!mayBegin(orgId)) continue
      const work = own.shift()!
      if (own.length === 0) waiting.delete(orgId)
      const startedAt = nowMs()
      const end = () => {
        if (nowMs() - startedAt > slowMs) noteSlow(orgId)
        working.delete(orgId)
        moveBack(orgId)
        begin()
      }
      working.set(orgId, work().then(end))
    }
  }

  return {
    take(orgId, work) {
      return new Promise((resolve, reject) => {
        const own = waiting.get(orgId) ?? []
        waiting.set(orgId, own)
        own.push(() => work().then(resolve, reject))
        begin()
      })
    },
    async over() {
      while (working.size > 0) await Promise.all(working.values())
    },
  }
}
