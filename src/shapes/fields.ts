// Fields that many records share on the wire: identifiers, metadata, time zones.
import { z } from 'zod'
import type { Prefix } from './ids.ts'
import { isZone } from './zones.ts'

export const exampleId = (prefix: Prefix): string => `${prefix}_01k9xr8m3fe8tbc4x9m2v7h5qd`

/** An identifier the service answers with. */
export const id = (prefix: Prefix) => z.string().meta({ example: exampleId(prefix) })

/** An identifier a caller sends: any text, because a malformed one is answered like an unknown one. */
export const idInput = (prefix: Prefix) => z.string().meta({ example: exampleId(prefix) })

/** A part of a text that is searched for, in upper or lower case. */
export const searchText = z.string().trim().max(200)

/** Identifiers in a query, separated by commas; duplicates are dropped. */
export const listedIds = (prefix: Prefix) =>
  z
    .string()
    .regex(/^[^,\s]+(\s*,\s*[^,\s]+)*$/, `expected ${prefix}_ ids, separated by commas`)
    .transform((text) => [...new Set(text.split(/\s*,\s*/))])
    .meta({ example: exampleId(prefix) })

const maxMetadataBytes = 16 * 1024

/** Kept as sent: no key is special, not even `__proto__`. */
export const metadata = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'expected an object',
  )
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
    `must be at most ${maxMetadataBytes.toLocaleString('en')} bytes of JSON`,
  )
  .meta({
    description: 'Free key-value pairs, at most 16 KB of JSON.',
    example: { team: 'research' },
    override: { type: 'object', additionalProperties: true },
  })

export const zone = z
  .string()
  .max(64)
  .refine(isZone, 'expected an IANA time zone, for example Europe/Berlin')
  .meta({ example: 'Europe/Berlin' })

export const queryBoolean = z
  .enum(['true', 'false'], {
    error: ({ input }) => (Array.isArray(input) ? undefined : 'expected true or false'),
  })
  .transform((text) => text === 'true')
