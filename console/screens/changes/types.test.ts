import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Change } from '../../../clients/typescript/src/entry.ts'
import { isShown, maxKept, nameOf, withNewer } from './types.ts'

const change = (nth: number, more: Partial<Change> = {}): Change => ({
  ...{ id: `chg_${nth}.0`, change_id: `chg_${nth}`, position: 0, type: 'event.created', at: '' },
  ...{ calendar_id: 'cal_1', agent_id: 'agt_1', resource: { type: 'event', id: 'evt_1' } },
  ...{ revision: 1, cause: 'api', actor: null },
  ...more,
})

test('the newest stand first, each once, and no more than are kept', () => {
  const [one, two, three] = [change(1), change(2), change(3)]
  assert.deepEqual(withNewer([two, one], [two, three]), [three, two, one])
  const many = Array.from({ length: maxKept }, (_, nth) => change(nth + 10))
  assert.deepEqual([withNewer([one], many).length, withNewer([one], many).includes(one)], [maxKept, false])
})

test('every filter that is given must name the change', () => {
  assert.equal(isShown(change(1), {}), true)
  assert.equal(isShown(change(1), { types: 'event.deleted,event.created', calendar_ids: 'cal_1' }), true)
  assert.equal(isShown(change(1), { types: 'event.created', agent_ids: 'agt_2' }), false)
  assert.equal(isShown(change(1, { calendar_id: null }), { calendar_ids: 'cal_1' }), false)
})

test('an entry is named after its change, with its place only after the first', () => {
  assert.deepEqual([nameOf(change(1)), nameOf(change(1, { id: 'chg_1.1', position: 1 }))], ['chg_1', 'chg_1.1'])
})
