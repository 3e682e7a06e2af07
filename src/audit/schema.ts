import { z } from 'zod'
import { roles } from '../actors/roles.ts'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput, queryBoolean } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const auditLogQuery = z.strictObject({
  from: datetime.optional().meta({ description: 'Inclusive.' }),
  to: laterDatetime.optional().meta({ description: 'Inclusive. Default: now.' }),
  action: z.string().max(100).optional().meta({ description: 'Only this action.' }),
  actor_key_prefix: z.string().max(100).optional().meta({ description: 'The first 20 characters of the acting key.' }),
  actor_member: idInput('mem').optional().meta({ description: 'Only what the sessions of this member did.' }),
  include_member: queryBoolean.optional().meta({ description: 'Shows `actor_member` and `actor_role` as well.' }),
  request_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only what this request did.', example: exampleId('req') }),
  agent_id: idInput('agt').optional().meta({ description: 'Only what the keys of this agent did.' }),
  resource: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only what happened to this record.', example: exampleId('evt') }),
  cursor: z.string().max(300).optional().meta({ description: 'The `next_cursor` of the previous page.' }),
  limit: pageQuery().shape.limit,
})
export type AuditLogQuery = z.infer<typeof auditLogQuery>

export const auditEntry = z
  .object({
    id: id('aud'),
    action: z.string().meta({ example: 'event.create' }),
    actor_key_prefix: z.string().nullable().meta({ example: 'svc_sk_5Jx1q8Zt0bW3r' }),
    actor_account: z
      .string()
      .optional()
      .meta({ description: 'The address of the account, if a console session acted.', example: 'ada@example.com' }),
    actor_member: id('mem')
      .nullable()
      .optional()
      .meta({ description: 'With `include_member=true`: the member whose session acted; null for keys.' }),
    actor_role: z
      .enum(roles)
      .nullable()
      .optional()
      .meta({ description: 'With `include_member=true`: the role of that member at the time.' }),
    agent_id: id('agt')
      .nullable()
      .meta({ description: 'The agent whose key acted; null if it was not the key of an agent.', example: null }),
    resource: z
      .string()
      .nullable()
      .meta({ example: exampleId('evt') }),
    ip: z.string().nullable().meta({ example: '203.0.113.7' }),
    status: z.int().nullable().meta({ example: 201 }),
    method: z.string().nullable().meta({ example: 'POST' }),
    path: z
      .string()
      .nullable()
      .meta({ example: `/v1/calendars/${exampleId('cal')}/events` }),
    duration_ms: z.int().nullable().meta({ example: 12 }),
    request_id: z
      .string()
      .nullable()
      .meta({ example: exampleId('req') }),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry' })

export const auditLog = z.object({
  data: z.array(auditEntry),
  pagination: z.object({
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.', example: null }),
  }),
  retention_days: z.int().nullable().meta({ description: 'Null is unlimited.', example: 90 }),
  range_clamped: z
    .boolean()
    .meta({ description: 'True if `from` was before the retention of the plan.', example: false }),
})
