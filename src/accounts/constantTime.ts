// Answers that take equally long, whatever was found: how long one takes must not tell who has an account.
import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the work takes at worst on an ordinary day. */
const floorMs = 200

/** Settles after the same time however little there was to do, failures included. */
export async function paced<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(floorMs)])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
