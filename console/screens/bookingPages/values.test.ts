import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { createBody, emptyPage, type PageValues, previewBody, updateBody, valuesOf } from './values.ts'

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

test('only changes are sent, and an empty field clears', () => {
  const changed = (change: Partial<PageValues>) => updateBody(change, { ...valuesOf(page), ...change }, page)
  assert.deepEqual(changed({ host_name: '', window_days: '7', title: 'New' }), {
    ...{ host_name: null, window_days: 7, title: 'New' },
  })
  const { availability_constraints: hours } = valuesOf(page)
  assert.deepEqual(changed({ availability_constraints: { ...hours, mon_to: '13:00' } }), {
    availability_constraints: { mon: { start: '09:00', end: '13:00' } },
  })
  assert.deepEqual(changed({ conference_url: 'https://meet.example', conference_pin: '1', details_on_event: true }), {
    ...{ conference: { url: 'https://meet.example', pin: '1' }, details_on_event: true },
  })
  assert.deepEqual(changed({ slot_interval_minutes: '15', additional_guests: '', allowed_origins: 'https://a, ' }), {
    ...{ slot_interval_minutes: 15, additional_guests: null, allowed_origins: ['https://a'] },
  })
})

test('a question with a choice has its answers as lines', () => {
  const question = { name: 'size', label: 'Size', kind: 'choice', required: true, options: ['S, small', 'L'] } as const
  const asked = { ...page, questions: [{ ...question, options: [...question.options] }] }
  const { questions } = valuesOf(asked)
  assert.equal(questions[0]!.options, 'S, small\nL')
  assert.deepEqual(createBody({ ...valuesOf(page), questions }).questions, asked.questions)
  assert.equal(updateBody({ questions: [] }, valuesOf(page), asked).questions, null)
})

test('a preview leaves out the address that the page has already', () => {
  assert.equal('vanity_slug' in previewBody(valuesOf(page), page), false)
  assert.equal(previewBody({ ...valuesOf(page), vanity_slug: 'grace' }, page).vanity_slug, 'grace')
  assert.equal(previewBody(valuesOf(page), page).theme_color, '#123456')
  assert.equal('logo_url' in previewBody({ ...valuesOf(page), logo_url: 'https://a' }, page), false)
})
