// Answers without hidden characters in the text that people wrote. The stored text does not change. Pure.
import { visibleText } from '../../../src/shapes/visibleText.ts'

/** A copy in which every text is clean, names of fields included. */
export function stripHiddenCharacters(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map(stripHiddenCharacters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [visibleText(name), stripHiddenCharacters(field)]),
  )
}
