// The name of a copy. It follows from the event, its destination and its generation, so that a copy whose answer was lost is found
// again; under a key of the organization, so that it tells nothing.
import type { Digests } from '../connections/digests.ts'
import type { Uuid } from '../shapes/ids.ts'

const letters = 26

/** 26 letters of base32hex: Google takes them as the identifier of an event. */
export function copyKey(digests: Digests, destinationId: Uuid, eventId: Uuid, generation: number): string {
  const digest = BigInt(`0x${digests('copy', `${destinationId} ${eventId} ${generation}`)}`)
  return digest.toString(32).padStart(52, '0').slice(-letters)
}
