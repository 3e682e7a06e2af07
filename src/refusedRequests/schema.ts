import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const refusedRequestsQuery = z.strictObject({
  request_id: idInput('req').max(100).optional().meta({ description: 'Only this request.' }),
  status: z
    .string()
    .regex(/^4\d\d$/, 'expected a status from 400 to 499')
    .transform(Number)
    .optional()
    .meta({
      description: 'Only this status.',
      override: { type: 'integer', minimum: 400, maximum: 499 },
      example: 403,
    }),
  code: z.string().max(100).optional().meta({ description: 'Only this code.', example: 'not_free' }),
  key_prefix: z.string().max(100).optional().meta({ description: 'The first 20 characters of the key.' }),
  from: datetime.optional().meta({ description: 'Inclusive.' }),
  to: laterDatetime.optional().meta({ description: 'Inclusive. Default: now.' }),
  cursor: z.string().max(300).optional().meta({ description: 'The `next_cursor` of the previous page.' }),
  limit: pageQuery().shape.limit,
})
export type RefusedRequestsQuery = z.infer<typeof refusedRequestsQuery>

const text = (example: string) => z.string().meta({ example })

export const refusedRequest = z
  .object({
    request_id: id('req'),
    at: timestamp,
    method: text('POST'),
    path: text(`/v1/calendars/${exampleId('cal')}/events`).meta({ description: 'Without its query.' }),
    status: z.int().meta({ example: 409 }),
    type: text('conflict'),
    code: text('not_free').nullable(),
    param: text('start_time').nullable(),
    key_prefix: text('svc_ak_5Jx1q8Zt0bW3r').nullable(),
    actor_account: text('ada@example.com')
      .nullable()
      .meta({ description: 'The address of the account, if a console session asked.' }),
    agent_id: id('agt').nullable(),
    ip: text('203.0.113.7').nullable(),
    duration_ms: z.int().meta({ example: 12 }),
  })
  .meta({ id: 'RefusedRequest' })

export const refusedRequests = z.object({
  data: z.array(refusedRequest),
  pagination: z.object({
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.', example: null }),
  }),
  retention_hours: z.int().meta({ example: 168 }),
})
