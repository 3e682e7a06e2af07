// The versions of a feed's events as one value: 28 bytes for each, in the order of the feed. The id (16), the sequence (4) and
// the last change in microseconds since 2000 (8) together determine the lines of an event.
import type { Uuid } from '../shapes/ids.ts'

export const versionBytes = 28
const millisAt2000 = Date.UTC(2000, 0, 1)

/** Whether both have the same version at these places; false beyond the end. */
export function isSameAt(a: Buffer, nthOfA: number, b: Buffer, nthOfB: number): boolean {
  const [from, to] = [nthOfA * versionBytes, nthOfB * versionBytes]
  if (from >= a.length || to >= b.length) return false
  return a.compare(b, to, to + versionBytes, from, from + versionBytes) === 0
}

export function idAt(versions: Buffer, nth: number): Uuid {
  const hex = versions.toString('hex', nth * versionBytes, nth * versionBytes + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid
}

/** Undefined without events. */
export function latestChange(versions: Buffer): Date | undefined {
  let latest: bigint | undefined
  for (let at = 20; at < versions.length; at += versionBytes) {
    const micros = versions.readBigInt64BE(at)
    if (latest === undefined || micros > latest) latest = micros
  }
  return latest === undefined ? undefined : new Date(Number(latest / 1000n) + millisAt2000)
}
