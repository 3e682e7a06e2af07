// Questions to guests between the service and the form, which has the answers of a choice as one text. Pure.
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'

type Question = NonNullable<BookingPage['questions']>[number]

const kinds = ['text', 'long_text', 'choice'] as const

export type QuestionValues = {
  name: string
  label: string
  kind: (typeof kinds)[number]
  required: boolean
  options: string
}

export const noQuestion: QuestionValues = { name: '', label: '', kind: 'text', required: false, options: '' }

export const questionValues = (questions: BookingPage['questions']): readonly QuestionValues[] =>
  (questions ?? []).map(({ options = [], ...rest }) => ({ ...noQuestion, ...rest, options: options.join('\n') }))

export const questionOf = ({ options, ...rest }: QuestionValues): Question => ({
  ...rest,
  ...(rest.kind === 'choice' && { options: options.split('\n').filter((option) => option.trim() !== '') }),
})

export const questionsText = (questions: readonly QuestionValues[]): string =>
  questions.map(({ label }) => label).join(', ')
