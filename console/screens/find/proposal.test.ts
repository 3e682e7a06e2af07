import assert from 'node:assert/strict'
import { test } from 'vitest'
import { noCall } from '../../parts/call.ts'
import { counterSlots, slotsOf } from '../proposals/counter.ts'
import { calendarField, type ProposalValues, proposalBody, weightField } from './proposal.ts'

const slots = [
  { start: '2026-12-01T09:00:00Z', end: '2026-12-01T09:30:00Z' },
  { start: '2026-12-02T09:00:00Z', end: '2026-12-02T09:30:00Z' },
]
const values: ProposalValues = {
  ...{ ...noCall, title: 'Review', description: '', organizer: 'agt_1', calendar: 'cal_1', location: '' },
  ...{ expires: '', metadata: '' },
}
const body = (more: Partial<ProposalValues>) =>
  proposalBody({ ...values, ...more }, ['agt_1', 'agt_2'], slots, 'Europe/Berlin')

test('a proposal has what was typed, and asks the organizer only if nobody else is left', () => {
  assert.deepEqual(body({}), {
    ...{ title: 'Review', organizer_agent_id: 'agt_1', calendar_id: 'cal_1', participant_agent_ids: ['agt_2'] },
    slots: slots.map(({ start, end }) => ({ start_time: start, end_time: end })),
  })
  assert.deepEqual(proposalBody(values, ['agt_1'], slots, 'UTC').participant_agent_ids, ['agt_1'])
})

test('a time has a weight and a calendar of its own, and the answers an end on the clock of the screen', () => {
  const [first, second] = slots.map(({ start }) => start)
  const given = { [weightField(first!)]: '2.5', [calendarField(second!)]: 'cal_2', expires: '2026-11-30T18:00' }
  const made = body(given)
  assert.deepEqual(
    made.slots.map(({ weight, calendar_id }) => [weight, calendar_id]),
    [
      [2.5, undefined],
      [undefined, 'cal_2'],
    ],
  )
  assert.equal(made.expires_at, '2026-11-30T18:00[Europe/Berlin]')
  assert.equal(body({ [weightField(first!)]: 'much' }).slots[0]!.weight, 'much')
})

test('times of a counter are those of the clock, and records of other shapes are left out', () => {
  const rows = [{ from: '2026-12-03T10:00', to: '2026-12-03T' }]
  assert.deepEqual(counterSlots(rows, 'UTC'), [{ start_time: '2026-12-03T10:00[UTC]', end_time: '2026-12-03T' }])
  const kept = { start_time: slots[0]!.start, end_time: slots[0]!.end, weight: 1 }
  assert.deepEqual(slotsOf([kept, { start_time: 4 }, {}]), [slots[0]])
})
