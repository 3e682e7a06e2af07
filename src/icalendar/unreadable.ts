/** Ends the reading of a feed, inside its thread only. The message goes to people: one line, nothing of the content. */
export class Unreadable extends Error {}

/** How much a feed may make its parser do, in steps of a tenth of a microsecond. */
export class Work {
  #left = 10_000_000

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new Unreadable('The recurrence rules of the feed take too long to work out.')
  }
}
