import { z } from 'zod'
import { guardrailsField, guardrailsRecord } from '../guardrails/schema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'

const label = z.string().min(1).max(100)

export const createKeyBody = z
  .strictObject({ agent_id: idInput('agt'), label: label.optional(), guardrails: guardrailsField })
  .meta({ example: { agent_id: exampleId('agt'), label: 'Laptop' } })
export type CreateKeyBody = z.infer<typeof createKeyBody>

export const updateKeyBody = z
  .strictObject({ label: label.nullable().optional(), guardrails: guardrailsField })
  .check(({ value, issues }) => {
    if (Object.keys(value).length > 0) return
    issues.push({ code: 'custom', path: [], message: 'give at least one field to change', input: undefined })
  })
  .meta({ minProperties: 1, example: { guardrails: { max_minutes: 60, max_events_per_day: 20 } } })
export type UpdateKeyBody = z.infer<typeof updateKeyBody>

export const keyRecord = z
  .object({
    id: id('key'),
    key_prefix: z.string().meta({ example: 'svc_ak_5Jx1q8Zt0bW3r' }),
    agent_id: id('agt'),
    label: z.string().nullable().meta({ example: 'Laptop' }),
    created_at: timestamp,
    guardrails: guardrailsRecord.optional(),
  })
  .meta({ id: 'ApiKey' })
export const createdKeyRecord = keyRecord
  .extend({ key: z.string().meta({ description: 'The secret. Shown only here.', example: 'svc_ak_…' }) })
  .meta({ id: 'CreatedApiKey' })
export const keyList = z.object({ keys: z.array(keyRecord) })

export const organizationKey = z
  .object({
    id: id('key'),
    key: z.string().meta({ description: 'The secret. Shown only here.', example: 'svc_sk_…' }),
    key_prefix: z.string().meta({ example: 'svc_sk_5Jx1q8Zt0bW3r' }),
    created_at: timestamp,
  })
  .meta({ id: 'OrganizationKey' })
