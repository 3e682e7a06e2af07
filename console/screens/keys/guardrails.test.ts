import assert from 'node:assert/strict'
import { test } from 'vitest'
import { guardrailsOf, guardrailValues } from './guardrails.ts'

test('guardrails come back as they were, with those that the form does not show', () => {
  const guardrails = {
    read_only: true,
    calendar_ids: ['cal_1'],
    max_minutes: 60,
    max_hold_priority: 0,
    timezone: 'Europe/Berlin',
    allowed_hours: { mon: { start: '09:00', end: '17:00' } },
    approval: { on: ['event.delete' as const], expires_in_minutes: 30, approver: 'link' as const },
  }
  assert.deepEqual(guardrailsOf(guardrailValues(guardrails), guardrails), guardrails)
})

test('an empty field is no limit, and without limits there are no guardrails', () => {
  assert.equal(guardrailsOf(guardrailValues()), undefined)
  assert.deepEqual(
    guardrailsOf({ ...guardrailValues({ max_minutes: 60 }), max_minutes: '' }, { max_minutes: 60 }),
    undefined,
  )
})

test('approval is asked for as chosen, or not at all', () => {
  const asked = { ...guardrailValues(), approval: 'all' as const }
  assert.deepEqual(guardrailsOf(asked), { approval: { on: 'all', approver: 'session' } })
  const before = { approval: { on: 'all' as const, expires_in_minutes: 30, approver: 'link' as const } }
  assert.equal(guardrailValues(before).approval, 'all')
  assert.equal(guardrailsOf({ ...guardrailValues(before), approval: 'never' }, before), undefined)
})
