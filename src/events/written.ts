import type { PublicId } from '../shapes/ids.ts'
import type { Overlaps } from './conflict.ts'
import type { ExternalSync } from './externalSync.ts'
import type { EventInstanceRecord } from './present.ts'

/** Side effects and conflicts of the change. */
export type Extras = {
  /** Holds that it ended. */
  preempted?: readonly PublicId<'evt'>[]
  /** Its overlaps, for a caller that allows them. */
  overlaps?: Overlaps | undefined
}

/** An event as it was written. */
export type Written = Extras & { event: EventInstanceRecord; sync: ExternalSync }

/** The answer to a change of an event: its record, and what becomes of its copy. */
export const answerOf = ({ event, sync }: Pick<Written, 'event' | 'sync'>) => ({ ...event, external_sync: sync })
