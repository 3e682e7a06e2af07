import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const payloadPlace = (changeId: Uuid, position: number) => `changes.payload:${changeId}:${position}` as const

export const sealedChanges: SealedTable = {
  name: 'changes',
  key: ['org_id', 'seq', 'change_id', 'position'],
  columns: { payload_sealed: ({ change_id, position }) => payloadPlace(change_id!, Number(position)) },
}
