/** Ends the parsing of a feed, inside its thread only. The message is one line for people, without content of the feed. */
export class Unreadable extends Error {}

/** How much work a feed may cause, in steps of a tenth of a microsecond. */
export class Work {
  #left = 10_000_000

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new Unreadable('The recurrence rules of the feed take too long to expand.')
  }
}
