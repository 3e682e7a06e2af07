// Fires due timers, block by block. Each noun knows the work of its kinds: the worker hands in the read of due timers and the
// function of each kind. A process fires in one run at a time; a backlog of due timers is split into slices, and wake-ups bring
// other processes.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { type BlockOutcome, type Firing, fireBlock } from './block.ts'
import { openBusyOrganizations } from './busyOrganizations.ts'
import { nextDue } from './due.ts'
import { openRuns } from './runs.ts'
import { type DueTimer, type Slice, wholeSlice } from './timers.ts'

type Engine = {
  /** Fires due timers, and stays until the second (of the epoch) is over: a moment in the middle of it fires on time. */
  fireSecond(second: number): Promise<void>
  /** Fires the due timers of a slice while it is crowded. */
  helpWith(slice: Slice): Promise<void>
  /** Fires everything that is due. Returns how many timers it took. */
  fireDue(): Promise<number>
}

const blockSize = 500
/** From so large a block on, help is rung for: two halves at once are done sooner, and each is still worth a statement. */
const crowdedFrom = 200
/** A timer that a block leaves over is bad, or is locked at this moment. It is passed over; the sweeper finds it again. */
const maxLeft = 5_000
/** A second of the database may begin later than ours. */
const maxWaitMs = 2_000
/** In a burst the next block waits at least this long, so that it is worth a statement. */
const burstWaitMs = 25
/** How many loops, in any processes, fire a burst at once. */
const maxSlices = 4
/** Maximum total wait for locked blocks; then they are skipped. */
const patienceMs = 500

export function openEngine<Timer extends DueTimer>(app: App, firing: Firing<Timer>): Engine {
  const fireDue = openRuns(() => fireSlice(app, firing, wholeSlice))
  return {
    fireDue,
    async fireSecond(second) {
      const until = new Date((second + 1) * 1000)
      const over = performance.now() + maxWaitMs
      for (;;) {
        // Read before firing: timers that come due in between are fired; the run waits for those after it.
        const [next] = await nextDue(app, until)
        const taken = await fireDue()
        if (next?.waitMs == null || performance.now() + next.waitMs > over) return
        await pause(taken > 0 ? Math.max(next.waitMs, burstWaitMs) : next.waitMs)
      }
    },
    async helpWith(slice) {
      await fireSlice(app, firing, slice)
    },
  }
}

/**
 * Fires the due timers of a slice. If the backlog is too large for one process, another process is rung for half of the slice,
 * and this one continues with the other half. If no process comes, this one fires half after half.
 */
async function fireSlice<Timer extends DueTimer>(app: App, firing: Firing<Timer>, slice: Slice): Promise<number> {
  const left: DueTimer[] = []
  const busyOrganizations = openBusyOrganizations()
  let own = slice
  let taken = 0
  let isSecondLook = false
  let retries = 0
  let waitedMs = 0
  while (left.length < maxLeft) {
    const passedOver = busyOrganizations.nextPassedOver()
    const asked = passedOver.length > 0 ? slice : own
    const next = { slice: asked, max: blockSize, left, passedOver }
    const block: BlockOutcome = await fireBlock(app, firing, next, isSecondLook)
    const { size, fired, later, bad, sizes, isOpen } = block
    isSecondLook = isOpen
    if (isOpen) await pause(burstWaitMs)
    const isHeldUp = fired === 0 && later.length > 0
    const isGivenUp = isHeldUp && waitedMs >= patienceMs
    left.push(...bad, ...(isGivenUp ? later : []))
    taken += fired
    if (isHeldUp && !isGivenUp) {
      const waitMs = retryWaitMs(size, retries++)
      waitedMs += waitMs
      await pause(waitMs)
    }
    if (passedOver.length > 0) {
      if (size === 0) busyOrganizations.clear()
    } else if (size >= crowdedFrom) {
      busyOrganizations.note(sizes)
      own = split(app, own)
    } else if (own !== slice) own = slice
    else if (later.length === 0 && !isOpen) break
  }
  return taken
}

/**
 * A few locked rows must not hold up the rows behind them. A full block costs a statement, and another process fires it: the
 * wait doubles. It is random, so that colliding processes do not meet again.
 */
const retryWaitMs = (size: number, retries: number) =>
  burstWaitMs * (size < blockSize ? 1 : 2 ** retries) * (0.5 + Math.random())

/** The half of a slice that this process keeps. */
function split(app: App, { nth, of }: Slice): Slice {
  if (of >= maxSlices) return { nth, of }
  const now = app.clock.now()
  const slice = { nth: nth + of, of: of * 2 }
  // One wake-up for each slice is enough, unless its worker has died in the meantime.
  app.bell.ring([wakeup('fire', { second: Math.floor(now.getTime() / 1000), slice }, now, { rescuedAt: now })])
  return { nth, of: of * 2 }
}
