// What a tool answers, in the form of the protocol. Its texts are clean, and it is never too large for a model to read.
import { cleaned } from './cleaning.ts'

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

/** JSON without spaces, at most `maxBytes` of it: descriptions are shortened until it fits. */
export function textOf(answer: object): string {
  const clean = cleaned(answer)
  let max = maxDescription
  let text = JSON.stringify(shortened(clean, max))
  while (Buffer.byteLength(text) > maxBytes && max > 0) {
    max = Math.floor(max / 2)
    text = JSON.stringify(shortened(clean, max))
  }
  return text
}

/** A copy with descriptions of at most `max` characters. What callers keep in `metadata` is theirs. */
function shortened(value: unknown, max: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item, max))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'metadata' ? field : shortened(field, max),
  ])
  const copy: Record<string, unknown> = Object.fromEntries(fields)
  const { description } = copy
  if (typeof description !== 'string' || description.length <= max) return copy
  copy.description = wellFormed(description.slice(0, max))
  copy.description_truncated = true
  return copy
}

/** A cut may fall into a character of two units. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** As many items as fit beside the rest of an answer. */
export function fitting<Item>(items: readonly Item[], rest: object): Item[] {
  let left = maxBytes - spareBytes - bytesOf(cleaned(rest))
  const end = items.findIndex((item) => {
    left -= bytesOf(shortened(cleaned(item), maxDescription)) + 1
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

/** A record without what is null or empty. */
export const compact = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
