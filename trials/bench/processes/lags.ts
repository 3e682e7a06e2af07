// How late the jobs of a worker are, for the process that ordered them.
import { serveOrders } from '../child.ts'

/** Waits until this many jobs ran. */
export type LagOrder = { jobs: number }
export type LagReply = { lagsMs: number[] }

/** Answers orders from now on. Call the returned function when a job that was due at `dueMs` is done. */
export function serveLags(): (dueMs: number) => void {
  let lagsMs: number[] = []
  let wanted = Number.POSITIVE_INFINITY
  let enough: (() => void) | undefined
  serveOrders({}, async ({ jobs }: LagOrder): Promise<LagReply> => {
    wanted = jobs
    if (lagsMs.length < wanted) {
      await new Promise<void>((resolve) => {
        enough = resolve
      })
    }
    const reply = { lagsMs }
    lagsMs = []
    wanted = Number.POSITIVE_INFINITY
    return reply
  })
  return (dueMs) => {
    lagsMs.push(Date.now() - dueMs)
    if (lagsMs.length >= wanted) enough?.()
  }
}
