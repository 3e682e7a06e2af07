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
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const common = {
  tag: 'Scheduling proposals',
  access: 'organization',
  feature: 'scheduling_proposals',
  // Each slot may have a calendar of its own.
  local: 'asked',
} as const
const base = '/v1/scheduling/proposals'
const path = `${base}/:id`

export const proposalRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    operationId: 'createProposal',
    summary: 'Propose times to several agents',
    description: prose(
      'The slots are not checked against any calendar: query `/v1/availability` first.',
      '',
      'The answer has no slots. Their ids, which participants select, are in `GET /v1/scheduling/proposals/{id}`',
      'and in the webhook event `proposal.created`.',
      '',
      '`weight` (0 to 10, default 1) is the initial score of a slot when the best one is chosen.',
      'Without `expires_at` the proposal does not expire.',
    ),
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
    description: prose(
      'Newest first, without slots and responses.',
      '`organizer_agent_id` filters by organizer; an unknown agent is `not_found`.',
    ),
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
    description: prose(
      '`slots` have the ids that responses select, in the order of the request;',
      '`responses` are in the order of their arrival.',
      '`resolved_slot` and `created_event_id` are null until the proposal is confirmed;',
      'a null `expires_at` means that it does not expire.',
    ),
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
    description: prose(
      "Use the organization's key; `agent_id` names the participant.",
      'Each participant responds once and cannot change the response.',
      '',
      "`accept` needs a `selected_slot_id` from the proposal's slots.",
      '`counter` agrees to no particular slot; its `counter_slots` are for people to read.',
      '',
      'The last response resolves the proposal at once.',
    ),
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
    description: prose(
      'Not every participant needs to have responded, but until one has accepted or countered it is `conflict`.',
      '',
      'A slot scores its `weight`, plus 1 for each response that accepts it, plus 0.3',
      'for each counter (which counts for every slot).',
      'If scores are equal, the earliest start wins.',
      '',
      "The event is created on the slot's calendar, or else the proposal's, without a check for overlaps,",
      "and uses one of the month's events. If everybody has declined, the proposal is cancelled instead.",
    ),
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
    description: prose(
      'Irreversible, and only possible while the proposal is `pending` (otherwise `conflict`). Takes no body.',
      'Sends the webhook event `proposal.cancelled` with the reason `organizer_cancelled`.',
    ),
    params: idPath('spr'),
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: cancellationRecord },
    errors: ['validation', 'plan_required', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => cancelOnRequest(app, actor, params.id),
  }),
]
