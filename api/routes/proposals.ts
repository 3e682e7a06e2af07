import { createProposal } from '../../src/proposals/create.ts'
import { getProposal, listProposals } from '../../src/proposals/read.ts'
import { cancelOnRequest, resolveProposal } from '../../src/proposals/resolve.ts'
import { respond } from '../../src/proposals/respond.ts'
import {
  cancellationRecord,
  createProposalBody,
  fullProposalRecord,
  proposalListQuery,
  proposalRecord,
  resolutionRecord,
  respondBody,
  responseRecord,
} from '../../src/proposals/schema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { route } from '../http/route.ts'

const common = { tag: 'Scheduling proposals', access: 'organization', feature: 'scheduling_proposals' } as const
const base = '/v1/scheduling/proposals'
const path = `${base}/:id`

export const proposalRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    operationId: 'createProposal',
    summary: 'Propose times to several agents',
    description: [
      "The slots are not checked against anybody's calendar: ask `/v1/availability` first.",
      'The answer has no slots. Their ids, which participants select by, are in `GET /v1/scheduling/proposals/{id}` and in the webhook `proposal.created`.',
      '`weight` (0 to 10, by default 1) is the head start of a slot when the best one is chosen. Without `expires_at` the proposal does not expire.',
    ].join('\n\n'),
    spends: 'proposals',
    body: createProposalBody,
    invalidBody: { type: 'validation' },
    success: { status: 201, schema: proposalRecord },
    errors: ['validation', 'plan_required', 'not_found', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createProposal(app, actor, body),
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    operationId: 'listProposals',
    summary: 'List proposals',
    description:
      'Newest first, without slots and responses. `organizer_agent_id` keeps those that this agent organizes; an unknown agent is `not_found`.',
    query: proposalListQuery,
    success: { status: 200, schema: listOf(proposalRecord) },
    errors: ['validation_error', 'plan_required', 'not_found'],
    run: ({ app, actor, query }) => listProposals(app, actor, query),
  }),
  route({
    ...common,
    method: 'get',
    path,
    operationId: 'getProposal',
    summary: 'Read a proposal with its slots and responses',
    description:
      '`slots` have the ids that responses select, in the order of the request; `responses` come in the order in which they arrived. `resolved_slot` and `created_event_id` are null until it is confirmed; `expires_at` null means that it does not expire.',
    params: idPath('spr'),
    success: { status: 200, schema: fullProposalRecord },
    errors: ['plan_required', 'not_found'],
    run: ({ app, actor, params }) => getProposal(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/respond`,
    operationId: 'respondToProposal',
    summary: 'Respond for a participant',
    description: [
      "Sent with the organization's key for the agent that `agent_id` names. Each participant responds once, and cannot change the response.",
      "`accept` needs `selected_slot_id` from the proposal's slots. `counter` says yes to no slot in particular; its `counter_slots` are for people to read.",
      'The last response resolves the proposal in the same moment.',
    ].join('\n\n'),
    params: idPath('spr'),
    body: respondBody,
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: responseRecord },
    errors: [
      'validation',
      'plan_required',
      'forbidden',
      'not_found',
      'conflict',
      'duplicate_response',
      'agent_decommissioned',
    ],
    run: ({ app, actor, params, body }) => respond(app, actor, params.id, body),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/resolve`,
    operationId: 'resolveProposal',
    summary: 'Choose the best slot and create the event',
    description: [
      'It need not wait for everybody, but `conflict` is the answer while nobody has accepted or countered.',
      'A slot scores its `weight`, 1 for each accept of it and 0.3 for each counter (which every slot gets). Of equal scores the earliest start wins.',
      "The event is created on the slot's calendar, else on the proposal's, without checking what is there, and takes one of the month's events. When all have declined, the proposal is cancelled instead.",
    ].join('\n\n'),
    params: idPath('spr'),
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: resolutionRecord },
    errors: [
      'validation',
      'plan_required',
      'not_found',
      'calendar_not_found',
      'conflict',
      'agent_decommissioned',
      'quota_exceeded',
    ],
    run: ({ app, actor, params }) => resolveProposal(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/cancel`,
    operationId: 'cancelProposal',
    summary: 'Cancel a proposal',
    description:
      'Only while it is `pending` (else `conflict`), and for good. Takes no body; participants learn of it by `proposal.cancelled` with the reason `organizer_cancelled`.',
    params: idPath('spr'),
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: cancellationRecord },
    errors: ['validation', 'plan_required', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => cancelOnRequest(app, actor, params.id),
  }),
]
