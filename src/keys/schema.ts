import { z } from 'zod'
import { guardrailsField, guardrailsRecord } from '../guardrails/schema.ts'
import { datetime } from '../localtime/fields.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput, queryBoolean } from '../shapes/fields.ts'

const label = z.string().min(1).max(100)
const example = { expires_at: '2027-03-01T00:00:00Z' }

/** When a key ends; null: never. It must lie ahead. */
export const expiresAt = datetime.nullable().optional().meta({
  description: 'From then on the key is refused with the code `key_expired`; null: never.',
  example: example.expires_at,
})

export const createKeyBody = z
  .strictObject({
    agent_id: idInput('agt'),
    label: label.optional(),
    guardrails: guardrailsField,
    expires_at: expiresAt,
  })
  .meta({ example: { agent_id: exampleId('agt'), label: 'Laptop' } })
export type CreateKeyBody = z.infer<typeof createKeyBody>

export const updateKeyBody = z
  .strictObject({ label: label.nullable().optional(), guardrails: guardrailsField, expires_at: expiresAt })
  .check(({ value, issues }) => {
    if (Object.keys(value).length > 0) return
    issues.push({ code: 'custom', path: [], message: 'give at least one field to change', input: undefined })
  })
  .meta({ minProperties: 1, example: { guardrails: { max_minutes: 60, max_events_per_day: 20 } } })
export type UpdateKeyBody = z.infer<typeof updateKeyBody>

/** A week. */
const maxOverlapSeconds = 604_800

/** For how long a key that is replaced goes on to work. */
export const overlapSeconds = z.int().min(0).max(maxOverlapSeconds).meta({
  description: 'For how long the key that is replaced continues to work; 0: it ends at once.',
  example: 3_600,
})

export const rotateKeyBody = z
  .strictObject({
    overlap_seconds: overlapSeconds.default(86_400),
    expires_at: expiresAt,
    force: z
      .boolean()
      .default(false)
      .meta({ description: 'End the key before this one, if it still works.', example: false }),
  })
  .meta({ example: { overlap_seconds: 3_600 } })
export type RotateKeyBody = z.infer<typeof rotateKeyBody>

const secret = (start: string) => z.string().meta({ description: 'The secret. Shown only here.', example: `${start}…` })
const createdBy = z
  .object({ member_id: id('mem'), email: z.string().meta({ format: 'email', example: 'ada@example.com' }) })
  .nullable()
  .meta({ description: 'Who made it with a console session; null: nobody did.' })
const replacedBy = id('key')
  .nullable()
  .meta({ description: 'The key that has replaced it: this one works until `expires_at`.', example: null })
const lastUsedAt = timestamp.nullable().meta({ description: 'Up to ten minutes late; null: never used.' })
const end = timestamp.nullable().meta({ description: 'Null: never.', example: null })

export const useOfKey = { expires_at: end, last_used_at: lastUsedAt, created_by: createdBy, replaced_by: replacedBy }

export const keyRecord = z
  .object({
    id: id('key'),
    key_prefix: z.string().meta({ example: 'svc_ak_5Jx1q8Zt0bW3r' }),
    agent_id: id('agt'),
    label: z.string().nullable().meta({ example: 'Laptop' }),
    created_at: timestamp,
    guardrails: guardrailsRecord.optional(),
    expires_at: timestamp.optional().meta({ description: 'Only where the key ends.' }),
  })
  .meta({ id: 'ApiKey' })
export const createdKeyRecord = keyRecord.extend({ key: secret('svc_ak_') }).meta({ id: 'CreatedApiKey' })

/** When the key that was replaced ends. */
export const previousExpiresAt = timestamp
  .nullable()
  .meta({ description: 'Until when the key that was replaced works; null: it has ended.' })

export const rotatedKeyRecord = createdKeyRecord
  .extend({ previous_expires_at: previousExpiresAt })
  .meta({ id: 'RotatedApiKey' })

export const keyListQuery = z.strictObject({
  include_use: queryBoolean
    .default(false)
    .meta({ description: 'With `expires_at`, `last_used_at`, `created_by` and `replaced_by`.' }),
})
export type KeyListQuery = z.infer<typeof keyListQuery>

const { expires_at: _, ...use } = useOfKey
const listedKey = keyRecord
  .extend({ ...z.object(use).partial().shape, expires_at: end.optional() })
  .meta({ id: 'ListedApiKey' })
export const keyList = z.object({ keys: z.array(listedKey) })
