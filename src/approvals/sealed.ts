import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const requestContext = (id: Uuid) => `approvals.request:${id}` as const
export const resultContext = (id: Uuid) => `approvals.result:${id}` as const

export const sealedApprovals: SealedTable = {
  name: 'approvals',
  key: ['org_id', 'id'],
  columns: { request_sealed: ({ id }) => requestContext(id!), result_sealed: ({ id }) => resultContext(id!) },
}
