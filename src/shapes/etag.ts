// The tag of a record (RFC 9110, 8.8.3): equal while nothing of the record has changed.
import { hash } from 'node:crypto'

/** Of the record without any view. It must have its own fields in one order; deeper ones may have any. */
export function etagOf(record: object): string {
  const text = JSON.stringify(holdsObjects(record) ? withOrderedFields(record) : record)
  return `"${hash('sha256', text, 'base64url').slice(0, tagLength)}"`
}

/** 132 bits. */
const tagLength = 22

const tags = /(?:^|[\s,])(W\/)?("[^"]*")(?=[\s,]|$)/g

/** Strong comparison: a weak tag is never met. `sent`: the value of `If-Match`. */
export function isMet(sent: string, etag: string): boolean {
  if (sent.trim() === '*') return true
  return [...sent.matchAll(tags)].some(([, weak, tag]) => weak === undefined && tag === etag)
}

type Fields = Record<string, unknown>

function holdsObjects(record: object): boolean {
  for (const name in record) {
    const value = (record as Fields)[name]
    if (typeof value === 'object' && value !== null && !isEmpty(value)) return true
  }
  return false
}

const isEmpty = (value: object): boolean => {
  for (const _ in value) return false
  return true
}

function withOrderedFields(record: object): Fields {
  const ordered: Fields = { ...record }
  for (const name in ordered) {
    const value = ordered[name]
    if (typeof value === 'object' && value !== null) ordered[name] = inOrder(value)
  }
  return ordered
}

/** jsonb does not keep the order of keys, so a sent and a read object differ in it. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // A list, because an object puts fields that are numbers first.
  return fields.map(([name, field]) => [name, inOrder(field)])
}
