// Deadlocks: Postgres ends one of the statements that wait for each other, and nothing of it has happened.
import { isCollision } from './failures.ts'

const maxTries = 3

/** `run` builds its statement anew each time. A statement that Postgres ended for a deadlock runs again. */
export async function repeatOnDeadlock<T>(run: () => PromiseLike<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (!isCollision(error) || tries === maxTries) throw error
    }
  }
}
