import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const responseContext = (id: Uuid) => `answers.answer:${id}` as const

export const sealedResponses: SealedTable = {
  name: 'answers',
  key: ['org_id', 'id'],
  columns: { answer_sealed: ({ id }) => responseContext(id!) },
}
