import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Guardrails } from '../actors/guardrails.ts'
import { refuseTimes } from './rules.ts'

const now = new Date('2026-12-01T08:00:00Z')
/** Starts and ends in turn. */
const spans = (...times: string[]) => times.map((time) => Date.parse(time))
const refused = (guardrails: Guardrails, ...times: string[]) => refuseTimes(guardrails, spans(...times), now)?.guardrail

const office: Guardrails = {
  timezone: 'Europe/Berlin',
  allowed_hours: {
    tue: { start: '09:00', end: '17:00' },
    wed: [
      { start: '09:00', end: '12:00' },
      { start: '12:00', end: '15:00' },
    ],
  },
}

test('an event lies wholly within the hours of one day, in the zone of the guardrails', () => {
  assert.equal(refused(office, '2026-12-01T08:00:00Z', '2026-12-01T16:00:00Z'), undefined)
  assert.equal(refused(office, '2026-12-01T07:59:59Z', '2026-12-01T09:00:00Z'), 'allowed_hours')
  assert.equal(refused(office, '2026-12-01T15:30:00Z', '2026-12-01T16:00:01Z'), 'allowed_hours')
  assert.equal(refused(office, '2026-12-03T10:00:00Z', '2026-12-03T11:00:00Z'), 'allowed_hours')
  // Both ends lie within hours, the night between them does not.
  assert.equal(refused(office, '2026-12-01T15:00:00Z', '2026-12-02T09:00:00Z'), 'allowed_hours')
  // Two stretches that touch are one.
  assert.equal(refused(office, '2026-12-02T10:30:00Z', '2026-12-02T11:30:00Z'), undefined)
})

test('each occurrence lies within the hours', () => {
  const weekly = ['2026-12-01T09:00:00Z', '2026-12-01T10:00:00Z', '2026-12-08T09:00:00Z', '2026-12-08T10:00:00Z']
  assert.equal(refused(office, ...weekly), undefined)
  assert.equal(refused(office, ...weekly, '2026-12-10T09:00:00Z', '2026-12-10T10:00:00Z'), 'allowed_hours')
})

test('bounds are included, and a limit may be 0', () => {
  const hour = ['2026-12-02T08:00:00Z', '2026-12-02T09:00:00Z']
  assert.equal(refused({ max_minutes: 60, max_days_ahead: 1, min_notice_minutes: 1440 }, ...hour), undefined)
  assert.equal(refused({ max_minutes: 59 }, ...hour), 'max_minutes')
  assert.equal(refused({ max_minutes: 0 }, ...hour), 'max_minutes')
  assert.equal(refused({ max_days_ahead: 0 }, ...hour), 'max_days_ahead')
  assert.equal(refused({ min_notice_minutes: 1441 }, ...hour), 'min_notice_minutes')
  assert.equal(refused({ min_notice_minutes: 0 }, '2026-12-01T07:59:59Z', '2026-12-01T09:00:00Z'), 'min_notice_minutes')
  assert.equal(
    refused({ max_days_ahead: 3 }, ...hour, '2026-12-09T08:00:00Z', '2026-12-09T09:00:00Z'),
    'max_days_ahead',
  )
  assert.equal(refused({}, ...hour), undefined)
})
