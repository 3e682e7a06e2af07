// All goals, in the groups that share a run of the service.
import { booking } from './booking.ts'
import { exactCopies, noLoops } from './exactCopies.ts'
import type { Group } from './goal.ts'
import { publishingSpeed } from './publishingSpeed.ts'
import { readingSpeed } from './readingSpeed.ts'
import { revokedConsent } from './revokedConsent.ts'

export const groups: readonly Group[] = [
  { workers: 3, goals: [exactCopies, noLoops] },
  { workers: 2, goals: [publishingSpeed] },
  { workers: 2, goals: [readingSpeed] },
  { workers: 2, goals: [booking, revokedConsent] },
]
