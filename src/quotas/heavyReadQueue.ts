// Places for work that is heavy on the whole process. Each owner has a few of them at once and a short line, and owners take
// turns, so that the work of one holds up nobody else's.
// The places of deliveries (webhooks/places.ts) and of feeds (imports/hostQueue.ts) are not of this kind: here each caller
// waits for its own turn; there a waiting item is data that whoever becomes free takes along, so that a job of the queue ends
// when there is no place, and an owner's share depends on how much is free.

type Limits = {
  /** How many are at work at once: of all owners together, and of each. */
  maxWorking: number
  maxWorkingEach: number
  /** How many of one owner may wait, and for how long. */
  maxWaiting: number
  patienceMs: number
  /** How long an owner's next work must still wait, because the owner has used its share. */
  restMsOf?: (owner: string) => number
}

type Line = { working: number; waiting: (() => void)[] }

export type Places = {
  /**
   * Takes a place until the returned function is called. Rejects with `refusal()` if the owner's line is full or its turn does not
   * come in time; without a refusal it waits as long as it takes.
   */
  take(owner: string, refusal?: () => Error): Promise<() => void>
  /** Rejects with `refusal()` if the owner's line is full or its turn does not come in time; `work` has not begun then. */
  enter<T>(owner: string, work: () => Promise<T>, refusal: () => Error): Promise<T>
  /** For work that continues something under way: it waits as long as it takes, behind the owner's earlier work. */
  continueWork<T>(owner: string, work: () => Promise<T>): Promise<T>
}

export function openPlaces({ maxWorking, maxWorkingEach, maxWaiting, patienceMs, restMsOf }: Limits): Places {
  /** The owner that was served last is the last one. */
  const lines = new Map<string, Line>()
  let working = 0
  /** The look at the resting owners, when the first of them has rested. */
  let look: { timer: NodeJS.Timeout; atMs: number } | undefined

  function isResting(owner: string): boolean {
    const restMs = restMsOf?.(owner) ?? 0
    if (restMs <= 0) return false
    const atMs = performance.now() + restMs
    if (look && look.atMs <= atMs) return true
    clearTimeout(look?.timer)
    look = { timer: setTimeout(lookAgain, restMs), atMs }
    return true
  }

  function lookAgain() {
    look = undefined
    beginWaiting()
  }

  /** An owner whose work begins moves behind all others, and the loop meets it again there. */
  function beginWaiting() {
    for (const [owner, line] of lines) {
      if (working >= maxWorking) return
      if (line.working >= maxWorkingEach || line.waiting.length === 0 || isResting(owner)) continue
      const begin = line.waiting.shift()!
      lines.delete(owner)
      lines.set(owner, line)
      line.working++
      working++
      begin()
    }
  }

  /** Without a refusal it waits as long as it takes. */
  function waitForPlace(owner: string, refusal?: () => Error): Promise<void> {
    const line = lines.get(owner) ?? { working: 0, waiting: [] }
    const isFree = working < maxWorking && line.working < maxWorkingEach && !isResting(owner)
    if (!isFree && refusal && line.waiting.length >= maxWaiting) return Promise.reject(refusal())
    lines.set(owner, line)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      clearTimeout(leaving)
      resolve()
    }
    const leave = (error: Error) => {
      line.waiting.splice(line.waiting.indexOf(begin), 1)
      if (line.working + line.waiting.length === 0) lines.delete(owner)
      reject(error)
    }
    const leaving = refusal && setTimeout(() => leave(refusal()), patienceMs)
    line.waiting.push(begin)
    beginWaiting()
    return promise
  }

  function leavePlace(owner: string) {
    const line = lines.get(owner)!
    line.working--
    working--
    if (line.working + line.waiting.length === 0) lines.delete(owner)
    beginWaiting()
  }

  async function take(owner: string, refusal?: () => Error): Promise<() => void> {
    await waitForPlace(owner, refusal)
    let isTaken = true
    return () => {
      if (isTaken) leavePlace(owner)
      isTaken = false
    }
  }

  async function inPlace<T>(owner: string, work: () => Promise<T>, refusal?: () => Error): Promise<T> {
    const leave = await take(owner, refusal)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    take,
    enter: inPlace,
    continueWork: (owner, work) => inPlace(owner, work),
  }
}
