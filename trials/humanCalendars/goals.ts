// All goals, in the groups that share a run of the service.
import { booking } from './booking.ts'
import { exactCopies, noLoops } from './exactCopies.ts'
import { fairness } from './fairness.ts'
import type { Group } from './goal.ts'
import { leaving } from './leaving.ts'
import { manySources } from './manySources.ts'
import { pollingSpeed } from './pollingSpeed.ts'
import { providerAway } from './providerAway.ts'
import { publishingSpeed } from './publishingSpeed.ts'
import { readingSpeed } from './readingSpeed.ts'
import { revokedConsent } from './revokedConsent.ts'
import { secrets } from './secrets.ts'
import { withoutHumans } from './without.ts'

/** Those whose clock is set ahead, and those that look at all records, run alone. */
export const groups: readonly Group[] = [
  { workers: 3, goals: [exactCopies, noLoops] },
  { workers: 2, goals: [publishingSpeed] },
  { workers: 2, goals: [readingSpeed] },
  { workers: 2, goals: [booking, revokedConsent] },
  { workers: 2, goals: [pollingSpeed] },
  { workers: 2, goals: [providerAway] },
  { workers: 2, goals: [fairness] },
  { workers: 2, goals: [leaving] },
  { workers: 1, isTraced: true, goals: [secrets] },
  { workers: 1, apis: 2, goals: [withoutHumans] },
  { workers: 1, goals: [manySources] },
]
