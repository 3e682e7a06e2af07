// The place at which a page of a list ended, as an opaque text that the next request sends back: a mark of the list (6 bytes), a
// number (8 bytes), an id (16 bytes) and a number (8 bytes).
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Uuid } from './ids.ts'

/** `at` and `last`: by what the list is sorted before and after the id, as whole numbers. */
type Place = { at: number; id: Uuid; last: number }

/** Empty begins a list. */
export const cursorQuery = z.string().max(300).optional().meta({ description: 'The `next_cursor` of the page before.' })

const markBytes = 6
const bytes = markBytes + 8 + 16 + 8

/** A cursor of another list, or of another organization, has another mark. */
const markOf = (list: string): Buffer => hash('sha256', list, 'buffer').subarray(0, markBytes)

export function encodeCursor(list: string, { at, id, last }: Place): string {
  const buffer = Buffer.alloc(bytes)
  markOf(list).copy(buffer)
  buffer.writeBigInt64BE(BigInt(at), markBytes)
  buffer.write(id.replaceAll('-', ''), markBytes + 8, 'hex')
  buffer.writeBigInt64BE(BigInt(last), markBytes + 24)
  return buffer.toString('base64url')
}

/** The largest number of a time in milliseconds. */
const largest = 8_640_000_000_000_000n

/** Undefined for a text that this service did not make for the list. */
export function decodeCursor(list: string, text: string): Place | undefined {
  const buffer = Buffer.from(text, 'base64url')
  if (buffer.length !== bytes || buffer.toString('base64url') !== text) return undefined
  if (!buffer.subarray(0, markBytes).equals(markOf(list))) return undefined
  const [at, last] = [buffer.readBigInt64BE(markBytes), buffer.readBigInt64BE(markBytes + 24)]
  if (!isTime(at) || !isTime(last)) return undefined
  const id = buffer.toString('hex', markBytes + 8, markBytes + 24)
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Uuid
  return { at: Number(at), id: uuid, last: Number(last) }
}

const isTime = (value: bigint): boolean => value >= -largest && value <= largest
