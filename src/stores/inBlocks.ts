// Removing many rows in short statements, so that nobody waits for long.
import { repeatOnDeadlock } from './deadlocks.ts'

/** `remove` takes at most `size` rows. It is called until it has found fewer. */
export async function inBlocks(
  size: number,
  remove: (size: number) => PromiseLike<{ readonly count: number }>,
): Promise<void> {
  for (;;) {
    const { count } = await repeatOnDeadlock(() => remove(size))
    if (count < size) return
  }
}
