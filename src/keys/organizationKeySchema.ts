// The keys of the organization itself, as the console sends and gets them.
import { z } from 'zod'
import { parseNetwork } from '../outbound/addresses.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id } from '../shapes/fields.ts'
import { expiresAt, overlapSeconds, previousExpiresAt, useOfKey } from './schema.ts'

const keyScopes = ['full', 'read_only'] as const
export type KeyScope = (typeof keyScopes)[number]

const name = z.string().min(1).max(100).meta({ example: 'Continuous integration' })
const scope = z.enum(keyScopes).meta({ description: '`read_only`: only `GET`.', example: 'full' })

const maxNetworks = 20
const network = z
  .string()
  .max(64)
  .refine(
    (text) => parseNetwork(text) !== undefined,
    'expected an IP address, or a network such as 203.0.113.0/24 whose other bits are zero',
  )
  .meta({ example: '203.0.113.0/24' })
const allowedIps = z
  .array(network)
  .min(1)
  .max(maxNetworks)
  .nullable()
  .optional()
  .meta({
    description: 'Addresses and networks from which the key works; null: from everywhere.',
    example: ['203.0.113.0/24'],
  })

/** Without fields it is the primary key, otherwise one with a name. */
export const createOrganizationKeyBody = z
  .strictObject({ name: name.optional(), scope: scope.optional(), expires_at: expiresAt, allowed_ips: allowedIps })
  .check(({ value, issues }) => {
    if (value.name !== undefined || Object.keys(value).length === 0) return
    issues.push({ code: 'custom', path: ['name'], message: 'is required', input: undefined })
  })
  .meta({ example: { name: 'Continuous integration', scope: 'read_only', allowed_ips: ['203.0.113.0/24'] } })
type CreateOrganizationKeyBody = z.infer<typeof createOrganizationKeyBody>
export type NamedKeyBody = CreateOrganizationKeyBody & { name: string }

export const updateOrganizationKeyBody = z
  .strictObject({ name: name.optional(), expires_at: expiresAt, allowed_ips: allowedIps })
  .check(({ value, issues }) => {
    if (Object.keys(value).length > 0) return
    issues.push({ code: 'custom', path: [], message: 'give at least one field to change', input: undefined })
  })
  .meta({ minProperties: 1, example: { allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] } })
export type UpdateOrganizationKeyBody = z.infer<typeof updateOrganizationKeyBody>

export const regenerateKeyBody = z
  .strictObject({ overlap_seconds: overlapSeconds.optional() })
  .meta({ example: { overlap_seconds: 3_600 } })
export type RegenerateKeyBody = z.infer<typeof regenerateKeyBody>

const key = z.string().meta({ description: 'The secret. Shown only here.', example: 'svc_sk_…' })
const keyPrefix = z.string().meta({ example: 'svc_sk_5Jx1q8Zt0bW3r' })

export const organizationKeyRecord = z
  .object({
    id: id('key'),
    key_prefix: keyPrefix,
    name: name.nullable(),
    scope,
    primary: z.boolean().meta({ description: 'The key that is made without a body.', example: false }),
    allowed_ips: z
      .array(z.string())
      .nullable()
      .meta({ example: ['203.0.113.0/24'] }),
    created_at: timestamp,
    ...useOfKey,
  })
  .meta({ id: 'OrganizationKeyRecord' })
export const organizationKeyList = z.object({ keys: z.array(organizationKeyRecord) })

const { id: keyId, key_prefix, created_at, ...more } = organizationKeyRecord.shape

/** The primary key shows the first four fields alone. */
export const organizationKey = z
  .object({ id: keyId, key, key_prefix, created_at, ...z.object(more).partial().shape })
  .meta({ id: 'OrganizationKey' })

export const regeneratedKey = z
  .object({ id: keyId, key, key_prefix, created_at, previous_expires_at: previousExpiresAt.optional() })
  .meta({ id: 'RegeneratedOrganizationKey' })

export const rotatedOrganizationKey = organizationKeyRecord
  .extend({ key, previous_expires_at: previousExpiresAt })
  .meta({ id: 'RotatedOrganizationKey' })
