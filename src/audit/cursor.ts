// The position at which a page of the audit log ended, as an opaque text that the next request sends back: the entry's time
// in milliseconds (8 bytes) and its id (16 bytes).
import type { Uuid } from '../shapes/ids.ts'

const bytes = 24

type Position = { createdAt: Date; id: Uuid }

export function encodeCursor({ createdAt, id }: Position): string {
  const buffer = Buffer.alloc(bytes)
  buffer.writeBigInt64BE(BigInt(createdAt.getTime()))
  buffer.write(id.replaceAll('-', ''), 8, 'hex')
  return buffer.toString('base64url')
}

const latest = 8_640_000_000_000_000n

/** Undefined for a text that this service did not make. */
export function decodeCursor(text: string): Position | undefined {
  const buffer = Buffer.from(text, 'base64url')
  if (buffer.length !== bytes || buffer.toString('base64url') !== text) return undefined
  const at = buffer.readBigInt64BE()
  if (at < 0 || at > latest) return undefined
  const id = buffer.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Uuid
  return { createdAt: new Date(Number(at)), id }
}
