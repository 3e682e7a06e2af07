// Identifiers: a UUIDv7 inside, a TypeID (prefix and 26 base32 characters) outside. Written out here because every
// request makes and names several, and the packages took 3 to 6 microseconds for each. They are the oracles of the tests.
import { randomFillSync, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { charCodeAt } from './strings.ts'

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
  'rpl',
  'hgr',
  'aud',
  'req',
  'con',
  'xcl',
  'avg',
  'csl',
  'xds',
  'chg',
  'mem',
  'ses',
  'inv',
  'apr',
] as const
export type Prefix = (typeof prefixes)[number]

/** An identifier as it stands in rows, payloads of jobs and keys of Redis. */
export type Uuid = string & { readonly uuid: unique symbol }

/** Of a payload that this service wrote itself. */
export const uuid = z.string() as unknown as z.ZodType<Uuid>

/** An identifier as it is shown. An identifier of a caller is `string` until it is decoded. */
export type PublicId<P extends Prefix = Prefix> = `${P}_${string}`

/** The nouns of the prefixes, as in messages. */
export const idNouns: Record<Prefix, string> = {
  org: 'organization',
  agt: 'agent',
  cal: 'calendar',
  evt: 'event',
  spr: 'proposal',
  slt: 'slot',
  rsp: 'response',
  key: 'key',
  ics: 'iCal subscription',
  whk: 'webhook',
  whd: 'delivery',
  avr: 'availability rules',
  bkp: 'booking page',
  rpl: 'replay',
  hgr: 'hold group',
  aud: 'audit entry',
  req: 'request',
  con: 'connection',
  xcl: 'external calendar',
  avg: 'grant',
  csl: 'connection link',
  xds: 'external destination',
  chg: 'change',
  mem: 'member',
  ses: 'session',
  inv: 'invitation',
  apr: 'approval',
}

let lastMs = 0
let nth = 0
/** The part of `newId` that all ids of a millisecond share. */
let time = ''

/**
 * A new UUIDv7: ascending within a process, so `order by id` is the order of creation. The milliseconds, a counter within
 * them (RFC 9562, method 1), 62 random bits; when the clock stands still or goes back, the counter carries on.
 */
export function newId(): Uuid {
  nextOfMs()
  return `${time}${(0x7000 | nth).toString(16)}-${randomUUID().slice(19)}` as Uuid
}

function beginMs(ms: number) {
  lastMs = ms
  nth = 0
  const text = ms.toString(16).padStart(12, '0')
  time = `${text.slice(0, 8)}-${text.slice(8)}-`
}

function nextOfMs() {
  const nowMs = Date.now()
  if (nowMs > lastMs) beginMs(nowMs)
  else if (++nth > 0xfff) beginMs(lastMs + 1)
}

/** The smallest UUIDv7 of a millisecond: ids made before it are smaller. */
export function firstIdAt(at: Date): Uuid {
  const text = at.getTime().toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}-7000-8000-000000000000` as Uuid
}

/** The millisecond of a UUIDv7. */
export const timeOfId = (id: Uuid): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
/** Ten bits as two digits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => digits[bits >> 5]! + digits[bits & 31]!)
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** By character code: its value in an identifier, and in a UUID. */
const valueOfDigit = valuesOf(digits)
const valueOfHex = valuesOf('0123456789abcdef')

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128)
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
  return values
}

const hyphen = 45

/** 128 bits behind two that are zero, ten at a time. `uuid` is in lower case, as Postgres writes it. */
export function encodeId<P extends Prefix>(prefix: P, uuid: Uuid): PublicId<P> {
  let text = `${prefix}_`
  let [bits, held] = [0, 2]
  for (let at = 0; at < 36; at++) {
    const code = charCodeAt(uuid, at)
    if (code === hyphen) continue
    bits = (bits << 4) | valueOfHex[code]!
    held += 4
    if (held < 10) continue
    held -= 10
    text += pairs[bits >> held]!
    bits &= (1 << held) - 1
  }
  return text as PublicId<P>
}

/** The first ten characters of `newPublicId`, and the millisecond that they are of. */
let shownTime = { ms: 0, text: '' }

function timeOf(ms: number): string {
  if (shownTime.ms !== ms) shownTime = { ms, text: encodeId('req', firstIdAt(new Date(ms))).slice(4, 14) }
  return shownTime.text
}

/** Ten random bits each, drawn in bulk. */
const drawn = new Uint16Array(6 * 256)
let nextDrawn = drawn.length

/** `encodeId(prefix, newId())` in a quarter of its time, for ids that are not needed as a UUID. */
export function newPublicId<P extends Prefix>(prefix: P): PublicId<P> {
  nextOfMs()
  if (nextDrawn === drawn.length) {
    randomFillSync(drawn)
    nextDrawn = 0
  }
  // Four bits of the version and twelve that count; two of the variant, two of the first draw; ten of each draw.
  let text = `${prefix}_${timeOf(lastMs)}${pairs[0x1c0 | (nth >> 6)]}${pairs[((nth & 0x3f) << 4) | 8 | (drawn[nextDrawn]! >> 14)]}`
  for (const end = nextDrawn + 6; nextDrawn < end; nextDrawn++) text += pairs[drawn[nextDrawn]! & 1023]!
  return text as PublicId<P>
}

const pattern = /^([a-z]{3})_([0-7][0-9a-hjkmnp-tv-z]{25})$/

/** The UUID inside, or undefined when the text is no identifier of that kind. */
export function decodeId(prefix: Prefix, text: string): Uuid | undefined {
  if (pattern.exec(text)?.[1] !== prefix) return undefined
  let hex = ''
  let [bits, held] = [0, -2]
  for (let at = 4; at < 30; at++) {
    bits = (bits << 5) | valueOfDigit[charCodeAt(text, at)]!
    held += 5
    if (held < 8) continue
    held -= 8
    hex += bytes[bits >> held]!
    bits &= (1 << held) - 1
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid
}
