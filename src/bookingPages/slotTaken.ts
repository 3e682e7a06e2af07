// The refusal of a taken slot. It offers the guest other slots and reveals nothing of the conflict.
import type { App } from '../app.ts'
import { lookAheadUntil } from '../availability/conflictingPieces.ts'
import type { Help } from '../availability/help.ts'
import type { Omitted } from '../availability/judge.ts'
import { presentIntervals } from '../availability/present.ts'
import { ServiceError } from '../errors.ts'
import { firstStarts, slotsFrom } from './freeStarts.ts'
import { offerOf } from './pageForGuest.ts'
import type { PublicPageRow } from './queries.ts'
import { slotTaken } from './refusals.ts'

const maxAlternatives = 5

/** `explain`: with the next free slots of the coming days. `omitted`: the booking that is to be moved. */
export async function slotTakenWithOthers(
  app: App,
  page: PublicPageRow,
  start: Date,
  { explain, omitted }: { explain: boolean; omitted?: Omitted },
  now: Date,
): Promise<ServiceError> {
  const refusal = slotTaken()
  if (!explain) return refusal
  const limits = { from: start, to: new Date(lookAheadUntil(start.getTime())) }
  const { free } = await offerOf(app, page, now, limits, omitted)
  const help: Help = { alternatives: presentIntervals(slotsFrom(firstStarts(free, maxAlternatives), free)) }
  return new ServiceError(refusal.type, refusal.message, { ...refusal.detail, help })
}
