import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { OrganizationDetail } from '../../../clients/typescript/src/entry.ts'
import { bodyOf, planOptions, valuesOf } from './values.ts'

const detail = {
  org: { plan: 'pro' },
  limits: { agents: 5, events: null },
  rate_limit_per_second: 10,
} as unknown as OrganizationDetail

test('an empty limit is unlimited, and limits go along with a custom plan alone', () => {
  assert.deepEqual(valuesOf(detail), { plan: 'pro', rate: '10', limits: { agents: '5', events: '' } })
  assert.deepEqual(bodyOf({ plan: 'free' }, detail), { plan: 'free' })
  assert.deepEqual(bodyOf({ plan: 'custom' }, detail), { plan: 'custom', limits: { agents: 5, events: null } })
  const limits = { agents: '', events: 'many' } as ReturnType<typeof valuesOf>['limits']
  assert.deepEqual(bodyOf({ plan: 'custom', limits }, detail), {
    plan: 'custom',
    limits: { agents: null, events: 'many' },
  })
  assert.deepEqual(bodyOf({ rate: '' }, detail), { rate_limit_per_second: null })
})

test('a plan that is never given by hand stays to be chosen', () => {
  assert.deepEqual(
    planOptions('free-agent').map(({ value }) => value),
    ['free-agent', 'free', 'pro', 'custom'],
  )
})
