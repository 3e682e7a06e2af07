import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { createBody, emptyPage, previewBody, updateBody, valuesOf } from './values.ts'

const page = {
  ...{ title: 'Call', description: null, calendar_id: 'cal_1', timezone: 'UTC', active: true },
  ...{ duration_minutes: 30, buffer_minutes: 0, window_days: 14, min_notice_minutes: 0 },
  ...{
    availability_constraints: { mon: { start: '09:00', end: '12:00' } },
    vanity_slug: 'ada',
    theme_color: '#123456',
  },
} as unknown as BookingPage

test('a new page has what was typed, and empty texts are left out', () => {
  const body = createBody({ ...emptyPage('UTC'), title: 'Call', calendar_id: 'cal_1', duration_minutes: '' })
  assert.deepEqual(body, {
    ...{ title: 'Call', calendar_id: 'cal_1', timezone: 'UTC', active: true, duration_minutes: null },
    ...{ buffer_minutes: 0, window_days: 14, min_notice_minutes: 0, availability_constraints: null },
  })
})

test('only changes are sent, and an empty text clears', () => {
  assert.deepEqual(updateBody({ host_name: '', window_days: '7', title: 'New' }, page), {
    ...{ host_name: null, window_days: 7, title: 'New' },
  })
  const { availability_constraints: hours } = valuesOf(page)
  assert.deepEqual(updateBody({ availability_constraints: { ...hours, mon_to: '13:00' } }, page), {
    availability_constraints: { mon: { start: '09:00', end: '13:00' } },
  })
})

test('a preview leaves out the address that the page has already', () => {
  assert.equal('vanity_slug' in previewBody(valuesOf(page), page), false)
  assert.equal(previewBody({ ...valuesOf(page), vanity_slug: 'grace' }, page).vanity_slug, 'grace')
  assert.equal(previewBody(valuesOf(page), page).theme_color, '#123456')
})
