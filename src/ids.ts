// Identifiers: a UUIDv7 inside, a TypeID (prefix and 26 base32 characters) outside.
import { TypeID } from 'typeid-js'
import { v7 } from 'uuid'

export const prefixes = [
  'org',
  'agt',
  'cal',
  'evt',
  'spr',
  'slt',
  'rsp',
  'key',
  'ics',
  'whk',
  'whd',
  'avr',
  'bkp',
  'aud',
  'req',
] as const
export type Prefix = (typeof prefixes)[number]

/** A new UUIDv7: ascending within a process, so `order by id` is the order of creation. */
export const newId = (): string => v7()

export const encodeId = (prefix: Prefix, uuid: string): string => TypeID.fromUUID(prefix, uuid).toString()

const pattern = /^([a-z]{3})_([0-7][0-9a-hjkmnp-tv-z]{25})$/

/** The UUID inside, or undefined when the text is no identifier of that kind. */
export function decodeId(prefix: Prefix, text: string): string | undefined {
  const match = pattern.exec(text)
  if (match?.[1] !== prefix) return undefined
  return TypeID.fromString(text, prefix).toUUID()
}
