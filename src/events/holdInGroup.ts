// A hold of a group is changed with its group alone. The refusal knows the hold: a caller may ask what is in the way.
import type { App } from '../app.ts'
import { helpOf } from '../availability/help.ts'
import { ServiceError } from '../errors.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { freeTimes } from './freeTimes.ts'
import { pieceOf } from './holdConflict.ts'
import type { EventWithCalendar } from './queries.ts'
import { helpful } from './requireFree.ts'

export class HoldInGroup extends ServiceError {
  readonly hold: EventWithCalendar
  constructor(hold: EventWithCalendar, groupId: Uuid) {
    super(
      'conflict',
      `This hold belongs to the hold group ${encodeId('hgr', groupId)}. Confirm or release the group instead.`,
      { param: null, code: 'hold_in_group' },
    )
    this.hold = hold
  }
}

/** Runs a change. With `explain`, its refusal names the hold, and the next free times. */
export async function explainingGroup<T>(
  app: App,
  { explain }: { explain: boolean },
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw explain && error instanceof HoldInGroup ? await explained(app, error) : error
  }
}

async function explained(app: App, refusal: HoldInGroup): Promise<ServiceError> {
  const { hold } = refusal
  const now = app.clock.now()
  const piece = pieceOf(hold, { ...hold, groupId: hold.holdGroupId, holdExpiresAt: hold.holdExpiresAt! })
  return helpful(refusal, helpOf([piece], await freeTimes(app, hold, {}, now)), now)
}
