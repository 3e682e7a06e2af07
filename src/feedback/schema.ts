import { z } from 'zod'

const feedbackTypes = ['bug', 'feature', 'friction'] as const

export const feedbackBody = z
  .strictObject({
    type: z.enum(feedbackTypes),
    message: z.string().min(10).max(2_000),
    context: z
      .custom<Record<string, unknown>>(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        'expected an object',
      )
      .optional()
      .meta({
        description: 'Usual keys: sdk_name, sdk_version, endpoint, request_id, error_type, http_status.',
        override: { type: 'object', additionalProperties: true },
      }),
  })
  .meta({ example: { type: 'friction', message: 'I expected holds on the free plan.', context: { http_status: 403 } } })
export type FeedbackBody = z.infer<typeof feedbackBody>

export const feedbackAnswer = z.object({ status: z.literal('accepted') })
