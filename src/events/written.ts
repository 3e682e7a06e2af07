import type { PublicId } from '../shapes/ids.ts'
import type { Clash } from './clash.ts'
import type { EventRecord } from './present.ts'

/** What the change did or met beside the event. */
export type Beside = {
  /** Holds that it ended. */
  preempted?: readonly PublicId<'evt'>[]
  /** What it overlaps, for a caller that is told. */
  clash?: Clash | undefined
}

/** An event as it was written. */
export type Written = Beside & { event: EventRecord }
