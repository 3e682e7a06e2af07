// All goals, in the groups that share a run of the service.
import { exactCopies, noLoops } from './exactCopies.ts'
import type { Group } from './goal.ts'
import { publishingSpeed } from './publishingSpeed.ts'

export const groups: readonly Group[] = [
  { workers: 3, goals: [exactCopies, noLoops] },
  { workers: 2, goals: [publishingSpeed] },
]
