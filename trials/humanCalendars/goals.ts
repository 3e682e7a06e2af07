// All goals, in the groups that share a run of the service.
import type { Group } from './goal.ts'
import { publishingSpeed } from './publishingSpeed.ts'

export const groups: readonly Group[] = [{ workers: 2, goals: [publishingSpeed] }]
