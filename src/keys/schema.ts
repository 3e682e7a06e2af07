import { z } from 'zod'
import { id, idInput, timestamp } from '../wire.ts'

export const createKeyBody = z.strictObject({ agent_id: idInput('agt'), label: z.string().min(1).max(100).optional() })
export type CreateKeyBody = z.infer<typeof createKeyBody>

export const keyRecord = z
  .object({
    id: id('key'),
    key_prefix: z.string(),
    agent_id: id('agt'),
    label: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' })
export const createdKeyRecord = keyRecord
  .extend({ key: z.string().meta({ description: 'The secret. Shown only here.' }) })
  .meta({ id: 'CreatedApiKey' })
export const keyList = z.object({ keys: z.array(keyRecord) })

export const organizationKey = z
  .object({
    id: id('key'),
    key: z.string().meta({ description: 'The secret. Shown only here.' }),
    key_prefix: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'OrganizationKey' })
