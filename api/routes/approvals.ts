import { approve, reject } from '../../src/approvals/decide.ts'
import { getApproval, listApprovals, requireApproval, zoneOfApproval } from '../../src/approvals/read.ts'
import { approvalListQuery, approvalRecord, decideBody } from '../../src/approvals/schema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { doorOf } from '../gate/approvals.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Approvals'
const decision = {
  method: 'post',
  tag,
  access: 'organization',
  feature: 'scoped_keys',
  params: idPath('apr'),
  body: decideBody,
  success: { status: 200, schema: approvalRecord },
  errors: ['validation_error', 'not_found', 'plan_required', 'approval_decided', 'approval_expired'],
} as const

export const approvalRoutes = [
  route({
    method: 'get',
    path: '/v1/approvals',
    tag,
    operationId: 'listApprovals',
    summary: 'List the approvals that agent keys have asked for',
    description: 'Newest first. An agent key sees those of its agent.',
    access: 'key',
    feature: 'scoped_keys',
    local: 'asked',
    query: approvalListQuery,
    success: { status: 200, schema: listOf(approvalRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listApprovals(app, actor, query),
  }),
  route({
    method: 'get',
    path: '/v1/approvals/:id',
    tag,
    operationId: 'getApproval',
    summary: 'Read an approval',
    description: 'The address that was mailed is not stored, so no answer has it.',
    access: 'key',
    feature: 'scoped_keys',
    params: idPath('apr'),
    local: { zoneOf: ({ app, actor, params }) => zoneOfApproval(app, actor, params.id) },
    success: { status: 200, schema: approvalRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getApproval(app, actor, params.id),
  }),
  route({
    ...decision,
    path: '/v1/approvals/:id/approve',
    operationId: 'approveApproval',
    summary: 'Approve a request: it is done now',
    description: prose(
      'The request runs as the key that asked, and is decided anew at this instant.',
      'If it is refused then, the approval is `failed`, and `result` has the status and the body of the refusal.',
      'Of an approval, a rejection and the expiry at one moment one happens.',
    ),
    run: async ({ app, actor, params, body: { reason } }) =>
      approve(app, actor, await requireApproval(app, actor, params.id), reason, doorOf(app, actor)),
  }),
  route({
    ...decision,
    path: '/v1/approvals/:id/reject',
    operationId: 'rejectApproval',
    summary: 'Reject a request',
    description: 'Nothing of it happens. The agent reads the reason.',
    run: async ({ app, actor, params, body: { reason } }) =>
      reject(app, actor, await requireApproval(app, actor, params.id), reason),
  }),
]
