import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'

const audiences = ['selected_agents', 'all_current_agents', 'all_org_agents'] as const
export type Audience = (typeof audiences)[number]

const calendars = z.array(idInput('xcl')).min(1).max(50)
const agents = z.array(idInput('agt')).max(200)
const audience = z
  .enum(audiences)
  .meta({ description: '`all_current_agents`: those that exist when the audience is set.', example: 'selected_agents' })

export const createGrantBody = z
  .strictObject({ external_calendar_ids: calendars, audience, agent_ids: agents.optional() })
  .meta({
    example: {
      external_calendar_ids: [exampleId('xcl')],
      audience: 'selected_agents',
      agent_ids: [exampleId('agt')],
    },
  })
export type CreateGrantBody = z.infer<typeof createGrantBody>

export const updateGrantBody = z
  .strictObject({
    external_calendar_ids: calendars.optional(),
    audience: audience.optional(),
    agent_ids: agents.optional(),
    active: z.boolean().optional(),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    'give at least one of external_calendar_ids, audience, agent_ids, active',
  )
  .meta({ minProperties: 1, example: { active: false } })
export type UpdateGrantBody = z.infer<typeof updateGrantBody>

export const grantRecord = z
  .object({
    id: id('avg'),
    audience: z.enum(audiences),
    audience_cutoff_at: timestamp.nullable().meta({
      description: 'With `all_current_agents`: agents that are created later are not included.',
    }),
    active: z.boolean(),
    external_calendar_ids: z.array(id('xcl')),
    agent_ids: z.array(id('agt')),
    created_at: timestamp,
  })
  .meta({ id: 'AvailabilityGrant' })
