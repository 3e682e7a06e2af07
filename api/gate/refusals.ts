// The reasons to refuse a known caller, in order: the first that applies is the answer.
import { isAtLeast } from '../../src/actors/roles.ts'
import {
  accountWaitlisted,
  forbidden,
  ownFactorRequired,
  planRequired,
  quotaExceeded,
  rateLimited,
  roleRequired,
  type ServiceError,
} from '../../src/errors.ts'
import { secondsLeft } from '../../src/plans/period.ts'
import { isPaid } from '../../src/plans/plans.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import { type Gated, leastRole } from '../http/route.ts'
import type { Identified } from './identify.ts'
import { needsReauthentication } from './reauthentication.ts'

type Refusal = (identified: Identified, route: Gated, now: Date) => ServiceError | undefined

const tooFast: Refusal = ({ verdict }) =>
  verdict.kind === 'rate' ? rateLimited(Math.max(1, Math.ceil(verdict.waitMs / 1000))) : undefined

export const notFromHere = () => forbidden('This key may not be used from this address.', 'ip_not_allowed')

const elsewhere: Refusal = ({ isElsewhere }) => (isElsewhere ? notFromHere() : undefined)

const waitlisted: Refusal = ({ caller }, { access, activated }) =>
  caller.isWaitlisted && (access !== 'session' || activated) ? accountWaitlisted() : undefined

const wrongScope: Refusal = ({ caller }, { access }) =>
  caller.agentId && access === 'organization'
    ? forbidden("This needs the organization's key; an agent key is not enough.")
    : undefined

const lowRole: Refusal = ({ caller }, route) => {
  const least = leastRole(route)
  return caller.member && !isAtLeast(caller.member.role, least) ? roleRequired(least) : undefined
}

const onlyReads: Refusal = ({ caller }, { method }) =>
  caller.scope === 'read_only' && method !== 'get'
    ? forbidden('This key can only read: its scope is read_only.', 'key_scope')
    : undefined
/** The policy of the organization. Routes about the caller's own account stay open: there a factor is turned on. */
const withoutFactor: Refusal = ({ caller: { session } }, { role }) =>
  session?.requiresFactor && !session.hasFactor && role !== 'self' ? ownFactorRequired() : undefined

const paused: Refusal = ({ caller }, { method }) =>
  caller.isAgentPaused && method !== 'get' ? forbidden('This agent is paused; its key can only read.') : undefined

const needsPlan: Refusal = ({ caller }, { feature }) =>
  feature && !isPaid(caller.plan) ? planRequired(feature) : undefined

const overQuota: Refusal = ({ caller, spender, verdict }, { beyondQuota }, now) =>
  verdict.kind === 'quota' && !beyondQuota ? budgetExhausted({ caller, spender }, verdict.budget, now) : undefined

export const budgetExhausted = (
  { caller, spender }: Pick<Identified, 'caller' | 'spender'>,
  budget: Budget,
  now: Date,
): ServiceError => quotaExceeded(budgetNouns[budget], caller.limits[budget] ?? 0, secondsLeft(spender.period, now))

/** `decision`: its label in the metric. */
export const refusals = [
  { decision: 'rate', refuse: tooFast },
  { decision: 'elsewhere', refuse: elsewhere },
  { decision: 'waitlisted', refuse: waitlisted },
  { decision: 'scope', refuse: wrongScope },
  { decision: 'key_scope', refuse: onlyReads },
  { decision: 'second_factor', refuse: withoutFactor },
  { decision: 'role', refuse: lowRole },
  { decision: 'reauthentication', refuse: needsReauthentication },
  { decision: 'paused', refuse: paused },
  { decision: 'plan', refuse: needsPlan },
  { decision: 'quota', refuse: overQuota },
] as const

const budgetNouns: Record<Budget, string> = {
  api_calls: 'API calls a month',
  events: 'events a month',
  availability_queries: 'availability queries a month',
  webhook_deliveries: 'webhook deliveries a month',
  proposals: 'proposals a month',
}
