import { listOf } from '../../src/lists.ts'
import { createProposal } from '../../src/proposals/create.ts'
import { getProposal, listProposals } from '../../src/proposals/read.ts'
import { cancel, resolve } from '../../src/proposals/resolve.ts'
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
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const common = { tag: 'Scheduling proposals', access: 'organization', feature: 'scheduling_proposals' } as const
const base = '/v1/scheduling/proposals'
const path = `${base}/:id`

export const proposalRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    summary: 'Propose times to several agents',
    spends: 'proposals',
    body: createProposalBody,
    invalidBody: { type: 'validation' },
    success: { status: 201, schema: proposalRecord },
    errors: ['validation', 'plan_required', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, body }) => createProposal(app, actor, body),
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    summary: 'List proposals',
    query: proposalListQuery,
    success: { status: 200, schema: listOf(proposalRecord) },
    errors: ['validation_error', 'plan_required', 'not_found'],
    run: ({ app, actor, query }) => listProposals(app, actor, query),
  }),
  route({
    ...common,
    method: 'get',
    path,
    summary: 'Read a proposal with its slots and responses',
    params: idPath('spr'),
    success: { status: 200, schema: fullProposalRecord },
    errors: ['plan_required', 'not_found'],
    run: ({ app, actor, params }) => getProposal(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/respond`,
    summary: 'Respond for a participant',
    description: 'Each participant responds once. The last response resolves the proposal.',
    params: idPath('spr'),
    body: respondBody,
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: responseRecord },
    errors: ['validation', 'plan_required', 'forbidden', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => respond(app, actor, params.id, body),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/resolve`,
    summary: 'Choose the best slot and create the event',
    params: idPath('spr'),
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: resolutionRecord },
    errors: ['validation', 'plan_required', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, params }) => resolve(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/cancel`,
    summary: 'Cancel a proposal',
    params: idPath('spr'),
    invalidBody: { type: 'validation' },
    success: { status: 200, schema: cancellationRecord },
    errors: ['validation', 'plan_required', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => cancel(app, actor, params.id),
  }),
]
