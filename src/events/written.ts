import type { PublicId } from '../shapes/ids.ts'
import type { Overlaps } from './conflict.ts'
import type { ExternalSync } from './externalSync.ts'
import type { EventRecord } from './present.ts'

/** What the change did or met beside the event. */
export type Extras = {
  /** Holds that it ended. */
  preempted?: readonly PublicId<'evt'>[]
  /** What it overlaps, for a caller that is told. */
  overlaps?: Overlaps | undefined
}

/** An event as it was written. */
export type Written = Extras & { event: EventRecord; sync: ExternalSync }

/** The answer to a change of an event: its record, and what becomes of its copy. */
export const answerOf = ({ event, sync }: Pick<Written, 'event' | 'sync'>) => ({ ...event, external_sync: sync })
