// The questions of a page's owner, and what guests answer.
import { z } from 'zod'
import { isSameText } from '../shapes/likeness.ts'

const kinds = ['text', 'long_text', 'choice'] as const
const maxQuestions = 20
const maxOptions = 50
/** The form on the page has the same limits. */
export const maxAnswerLength = { text: 500, long_text: 2_000 }

const label = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line')

const question = z
  .strictObject({
    name: z
      .string()
      .max(40)
      .regex(/^[a-z][a-z0-9_]*$/, 'expected lower-case letters, digits and underscores, for example team_size')
      .meta({ description: 'Names the answer; unique on the page.', example: 'company' }),
    label: label.meta({ description: 'The question as guests read it.', example: 'Where do you work?' }),
    kind: z.enum(kinds).default('text'),
    required: z.boolean().default(false),
    options: z
      .array(label)
      .min(1)
      .max(maxOptions)
      .optional()
      .meta({ description: 'The possible answers; only for the kind `choice`.', example: undefined }),
  })
  .check(({ value, issues }) => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', path: ['options'], message, input: value.options })
    if (value.kind === 'choice' && !value.options) refuse('is required for a choice')
    if (value.kind !== 'choice' && value.options) refuse('is only for a choice')
    if (new Set(value.options).size < (value.options ?? []).length) refuse('must not repeat an answer')
  })
export type Question = z.infer<typeof question>

export const questionsField = z
  .array(question)
  .max(maxQuestions)
  .check(({ value, issues }) => {
    value.forEach(({ name }, nth) => {
      if (value.findIndex((one) => one.name === name) === nth) return
      issues.push({ code: 'custom', path: [nth, 'name'], message: 'must be unique on the page', input: name })
    })
  })
  .meta({ description: 'Questions to guests besides their name and address.' })

/** As a guest sends them, by the names of the questions. */
export const answersField = z
  .record(z.string(), z.string())
  .meta({ description: "Answers to the page's questions, by their names.", example: { company: 'Example Robotics' } })

/** The answers as the event stores them, with their questions. */
export type Answered = { name: string; label: string; answer: string }

export type AnswerFault = { name: string; why: 'missing' | 'too_long' | 'not_an_option' | 'unknown' }

/** The answers in the order of the questions, or the first that is wrong. Line breaks of a form count once. */
export function judgeAnswers(
  questions: readonly Question[],
  given: Readonly<Record<string, string>>,
): { answers: Answered[] } | { fault: AnswerFault } {
  const answers: Answered[] = []
  for (const asked of questions) {
    const text = Object.hasOwn(given, asked.name) ? given[asked.name]!.replace(/\r\n?/g, '\n').trim() : ''
    const why = faultOf(asked, text)
    if (why) return { fault: { name: asked.name, why } }
    if (text !== '') answers.push({ name: asked.name, label: asked.label, answer: text })
  }
  const unknown = Object.keys(given).find((name) => !questions.some((asked) => asked.name === name))
  return unknown === undefined ? { answers } : { fault: { name: unknown, why: 'unknown' } }
}

function faultOf({ kind, required, options = [] }: Question, text: string): AnswerFault['why'] | undefined {
  if (text === '') return required ? 'missing' : undefined
  if (kind === 'choice') return options.some((option) => isSameText(option, text)) ? undefined : 'not_an_option'
  return text.length > maxAnswerLength[kind] ? 'too_long' : undefined
}
