// Which columns are encrypted, and what each value is bound to.
import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const destinationContext = (id: Uuid) => `external_destinations.remote:${id}` as const
export const keptContext = (destinationId: Uuid, eventId: Uuid) =>
  `publications.kept:${destinationId}:${eventId}` as const

export const sealedDestinations: SealedTable = {
  name: 'external_destinations',
  key: ['org_id', 'id'],
  columns: { remote_sealed: ({ id }) => destinationContext(id!) },
}

export const sealedPublications: SealedTable = {
  name: 'publications',
  key: ['org_id', 'destination_id', 'event_id'],
  columns: { kept_sealed: (row) => keptContext(row.destination_id!, row.event_id!) },
}
