import { alarm, notify } from '../state/notices.ts'
import { acted } from './live.ts'

/** An act without a form. It changes things of these nouns, and says so; a refusal is an alarm. */
export async function actAtOnce(run: () => PromiseLike<unknown>, said: string, ...nouns: string[]): Promise<void> {
  try {
    await run()
    await acted(...nouns)
    notify(said)
  } catch (error) {
    alarm(error)
  }
}
