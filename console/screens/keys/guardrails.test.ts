import assert from 'node:assert/strict'
import { test } from 'vitest'
import { guardrailsOf, guardrailValues } from './guardrails.ts'
import { guardrailWords } from './guardrailWords.ts'

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

test('a list says which guardrails a key has, and how far they go', () => {
  const approval = { on: 'all' as const, approver: 'session' as const, expires_in_minutes: 60 }
  assert.deepEqual(guardrailWords({ read_only: false, require_free: true, max_minutes: 60, approval }), [
    ...['Only free times', 'Longest event (minutes): 60', 'Ask for approval'],
  ])
  assert.deepEqual(guardrailWords({ read_only: true, calendar_ids: ['cal_1', 'cal_2'], timezone: 'UTC' }), [
    ...['Read only', '2 calendars'],
  ])
  assert.deepEqual(guardrailWords(undefined), [])
})
