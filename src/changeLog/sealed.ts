import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

/** The context that the title of an event is sealed for. */
export const titleContext = (eventId: Uuid) => `events.title:${eventId}` as const

export const payloadContext = (changeId: Uuid, position: number) => `changes.payload:${changeId}:${position}` as const

export const sealedChanges: SealedTable = {
  name: 'changes',
  key: ['org_id', 'seq', 'change_id', 'position'],
  moreColumns: ['resource_id', 'starts_at'],
  columns: {
    // A moment has the title of its event unchanged.
    payload_sealed: ({ change_id, position, resource_id, starts_at }) =>
      starts_at ? titleContext(resource_id!) : payloadContext(change_id!, Number(position)),
  },
}
