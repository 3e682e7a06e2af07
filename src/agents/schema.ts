import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, listedIds, metadata, searchText } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const agentTypes = ['ai', 'human', 'resource'] as const
export const agentStatuses = ['active', 'paused', 'decommissioned'] as const

const name = z.string().min(1).max(255)
const description = z.string().max(10_000)

export const createAgentBody = z
  .strictObject({
    name,
    type: z.enum(agentTypes),
    description: description.optional(),
    metadata: metadata.optional(),
  })
  .meta({ example: { name: 'Planner', type: 'ai', description: 'Plans the week of the team.' } })
export type CreateAgentBody = z.infer<typeof createAgentBody>

export const updateAgentBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional().meta({ description: 'null clears' }),
    metadata: metadata.optional().meta({ description: 'Replaces the whole object.' }),
    status: z.enum(['active', 'paused']).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'give at least one of name, description, metadata, status')
  .meta({ minProperties: 1, example: { name: 'Planner of the research team', metadata: { team: 'research' } } })
export type UpdateAgentBody = z.infer<typeof updateAgentBody>

const maxListed = 100

export const agentListQuery = pageQuery().extend({
  type: z.enum(agentTypes).optional(),
  status: z.enum(agentStatuses).optional(),
  query: searchText.optional().meta({ description: 'A part of the name, in upper or lower case.', example: 'plan' }),
  ids: listedIds('agt')
    .refine((ids) => ids.length <= maxListed, `must be at most ${maxListed}`)
    .optional()
    .meta({ description: `Only these, separated by commas, at most ${maxListed}. Unknown ones are left out.` }),
})
export type AgentListQuery = z.infer<typeof agentListQuery>

export const agentRecord = z
  .object({
    id: id('agt'),
    orgId: id('org'),
    name: z.string(),
    type: z.enum(agentTypes),
    description: z.string().nullable(),
    status: z.enum(agentStatuses),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Agent',
    example: {
      id: exampleId('agt'),
      orgId: exampleId('org'),
      name: 'Planner',
      type: 'ai',
      description: 'Plans the week of the team.',
      status: 'active',
      metadata: {},
      createdAt: '2026-11-20T08:30:00.000Z',
      updatedAt: '2026-11-20T08:30:00.000Z',
    },
  })
