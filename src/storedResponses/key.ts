// The key that a caller sends with a mutation, so that asking again does not do it again: its accepted form, and the equality
// of two requests.
import type { ResponseKey } from '../actors/actor.ts'
import { invalid } from '../errors.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'

export const keyHeader = 'Idempotency-Key'

/** Owner of keys that the administrator sends. */
export const installation = '00000000-0000-0000-0000-000000000000' as Uuid

const isKey = /^[\x21-\x7e]{1,255}$/

/**
 * The key as the caller means it: a pair of quotes around it is taken off. `sent`: the values of the header, one for each
 * time it was sent. Throws `validation_error`.
 */
export function readKey(sent: readonly string[]): string {
  const [value = ''] = sent
  const key = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  if (sent.length === 1 && isKey.test(key)) return key
  const reason = sent.length > 1 ? 'send it once' : 'send 1 to 255 visible ASCII characters, without blanks'
  throw invalid(`${keyHeader}: ${reason}`, keyHeader)
}

/** The parts of a request that must be equal. `query`: as in the address, without the question mark. */
type KeyedRequest = { method: string; path: string; query: string; ifMatch: string | undefined; body: unknown }

/** `scope`: the account, the agent, the organization or the installation whose own the key is. */
export const responseKeyOf = (orgId: Uuid, scope: Uuid, key: string, request: KeyedRequest): ResponseKey => ({
  orgId,
  id: responseIdOf(scope, key),
  fingerprint: fingerprintOf(request),
})

export const responseIdOf = (scope: Uuid, key: string): Uuid => uuidOf(sha256(`${scope} ${key}`))

/** The first 122 bits of a hash as a UUID of version 8 (RFC 9562). */
function uuidOf(hash: Buffer): Uuid {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Uuid
}

/** Equal for requests that ask for the same: the order of query parameters and of the fields of the body does not count. */
export function fingerprintOf({ method, path, query, ifMatch, body }: KeyedRequest): Buffer {
  const parameters = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return sha256(JSON.stringify([method, path, parameters, ifMatch ?? null, inOrder(body ?? {})]))
}

/** The same value with the fields of each object in one order. Bodies are at most 64 levels deep (api/http/storable.ts). */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // A list, because an object puts fields that are numbers first.
  return { fields: fields.map(([name, field]) => [name, inOrder(field)]) }
}
