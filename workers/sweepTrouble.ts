// The log of sweeps that fail: one line when the trouble of some sources begins, one when it ends, however often they are tried.
import type { Log } from '../src/observability/log.ts'

type Swept = { name: string; result: PromiseSettledResult<unknown> }

/** Returns how to note the outcome of a sweep; true if a source failed. */
export function openSweepTrouble(log: Log): (swept: readonly Swept[]) => boolean {
  const failing = new Set<string>()
  return (swept) => {
    const failed = swept.filter(({ result }) => result.status === 'rejected')
    const begun = failed.filter(({ name }) => !failing.has(name))
    const ended = swept.filter(({ name, result }) => result.status === 'fulfilled' && failing.delete(name))
    for (const { name } of begun) failing.add(name)
    if (begun.length > 0) {
      const { message } = (begun[0]!.result as PromiseRejectedResult).reason as Error
      log.warn({ error: message, sources: namesOf(begun) }, 'a sweep failed, the next one follows')
    }
    if (ended.length > 0) log.info({ sources: namesOf(ended) }, 'sweeps work again')
    return failed.length > 0
  }
}

const namesOf = (swept: readonly Swept[]): string[] => swept.map(({ name }) => name)
