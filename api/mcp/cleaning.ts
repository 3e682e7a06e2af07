// Text that people wrote, without what hides in it: control characters, marks that turn the direction of reading, and
// characters without width, which carry orders to a model that no person sees. What is stored stays as it is. Pure.

/** But newline and tab. */
const control = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`
const direction = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
const widthless = String.raw`\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff`
const tags = String.raw`\u{e0000}-\u{e007f}`
const hidden = new RegExp(`[${control}${direction}${widthless}${tags}]`, 'gu')

const cleanText = (text: string): string => text.replace(hidden, '')

/** A copy in which every text is clean, names of fields included. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [cleanText(name), cleaned(field)]))
}
