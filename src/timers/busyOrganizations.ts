// The organizations that fill the blocks of a burst. Every few blocks the others have a turn, so that a burst of one
// organization does not hold up the timers of another one.
import type { Uuid } from '../shapes/ids.ts'

type BusyOrganizations = {
  /** For each block: the organizations that it passes over. */
  nextPassedOver(): readonly Uuid[]
  /** Takes note of a large block: how many of its timers each organization has. */
  note(counts: ReadonlyMap<Uuid, number>): void
  clear(): void
}

/** One block in four is for other organizations. */
const turnEvery = 4
/** An organization that fills this part of a large block is busy. */
const crowdingPart = 1 / 4

export function openBusyOrganizations(): BusyOrganizations {
  const organizations = new Set<Uuid>()
  let blocks = 0
  return {
    nextPassedOver() {
      blocks++
      return blocks % turnEvery === 0 ? [...organizations] : []
    },
    note(counts) {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      for (const [orgId, count] of counts) if (count >= all * crowdingPart) organizations.add(orgId)
    },
    clear: () => organizations.clear(),
  }
}
