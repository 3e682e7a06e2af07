// Identifiers: a UUIDv7 inside, a TypeID (prefix and 26 base32 characters) outside. Written out here because every
// request makes and names several, and the packages took 3 to 6 microseconds for each. They are the oracles of the tests.
import { randomUUID } from 'node:crypto'

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

let lastMs = 0
let nth = 0

/**
 * A new UUIDv7: ascending within a process, so `order by id` is the order of creation. The milliseconds, a counter within
 * them (RFC 9562, method 1), 62 random bits; when the clock stands still or goes back, the counter carries on.
 */
export function newId(): string {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    nth = 0
  } else if (++nth > 0xfff) {
    lastMs++
    nth = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${nth.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
/** Ten bits as two characters, and the way back. */
const pairs = Array.from({ length: 1024 }, (_, bits) => digits[bits >> 5]! + digits[bits & 31]!)
const bitsOf = new Map(pairs.map((pair, bits) => [pair, bits]))

/** The first pair holds 8 bits, each of the six groups behind it 20: five hexadecimal digits, four characters. */
export function encodeId(prefix: Prefix, uuid: string): string {
  const hex = uuid.replaceAll('-', '')
  let text = `${prefix}_${pairs[Number.parseInt(hex.slice(0, 2), 16)]}`
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16)
    text += pairs[bits >> 10]! + pairs[bits & 1023]!
  }
  return text
}

const pattern = /^([a-z]{3})_([0-7][0-9a-hjkmnp-tv-z]{25})$/

/** The UUID inside, or undefined when the text is no identifier of that kind. */
export function decodeId(prefix: Prefix, text: string): string | undefined {
  const [, kind, code] = pattern.exec(text) ?? []
  if (kind !== prefix || code === undefined) return undefined
  let hex = bitsOf.get(code.slice(0, 2))!.toString(16).padStart(2, '0')
  for (let at = 2; at < 26; at += 4) {
    const bits = (bitsOf.get(code.slice(at, at + 2))! << 10) | bitsOf.get(code.slice(at + 2, at + 4))!
    hex += bits.toString(16).padStart(5, '0')
  }
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
