// Answers that take equally long, whatever was found: their timing must not reveal who has an account.
import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the work takes at worst on an ordinary day. */
const floorMs = 200

/** Settles after at least the same time, failures included. */
export async function inConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(floorMs)])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
