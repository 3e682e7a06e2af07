// Places for work that is heavy on the whole process. Each owner has a few of them at once and a short line, and owners
// take turns, so that nobody's work holds up everybody else's.

type Limits = {
  /** How many are at work at once: of all owners, and of each. */
  maxWorking: number
  maxWorkingEach: number
  /** How many of one owner may wait, and for how long. */
  maxWaiting: number
  patienceMs: number
}

type Line = { working: number; waiting: (() => void)[] }

export type Places = {
  /** Rejects with `refusal()` when the owner's line is full or its turn does not come in time: then nothing was begun. */
  enter<T>(owner: string, work: () => Promise<T>, refusal: () => Error): Promise<T>
  /** For what goes on with something that is under way: it waits as long as it takes, behind those who came before. */
  goOn<T>(owner: string, work: () => Promise<T>): Promise<T>
}

export function openPlaces({ maxWorking, maxWorkingEach, maxWaiting, patienceMs }: Limits): Places {
  /** Who was served last stands last. */
  const lines = new Map<string, Line>()
  let working = 0

  /** An owner that begins one is met again, behind all others. */
  function beginWaiting() {
    for (const [owner, line] of lines) {
      if (working >= maxWorking) return
      if (line.working >= maxWorkingEach) continue
      const begin = line.waiting.shift()
      if (!begin) continue
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
    const isFree = working < maxWorking && line.working < maxWorkingEach
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

  async function inPlace<T>(owner: string, work: () => Promise<T>, refusal?: () => Error): Promise<T> {
    await waitForPlace(owner, refusal)
    try {
      return await work()
    } finally {
      leavePlace(owner)
    }
  }

  return {
    enter: inPlace,
    goOn: (owner, work) => inPlace(owner, work),
  }
}
