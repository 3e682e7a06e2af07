// Text that people wrote, without hidden characters: control characters, marks that change the direction of reading, and any
// other invisible one, which could carry orders to a model that no person sees. The stored text does not change. Pure.

/** Newline and tab stay, and one selector behind a sign, which gives an emoji its colours. */
const hidden = /[[\p{Cc}--[\n\t]][\p{DI}--[\ufe00-\ufe0f]]]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gv

const cleanText = (text: string): string => text.replace(hidden, '')

/** A copy in which every text is clean, names of fields included. */
export function stripHiddenCharacters(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(stripHiddenCharacters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [cleanText(name), stripHiddenCharacters(field)]),
  )
}
