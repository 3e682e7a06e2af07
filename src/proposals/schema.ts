import { z } from 'zod'
import { pageQuery } from '../lists.ts'
import { datetime, id, idInput, metadata, timestamp } from '../wire.ts'

export const proposalStatuses = ['pending', 'confirmed', 'expired', 'cancelled'] as const
export const responseKinds = ['accept', 'decline', 'counter'] as const

const endsAfterStart = <T extends { start_time: Date; end_time: Date }>(slot: T) => slot.end_time > slot.start_time
const endError = {
  path: ['end_time'],
  message: 'end_time must be after start_time',
  params: { code: 'end_before_start' },
}

const weight = z.number().min(0).max(10)

const slotInput = z
  .strictObject({
    start_time: datetime,
    end_time: datetime,
    weight: weight.default(1),
    calendar_id: idInput('cal').optional().meta({ description: 'Overrides the target calendar for this slot.' }),
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
      .refine((ids) => new Set(ids).size === ids.length, 'names an agent twice'),
    calendar_id: idInput('cal').meta({ description: 'The default target calendar.' }),
    slots: z.array(slotInput).min(1).max(20),
    expires_at: datetime.optional(),
    metadata: metadata.optional(),
  })
  .meta({ id: 'CreateProposal' })
export type CreateProposalBody = z.infer<typeof createProposalBody>

const counterSlot = z
  .strictObject({
    start_time: datetime,
    end_time: datetime,
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
export type RespondBody = z.infer<typeof respondBody>

export const proposalListQuery = pageQuery().extend({
  status: z.enum(proposalStatuses).optional(),
  organizer_agent_id: idInput('agt').optional(),
})
export type ProposalListQuery = z.infer<typeof proposalListQuery>

export const slotRecord = z
  .object({
    id: id('slt'),
    start_time: timestamp,
    end_time: timestamp,
    weight: z.number(),
    calendar_id: id('cal').nullable(),
  })
  .meta({ id: 'ProposalSlot' })

const resolvedSlot = slotRecord.extend({ calendar_id: id('cal') }).meta({ id: 'ResolvedSlot' })

export const responseRecord = z
  .object({
    id: id('rsp'),
    agent_id: id('agt'),
    response: z.enum(responseKinds),
    selected_slot_id: id('slt').nullable(),
    counter_slots: z.array(z.record(z.string(), z.unknown())),
    message: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ProposalResponse' })

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
  })
  .meta({ id: 'Proposal' })

export const fullProposalRecord = proposalRecord
  .extend({ slots: z.array(slotRecord), responses: z.array(responseRecord) })
  .meta({ id: 'FullProposal' })

export const resolutionRecord = z.union([
  z.object({ status: z.literal('confirmed'), resolved_slot: resolvedSlot }),
  z.object({ status: z.literal('cancelled'), reason: z.literal('all_declined') }),
])
export const cancellationRecord = z.object({ status: z.literal('cancelled') })
