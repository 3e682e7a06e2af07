import { z } from 'zod'
import { id } from '../shapes/fields.ts'
import { policies } from './rules.ts'

const policy = z.enum(policies).meta({
  description: 'Which events are published: `confirmed` ones, or `tentative` ones too.',
})

export const destinationBody = z
  .strictObject({
    external_calendar_id: z.string().meta({ description: 'A calendar that can be written to.' }),
    policy: policy.default('confirmed'),
  })
  .meta({ example: { external_calendar_id: 'xcl_06erxm1mqpswc0hmr1k3bgxw6g', policy: 'confirmed' } })

export type DestinationBody = z.infer<typeof destinationBody>

export const destinationRecord = z
  .object({
    id: id('xds'),
    calendar_id: id('cal'),
    external_calendar_id: id('xcl'),
    policy,
    active: z.boolean().meta({ description: 'The connection is active, and the calendar can still be written to.' }),
    health: z.object({
      queued: z.int().meta({ description: 'Copies that will be written.', example: 0 }),
      failed: z
        .int()
        .meta({ description: 'Copies that wait until the destination works again, or were given up.', example: 0 }),
      last_error_category: z.string().nullable().meta({ example: null }),
    }),
  })
  .meta({ id: 'ExternalDestination' })

export const destinationAnswer = z.object({ data: destinationRecord.nullable() })
