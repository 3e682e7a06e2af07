import assert from 'node:assert/strict'
import { test } from 'vitest'
import { answerOf, scoreOf } from './matrix.ts'

const slot = (id: string, weight = 1) => ({ id, weight, start_time: '', end_time: '', calendar_id: null })
const response = (
  agent_id: string,
  given: 'accept' | 'decline' | 'counter',
  selected_slot_id: string | null = null,
) => ({
  ...{ id: 'rsp', agent_id, response: given, selected_slot_id },
  ...{ counter_slots: [], message: null, created_at: '' },
})
const proposal = {
  participant_agent_ids: ['a', 'b', 'c', 'd'],
  responses: [response('a', 'accept', 'one'), response('b', 'counter'), response('c', 'decline')],
}

test('an acceptance is of one time, the other answers are of all', () => {
  const row = (slotId: string) => proposal.participant_agent_ids.map((agent) => answerOf(proposal, agent, slotId))
  assert.deepEqual(row('one'), ['accepted', 'countered', 'declined', 'none'])
  assert.deepEqual(row('two'), ['none', 'countered', 'declined', 'none'])
})

test('a time scores its weight, its acceptances and the counters', () => {
  assert.deepEqual([scoreOf(proposal, slot('one')), scoreOf(proposal, slot('two', 0.9))], [2.3, 1.2])
})
