import { z } from 'zod'
import type { Capability } from '../providers/rules.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'
import { linkStatuses } from './rules.ts'
import { capabilities } from './schema.ts'

const publicationPolicies = ['none', 'confirmed', 'confirmed_tentative'] as const
export type PublicationPolicy = (typeof publicationPolicies)[number]

const usual: readonly Capability[] = ['availability']

export const createLinkBody = z
  .strictObject({
    capabilities: capabilities.default([...usual]),
    publication_policy: z.enum(publicationPolicies).default('none'),
  })
  .meta({ example: { capabilities: ['availability'] } })
export type CreateLinkBody = z.infer<typeof createLinkBody>

export const linkRecord = z
  .object({
    id: id('csl'),
    calendar_id: id('cal'),
    status: z.enum(linkStatuses),
    expires_at: timestamp,
    connection_id: id('con').nullable().meta({ description: 'Null until the link is completed.', example: null }),
  })
  .meta({ id: 'ConnectionLink' })

export const createdLinkRecord = z
  .object({
    id: id('csl'),
    calendar_id: id('cal'),
    status: z.enum(linkStatuses),
    expires_at: timestamp,
    setup_url: z.string().nullable().meta({
      format: 'uri',
      description: 'Give it to the human. Shown once: null if a pending link was reused.',
      example: 'https://calendar.example.com/connect/Zk8vT2qLm4Xw9Rb6Yc1Nd3Hs7Jf5Pg0AZk8vT2qLm4X',
    }),
    reused: z.boolean(),
  })
  .meta({
    id: 'CreatedConnectionLink',
    example: {
      id: exampleId('csl'),
      calendar_id: exampleId('cal'),
      status: 'awaiting_human',
      expires_at: '2026-12-02T09:00:00.000Z',
      setup_url: 'https://calendar.example.com/connect/Zk8vT2qLm4Xw9Rb6Yc1Nd3Hs7Jf5Pg0AZk8vT2qLm4X',
      reused: false,
    },
  })

const chosen = z.array(idInput('xcl')).min(1).max(50)

const completeLinkBody = z.strictObject({
  external_calendar_ids: chosen.optional(),
  destination_external_calendar_id: idInput('xcl').optional(),
})
export type CompleteLinkBody = z.infer<typeof completeLinkBody>

/** A form sends one choice as a text, and its token. */
export const completeLinkForm = completeLinkBody
  .extend({
    external_calendar_ids: z.union([chosen, idInput('xcl').transform((one) => [one])]).optional(),
    form_token: z.string().max(100).optional(),
  })
  .meta({ example: { external_calendar_ids: [exampleId('xcl')] } })
