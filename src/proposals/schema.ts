import { z } from 'zod'
import { newDetails, shownDetails } from '../events/detailsSchema.ts'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { localRecord } from '../localtime/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import type { ErrorCode } from '../shapes/errorTypes.ts'
import { exampleId, id, idInput, metadata } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const proposalStatuses = ['pending', 'confirmed', 'expired', 'cancelled'] as const
export const responseKinds = ['accept', 'decline', 'counter'] as const

const endsAfterStart = <T extends { start_time: Date; end_time: Date }>(slot: T) => slot.end_time > slot.start_time
const endError = {
  path: ['end_time'],
  message: 'must be after start_time',
  params: { code: 'end_before_start' satisfies ErrorCode },
}

const weight = z.number().min(0).max(10)

const slotInput = z
  .strictObject({
    start_time: datetime,
    end_time: laterDatetime,
    weight: weight.default(1).meta({ description: 'The score of the slot before any response.' }),
    calendar_id: idInput('cal')
      .optional()
      .meta({ description: 'The calendar for this slot, if it is not that of the proposal.' }),
  })
  .refine(endsAfterStart, endError)

export const createProposalBody = z
  .strictObject({
    title: z.string().min(1).max(500),
    description: z.string().max(5_000).optional(),
    organizer_agent_id: idInput('agt'),
    participant_agent_ids: z
      .array(idInput('agt'))
      .min(1)
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name an agent twice')
      .meta({ uniqueItems: true }),
    calendar_id: idInput('cal').meta({ description: 'The calendar in which the event is created.' }),
    slots: z.array(slotInput).min(1).max(20),
    expires_at: datetime
      .optional()
      .meta({ description: 'Must be in the future. Without it the proposal does not expire.' }),
    metadata: metadata.optional(),
    location: newDetails.location,
    conference: newDetails.conference,
  })
  .meta({
    id: 'CreateProposal',
    example: {
      title: 'Review of the quarter',
      organizer_agent_id: exampleId('agt'),
      participant_agent_ids: [exampleId('agt')],
      calendar_id: exampleId('cal'),
      slots: [
        { start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T10:00:00Z', weight: 2 },
        { start_time: '2026-12-02T14:00:00Z', end_time: '2026-12-02T15:00:00Z' },
      ],
    },
  })
export type CreateProposalBody = z.infer<typeof createProposalBody>

const counterSlot = z
  .strictObject({
    start_time: datetime,
    end_time: laterDatetime,
    weight: weight.optional(),
    calendar_id: idInput('cal').optional(),
  })
  .refine(endsAfterStart, endError)

export const respondBody = z
  .strictObject({
    agent_id: idInput('agt'),
    response: z.enum(responseKinds),
    selected_slot_id: idInput('slt').optional(),
    counter_slots: z.array(counterSlot).max(20).optional().meta({ description: 'Alternatives, for information only.' }),
    message: z.string().max(2_000).optional(),
  })
  .refine((body) => body.response !== 'accept' || body.selected_slot_id !== undefined, {
    path: ['selected_slot_id'],
    message: 'is required when accepting',
  })
  .meta({ example: { agent_id: exampleId('agt'), response: 'accept', selected_slot_id: exampleId('slt') } })
export type RespondBody = z.infer<typeof respondBody>

export const proposalListQuery = pageQuery().extend({
  status: z.enum(proposalStatuses).optional(),
  organizer_agent_id: idInput('agt').optional(),
})
export type ProposalListQuery = z.infer<typeof proposalListQuery>

const slotExample = {
  id: exampleId('slt'),
  start_time: '2026-12-01T09:00:00.000Z',
  end_time: '2026-12-01T10:00:00.000Z',
  weight: 2,
  calendar_id: null,
}

export const slotRecord = z
  .object({
    id: id('slt'),
    start_time: timestamp,
    end_time: laterTimestamp,
    weight: z.number(),
    calendar_id: id('cal').nullable().meta({ description: "Null: the proposal's." }),
    local: localRecord.optional(),
  })
  .meta({ id: 'ProposalSlot', example: slotExample })

const resolvedSlot = slotRecord
  .extend({ calendar_id: id('cal') })
  .meta({ id: 'ResolvedSlot', example: { ...slotExample, calendar_id: exampleId('cal') } })

export const responseRecord = z
  .object({
    id: id('rsp'),
    agent_id: id('agt'),
    response: z.enum(responseKinds),
    selected_slot_id: id('slt').nullable(),
    counter_slots: z.array(z.record(z.string(), z.unknown())).meta({ example: [] }),
    message: z.string().nullable().meta({ example: null }),
    created_at: timestamp,
  })
  .meta({ id: 'ProposalResponse' })

const proposalExample = {
  id: exampleId('spr'),
  title: 'Review of the quarter',
  description: null,
  organizer_agent_id: exampleId('agt'),
  participant_agent_ids: [exampleId('agt')],
  calendar_id: exampleId('cal'),
  status: 'pending',
  expires_at: null,
  resolved_slot: null,
  created_event_id: null,
  metadata: {},
  created_at: '2026-11-20T08:30:00.000Z',
  updated_at: '2026-11-20T08:30:00.000Z',
}

export const proposalRecord = z
  .object({
    id: id('spr'),
    title: z.string(),
    description: z.string().nullable(),
    organizer_agent_id: id('agt'),
    participant_agent_ids: z.array(id('agt')),
    calendar_id: id('cal'),
    status: z.enum(proposalStatuses),
    expires_at: timestamp.nullable(),
    resolved_slot: resolvedSlot.nullable(),
    created_event_id: id('evt').nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: timestamp,
    updated_at: timestamp,
    location: shownDetails.location,
    conference: shownDetails.conference,
  })
  .meta({ id: 'Proposal', example: proposalExample })

export const fullProposalRecord = proposalRecord
  .extend({ slots: z.array(slotRecord), responses: z.array(responseRecord) })
  .meta({ id: 'FullProposal', example: { ...proposalExample, slots: [slotExample], responses: [] } })

export const resolutionRecord = z.union([
  z.object({ status: z.literal('confirmed'), resolved_slot: resolvedSlot }),
  z.object({ status: z.literal('cancelled'), reason: z.literal('all_declined') }),
])
export const cancellationRecord = z.object({ status: z.literal('cancelled') })
