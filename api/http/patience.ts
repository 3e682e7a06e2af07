// How long a client waits for its answer. One statement has its own deadline, but a request may need several of them.
import type { Request } from 'express'
import { maxWaitSeconds } from '../../src/changeFeed/schema.ts'
import { lateError } from '../../src/stores/failures.ts'
import type { Route } from './route.ts'

/** In milliseconds, from the arrival of the whole request. Less than the 15 seconds after which many clients give up. */
const patienceMs = 12_000

/** Undefined where the answer waits for somebody else's server, which has deadlines of its own. */
function patienceOf({ asksOthers, waits }: Waited, { query }: Request): number | undefined {
  if (asksOthers) return undefined
  const askedMs = waits ? Number(query.wait) * 1_000 : 0
  // The wait is not validated yet.
  return patienceMs + Math.min(Math.max(askedMs || 0, 0), maxWaitSeconds * 1_000)
}

type Waited = Pick<Route, 'method' | 'asksOthers' | 'waits'>

/**
 * The outcome of `work`, or `overloaded` (503) when the patience ends first. The work then goes on to its own end, and
 * `abandoned` gets what it returns.
 */
export function answerInTime<T>(
  { req, route }: { req: Request; route: Waited },
  work: Promise<T>,
  abandoned: (outcome: T) => void,
): Promise<T> {
  const patience = patienceOf(route, req)
  if (patience === undefined) return work
  return new Promise((resolve, reject) => {
    let isOver = false
    const end = () => {
      // A slow upload is the client's own time.
      if (!req.complete) {
        timer = setTimeout(end, patience)
        return
      }
      isOver = true
      reject(lateError(route.method === 'get'))
    }
    let timer = setTimeout(end, patience)
    work.then(
      (outcome) => {
        clearTimeout(timer)
        if (isOver) abandoned(outcome)
        else resolve(outcome)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
