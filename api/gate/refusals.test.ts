import assert from 'node:assert/strict'
import { test } from 'vitest'
import { periodAt } from '../../src/plans/period.ts'
import { limitsOf } from '../../src/plans/plans.ts'
import { newId } from '../../src/shapes/ids.ts'
import type { Route } from '../http/route.ts'
import type { Caller, Identified } from './identify.ts'
import { refusals } from './refusals.ts'

const now = new Date('2026-03-02T12:00:00Z')
const limits = limitsOf('free', {})
const caller: Caller = {
  orgId: newId(),
  agentId: newId(),
  keyPrefix: 'svc_ak_',
  isAgentPaused: true,
  guardrails: null,
  plan: 'free',
  limits,
  requestsPerSecond: 1,
  isWaitlisted: true,
  acceptedTermsVersion: null,
  orgCreatedAt: now,
}
const route: Route = {
  method: 'post',
  path: '/v1/things',
  tag: 'Test',
  operationId: 'createThing',
  summary: 'Create a thing',
  access: 'organization',
  feature: 'scoped_keys',
  success: { status: 201 },
  errors: [],
  run: async () => undefined,
}

const identified = (verdict: Identified['verdict'], changes: Partial<Caller> = {}): Identified => ({
  caller: { ...caller, ...changes },
  spender: {
    orgId: caller.orgId,
    bucket: caller.orgId,
    epoch: undefined,
    requestsPerSecond: 1,
    limits,
    period: periodAt(now, now),
  },
  verdict,
})

const refusalOf = (one: Identified) => {
  for (const { decision, refuse } of refusals) {
    const refusal = refuse(one, route, now)
    if (refusal) return [decision, refusal.type, refusal.status]
  }
  return undefined
}

test('a caller with every fault is refused for its rate first, then for one fault after the other', () => {
  const quota = { kind: 'quota', budget: 'api_calls', callsUsed: 1 } as const
  const key = { isWaitlisted: false, agentId: null }
  assert.deepEqual(
    [
      identified({ kind: 'rate', waitMs: 10, callsUsed: 1 }),
      identified(quota),
      identified(quota, { isWaitlisted: false }),
      identified(quota, { ...key, member: { id: newId(), accountId: newId(), role: 'viewer' } }),
      identified(quota, key),
      identified(quota, { ...key, isAgentPaused: false }),
      identified(quota, { ...key, isAgentPaused: false, plan: 'pro' }),
      identified({ kind: 'ok', callsUsed: 1 }, { ...key, isAgentPaused: false, plan: 'pro' }),
    ].map(refusalOf),
    [
      ['rate', 'rate_limit_error', 429],
      ['waitlisted', 'account_waitlisted', 403],
      ['scope', 'forbidden', 403],
      ['role', 'forbidden', 403],
      ['paused', 'forbidden', 403],
      ['plan', 'plan_required', 403],
      ['quota', 'quota_exceeded', 429],
      undefined,
    ],
  )
})
