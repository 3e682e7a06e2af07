// The page of an approval: by the mailed address, or after signing in. Fetching it changes nothing.
import { z } from 'zod'
import { isAtLeast } from '../../src/actors/roles.ts'
import { agentNameOf } from '../../src/agents/agents.ts'
import type { App } from '../../src/app.ts'
import { approve, reject } from '../../src/approvals/decide.ts'
import { requireAddressed } from '../../src/approvals/read.ts'
import type { ApprovalRecord } from '../../src/approvals/schema.ts'
import type { StoredApproval } from '../../src/approvals/stored.ts'
import { viewApproval } from '../../src/approvals/view.ts'
import { roleRequired, type ServiceError } from '../../src/errors.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { doorOf } from '../gate/approvals.ts'
import { formToken, requireFormToken } from '../gate/pageSession.ts'
import { requireSameOrigin } from '../gate/session.ts'
import { asksForHtml } from '../http/accept.ts'
import { anyQuery } from '../http/paths.ts'
import { type RefusedCall, route } from '../http/route.ts'
import { approvalPage, approvalRefusal, decidedPage, signInToDecidePage } from '../pages/approval.ts'
import {
  common,
  elsewhere,
  enterFrom,
  forms,
  looks,
  type PageRequest,
  page,
  requireVisitor,
  signInFirst,
  signInForm,
} from './connectPageParts.ts'

const tokenPath = z.object({ token: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6' }) })
/** Of a page that was opened before. */
const hasChanged = 'This has changed since you opened the page. Please look again, then decide.'

const decisionForm = z
  .strictObject({
    decision: z.enum(['approve', 'reject']),
    reason: z.string().max(1000).optional(),
    hash: z.string().max(100).optional(),
    form_token: z.string().max(100).optional(),
  })
  .meta({ example: { decision: 'approve' } })

const ofPages = { ...common, tag: 'Approvals' } as const
const decidedEarlier = {
  status: 409,
  ...page,
  description: 'It was decided already, or has changed since it was shown.',
}
const tooLate = { status: 410, ...page, description: 'It has expired.' }

/** For the audit log. */
const pathWithoutToken = ({ id }: Pick<StoredApproval, 'id'>) => `/approve/${encodeId('apr', id)}`

/** The person at the page. Throws 401 without a session where one is needed, 403 for one of another organization. */
async function visitorOf({ app, headers, request }: PageRequest, row: StoredApproval) {
  const path = pathWithoutToken(row)
  if (row.approver === 'link') return { orgId: row.orgId, keyPrefix: null, request: { ...request, path } }
  return requireVisitor({ app, headers, request }, path, row.orgId)
}

/** The least role of a member who decides. */
const leastRole = 'developer'
const mayDecide = (visitor: Visitor): boolean =>
  !('plan' in visitor) || !visitor.member || isAtLeast(visitor.member.role, leastRole)

type Visitor = Awaited<ReturnType<typeof visitorOf>>

async function shownApproval(app: App, row: StoredApproval, visitor: Visitor, token: string) {
  const [view, agentName] = await Promise.all([viewApproval(app, row), agentNameOf(app, row.orgId, row.agentId)])
  return {
    ...view,
    agentName,
    token,
    mayDecide: mayDecide(visitor),
    formToken: 'plan' in visitor ? formToken(app, visitor, row.id) : undefined,
  }
}

/** A form that comes from our own page. */
function requireOwnForm(app: App, visitor: Visitor, row: StoredApproval, sent: string | undefined, headers: Headers) {
  if ('plan' in visitor) requireFormToken(app, visitor, row.id, sent, headers)
  else requireSameOrigin(app, headers)
}

type Headers = PageRequest['headers']

const isOver = ({ status }: ApprovalRecord): boolean => status !== 'pending'
const statusOfOver = ({ status }: ApprovalRecord): number => (status === 'expired' ? 410 : 409)

async function showError(error: ServiceError, { app, headers, params }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token = '' } = (params ?? {}) as { token?: string }
  const path = `/approve/${encodeURIComponent(token)}`
  if (error.status === 401)
    return signInToDecidePage(app, 401, path, error.message === signInFirst ? undefined : error.message)
  return approvalRefusal(app, error)
}

export const approvalPageRoutes = [
  route({
    ...ofPages,
    method: 'get',
    path: '/approve/:token',
    operationId: 'showApproval',
    summary: 'The page on which a person decides a request of an agent',
    description:
      'A mailed address is its own credential; any other one needs a console session. Fetching it changes nothing.',
    perAddress: looks,
    params: tokenPath,
    query: anyQuery,
    success: { status: 200, ...page },
    also: [decidedEarlier, tooLate],
    errors: ['authentication_error', 'forbidden', 'second_factor_required', 'not_found'],
    async run({ app, headers, request, params: { token } }) {
      const row = await requireAddressed(app, token)
      const visitor = await visitorOf({ app, headers, request }, row)
      const shown = await shownApproval(app, row, visitor, token)
      const { approval } = shown
      return isOver(approval) ? decidedPage(app, statusOfOver(approval), approval, true) : approvalPage(app, 200, shown)
    },
    showError,
  }),
  route({
    ...ofPages,
    method: 'post',
    path: '/approve/:token/signin',
    operationId: 'signInToApprove',
    summary: 'The form that signs in on the page of an approval',
    description: 'Leads back to that page.',
    perAddress: forms,
    params: tokenPath,
    body: signInForm,
    form: true,
    success: elsewhere,
    errors: ['authentication_error', 'forbidden', 'not_found'],
    async run({ app, headers, request, params, body }) {
      const approval = await requireAddressed(app, params.token)
      const recorded = { ...request, path: pathWithoutToken(approval) }
      return enterFrom({ app, headers, request: recorded }, `/approve/${params.token}`, body)
    },
    showError,
  }),
  route({
    ...ofPages,
    method: 'post',
    path: '/approve/:token',
    operationId: 'decideApproval',
    summary: 'The form that decides a request of an agent',
    description: 'Once. The answer shows the outcome.',
    perAddress: forms,
    params: tokenPath,
    body: decisionForm,
    form: true,
    success: { status: 200, ...page },
    also: [decidedEarlier, tooLate],
    errors: [
      'validation_error',
      'authentication_error',
      'forbidden',
      'second_factor_required',
      'not_found',
      'approval_decided',
      'approval_expired',
    ],
    async run({ app, headers, request, params: { token }, body }) {
      const row = await requireAddressed(app, token)
      const visitor = await visitorOf({ app, headers, request }, row)
      if (!mayDecide(visitor)) throw roleRequired(leastRole)
      requireOwnForm(app, visitor, row, body.form_token, headers)
      const shown = await shownApproval(app, row, visitor, token)
      const { approval } = shown
      if (isOver(approval)) return decidedPage(app, statusOfOver(approval), approval, true)
      if (body.hash !== undefined && body.hash !== shown.hash)
        return approvalPage(app, 409, { ...shown, problem: hasChanged })
      const reason = body.reason || undefined
      const decided =
        body.decision === 'approve'
          ? await approve(app, visitor, row, reason, doorOf(app, visitor))
          : await reject(app, visitor, row, reason)
      return decidedPage(app, 200, decided, false)
    },
    showError,
  }),
]
