import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const answerContext = (id: Uuid) => `answers.answer:${id}` as const

export const sealedAnswers: SealedTable = {
  name: 'answers',
  key: ['org_id', 'id'],
  columns: { answer_sealed: ({ id }) => answerContext(id!) },
}
