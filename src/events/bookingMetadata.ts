// `booking` in an event's metadata describes the guest: name, address, notes. It is sealed like the title, whoever wrote it;
// the rest of the metadata is for programs and is not sealed.
import type { Sealer } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'

type Metadata = Record<string, unknown>
type StoredMetadata = { metadata: Metadata; bookingSealed: Buffer | null }

export const bookingContext = (id: Uuid) => `events.booking:${id}` as const

/** As it is stored. */
export function sealMetadata(sealer: Sealer, id: Uuid, given: Metadata): StoredMetadata {
  if (!Object.hasOwn(given, 'booking')) return { metadata: given, bookingSealed: null }
  const { booking, ...metadata } = given
  return { metadata, bookingSealed: sealer.seal(bookingContext(id), JSON.stringify(booking)) }
}

/** As it was given. */
export const openMetadata = (
  sealer: Sealer,
  { id, metadata, bookingSealed }: StoredMetadata & { id: Uuid },
): Metadata =>
  bookingSealed === null
    ? metadata
    : { ...metadata, booking: JSON.parse(sealer.unseal(bookingContext(id), bookingSealed)) }
