import assert from 'node:assert/strict'
import { test } from 'vitest'
import { nearestName } from './nearest.ts'

const event = ['title', 'start_time', 'end_time', 'description', 'all_day', 'status', 'metadata', 'reminders']
const list = ['limit', 'offset', 'status', 'source', 'expand', 'start_after', 'start_before']

test('another way of writing a name is that name', () => {
  assert.equal(nearestName('startTime', event), 'start_time')
  assert.equal(nearestName('StartTime', event), 'start_time')
  assert.equal(nearestName('start-time', event), 'start_time')
  assert.equal(nearestName('ALL_DAY', event), 'all_day')
  assert.equal(nearestName('include_Busy', ['include_busy']), 'include_busy')
})

test('a name with few wrong letters, or without its last words, is the nearest one', () => {
  assert.equal(nearestName('titel', event), 'title')
  assert.equal(nearestName('desciption', event), 'description')
  assert.equal(nearestName('start', event), 'start_time')
  assert.equal(nearestName('agent', ['calendar_id', 'agent_id']), 'agent_id')
  assert.equal(nearestName('limits', list), 'limit')
  assert.equal(nearestName('state', list), 'status')
  assert.equal(nearestName('start_befor', list), 'start_before')
})

test('of several near names it is the nearest, of equally near ones the first', () => {
  assert.equal(nearestName('end_tme', ['start_time', 'end_time']), 'end_time')
  assert.equal(nearestName('start', ['start_after', 'start_time']), 'start_time')
  assert.equal(nearestName('start', ['start_a', 'start_b']), 'start_a')
})

test('what is far from every name is no name', () => {
  for (const given of ['colour', '', 'page', 'x', 'summary', '__proto__', 'utm_source']) {
    assert.equal(nearestName(given, event), undefined, given)
  }
  assert.equal(nearestName('page', list), undefined)
  assert.equal(nearestName('limit', []), undefined)
  assert.equal(nearestName(`${'start_time_'.repeat(20)}`, event), undefined)
})
