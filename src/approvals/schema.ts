import { z } from 'zod'
import { outsideField } from '../actors/outsideText.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const approvalStatuses = ['pending', 'approved', 'rejected', 'expired', 'failed'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

const statusField = z.enum(approvalStatuses).meta({
  description: '`failed`: it was approved, and refused when it was done; `result` says why.',
  example: 'pending',
})
const summary = z.string().meta({
  description: 'The request in words, with the local time. It quotes text that others wrote.',
  example: 'Create “Planning” on “Work”: Tuesday 1 December 2026, 10:00–11:00 (Europe/Berlin, UTC+01:00)',
})
const url = z.string().optional().meta({
  format: 'uri',
  description: 'The page on which a person decides after they have signed in. Only if the approver is `session`.',
})

/** The answer to a request that has to be approved. */
export const askedRecord = z
  .object({
    approval: z.object({
      id: id('apr'),
      status: statusField,
      summary,
      expires_at: timestamp,
      url,
      outside: outsideField,
    }),
  })
  .meta({
    id: 'ApprovalRequested',
    example: {
      approval: {
        id: exampleId('apr'),
        status: 'pending',
        summary: 'Delete “Planning”',
        expires_at: '2026-12-02T09:00:00.000Z',
      },
    },
  })

export const approvalRecord = z
  .object({
    id: id('apr'),
    status: statusField,
    summary,
    action: z
      .string()
      .meta({ description: 'One of the actions of the guardrail, or the operation.', example: 'event.create' }),
    agent_id: id('agt'),
    calendar_id: id('cal')
      .nullable()
      .meta({ description: 'The calendar that it is about; null for several, or for none.' }),
    key_prefix: z.string().meta({ example: 'svc_ak_5Jx1q8Zt0bW3r' }),
    approver: z.enum(['session', 'link']),
    changes: z
      .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
      .meta({ example: [{ field: 'title', before: null, after: 'Planning' }] }),
    created_at: timestamp,
    expires_at: timestamp,
    decided_at: timestamp.nullable().meta({ example: null }),
    reason: z.string().nullable().meta({ example: null }),
    result: z
      .object({ status: z.int(), body: z.unknown() })
      .nullable()
      .meta({ description: 'The answer to the request, once it was done or refused.', example: null }),
    url: z.string().optional().meta({ format: 'uri' }),
    outside: outsideField,
  })
  .meta({
    id: 'Approval',
    example: {
      id: exampleId('apr'),
      status: 'pending',
      summary: 'Change “Planning” on “Work”: Tuesday 1 December 2026, 10:00–11:00 (Europe/Berlin, UTC+01:00)',
      action: 'event.update',
      agent_id: exampleId('agt'),
      calendar_id: exampleId('cal'),
      key_prefix: 'svc_ak_5Jx1q8Zt0bW3r',
      approver: 'session',
      changes: [{ field: 'start_time', before: '2026-12-01T08:00:00.000Z', after: '2026-12-01T09:00:00.000Z' }],
      created_at: '2026-11-30T09:00:00.000Z',
      expires_at: '2026-12-01T09:00:00.000Z',
      decided_at: null,
      reason: null,
      result: null,
    },
  })
export type ApprovalRecord = z.infer<typeof approvalRecord>

export const decideBody = z
  .strictObject({ reason: z.string().min(1).max(1000).optional() })
  .meta({ example: { reason: 'Fine.' } })

export const approvalListQuery = pageQuery().extend({ status: z.enum(approvalStatuses).optional() })
export type ApprovalListQuery = z.infer<typeof approvalListQuery>
