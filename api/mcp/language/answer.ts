// The answer of a tool, in the form of the protocol. Its texts are clean, and its size is limited.

import { takeFences } from '../../../src/outsideText/forms.ts'
import { stripHiddenCharacters } from './stripHiddenCharacters.ts'

/** The result of `tools/call`. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta: Record<string, unknown>
}

export const requestIdMeta = (requestId: string) => ({ 'agent-calendar/request_id': requestId })

/** A success: the same twice, because some hosts show the text to the model and others the structure. */
export function successResult(answer: object, requestId: string): ToolResult {
  const text = textOf(answer)
  return { structuredContent: JSON.parse(text), content: [{ type: 'text', text }], _meta: requestIdMeta(requestId) }
}

const maxBytes = 24_000
const maxDescription = 8_000

/** How much of an answer is shown: characters of a description, items of a list, and the contents of `metadata`. */
type Limits = { description: number; items: number; hasMetadata: boolean }

const whole: Limits = { description: maxDescription, items: Number.POSITIVE_INFINITY, hasMetadata: true }

/** Each shows less than the one before it. */
function* everTighter(): Generator<Limits> {
  for (let description = maxDescription; description > 0; description = Math.floor(description / 2)) {
    yield { ...whole, description }
  }
  for (let items = 64; items > 0; items = Math.floor(items / 2)) yield { ...whole, description: 0, items }
  yield { description: 0, items: 1, hasMetadata: false }
}

/** JSON without spaces, at most `maxBytes` of it: descriptions are shortened until it fits, then lists end earlier. */
export function textOf(answer: object): string {
  const clean = stripHiddenCharacters(answer)
  let text = ''
  for (const limits of everTighter()) {
    text = JSON.stringify(shortened(clean, limits))
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  return text
}

/** Fields that are returned unchanged: the caller's own data, and arguments to send. */
const untouched = new Set(['metadata', 'arguments'])

/** A copy within the limits. A cut value gets a second field that says so. */
function shortened(value: unknown, limits: Limits): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item, limits))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (name === 'metadata' && !limits.hasMetadata) return [[`${name}_truncated`, true]]
    if (untouched.has(name)) return [[name, field]]
    const [shown, isCut] = cut(name, field, limits)
    return isCut
      ? [
          [name, shortened(shown, limits)],
          [`${name}_truncated`, true],
        ]
      : [[name, shortened(shown, limits)]]
  })
  return Object.fromEntries(fields)
}

function cut(name: string, field: unknown, { description, items }: Limits): [shown: unknown, isCut: boolean] {
  if (Array.isArray(field)) return [field.slice(0, items), field.length > items]
  if (name !== 'description' || typeof field !== 'string') return [field, false]
  const { open, text, close } = takeFences(field)
  const shown = wellFormed(text.slice(0, description))
  return [open + shown + close, text.length > description]
}

/** A cut may fall into a character of two units. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** As many items as fit next to the rest of an answer. */
export function fitting<Item>(items: readonly Item[], rest: object): Item[] {
  let left = maxBytes - spareBytes - bytesOf(stripHiddenCharacters(rest))
  const end = items.findIndex((item) => {
    left -= bytesOf(shortened(stripHiddenCharacters(item), whole)) + 1
    return left < 0
  })
  return end < 0 ? [...items] : items.slice(0, end)
}

/** For the names of lists, and for numbers that are not known yet. */
const spareBytes = 200

type Found<Item> = { items: readonly Item[]; total: number; offset: number }

/** A page of a list, with `next_offset` while there is more: it ends earlier where its items are large. */
export function listAnswer<Item>(name: string, { items, total, offset }: Found<Item>, rest: object = {}): object {
  const first = fitting(items, rest)
  const shown = first.length > 0 ? first : items.slice(0, 1)
  const next = offset + shown.length
  return { ...rest, [name]: shown, total, ...(next < total && shown.length > 0 && { next_offset: next }) }
}

/** A record without null or empty fields. */
export const compact = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
