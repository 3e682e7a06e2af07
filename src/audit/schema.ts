import { z } from 'zod'
import { pageQuery } from '../lists.ts'
import { datetime, id, timestamp } from '../wire.ts'

export const auditLogQuery = z.object({
  from: datetime.optional(),
  to: datetime.optional(),
  action: z.string().max(100).optional(),
  actor_key_prefix: z.string().max(100).optional(),
  cursor: z.string().max(300).optional(),
  limit: pageQuery().shape.limit,
})
export type AuditLogQuery = z.infer<typeof auditLogQuery>

export const auditEntry = z
  .object({
    id: id('aud'),
    action: z.string().meta({ example: 'event.create' }),
    actor_key_prefix: z.string().nullable(),
    agent_id: id('agt').nullable(),
    resource: z.string().nullable(),
    ip: z.string().nullable(),
    status: z.int().nullable(),
    method: z.string().nullable(),
    path: z.string().nullable(),
    duration_ms: z.int().nullable(),
    request_id: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry' })

export const auditLog = z.object({
  data: z.array(auditEntry),
  pagination: z.object({ next_cursor: z.string().nullable().meta({ description: 'Null: this is the last page.' }) }),
  retention_days: z.int().nullable().meta({ description: 'Null is unlimited.' }),
  range_clamped: z.boolean().meta({ description: '`from` lay before what the plan keeps.' }),
})
