import assert from 'node:assert/strict'
import { test } from 'vitest'
import { goesOn, historyOf, isOn, type Timeline, textOf } from './history.ts'

const row = (number: number, leftAt: string | null, id = `r${number}`): Timeline => ({
  timeline: number.toString(16).toUpperCase().padStart(8, '0'),
  ...{ id, leftAt },
})
const history = (number: number, wal?: string, { incarnation = 'i', cluster = '77', id = `r${number}` } = {}) => ({
  database: `${incarnation}/${row(number, null).timeline}/${cluster}/${id}`,
  ...(wal && { wal }),
})

test('a cursor is valid on a later time line if it was left behind the place of the cursor, and by no other sign', () => {
  const rows = [row(1, null), row(2, 'F/FFFFFFFF'), row(3, '10/20')]
  const now = history(3)
  for (const [cursor, goes, timelines = rows] of [
    [history(1, 'F/FFFFFFFF'), true],
    [history(1, '0/1'), true],
    [history(2, '10/20'), true],
    // Beyond it something may be lost, also where it is lower than the place of a later time line.
    [history(1, '10/0'), false],
    [history(2, '10/21'), false],
    // Of an older release.
    [history(1), false],
    // After a restore that an operator declared, and of another cluster.
    [history(1, '0/1', { incarnation: 'j' }), false],
    [history(1, '0/1', { cluster: '78' }), false],
    // Another server was promoted to the same number.
    [history(2, '10/1', { id: 'other' }), false],
    // This database was never there, or its number is still ahead.
    [history(3, '10/1'), false],
    [history(9, '10/1'), false],
    // A gap: where it was left was not recorded.
    [history(1, '0/1'), false, [row(1, null), row(3, '10/20')]],
    [history(1, '0/1'), false, [row(1, null), row(2, null), row(3, '10/20')]],
    [history(1, '0/1'), false, [row(2, 'F/1'), row(3, '10/20')]],
    [history(15, '0/1'), true, [row(15, null), row(16, '0/1')]],
  ] as const) {
    assert.equal(goesOn(cursor, now, timelines), goes, JSON.stringify([cursor, timelines]))
  }
})

test('a cursor of an older release is of the same history, whether or not its time line is recorded', () => {
  const now = historyOf('i/00000001/77/r1@0/16B3748')
  assert.deepEqual(now, history(1, '0/16B3748'))
  assert.deepEqual([textOf(now), textOf(history(1))], ['i/00000001/77/r1@0/16B3748', 'i/00000001/77/r1'])
  const older = { database: 'i/00000001/77' }
  assert.deepEqual([isOn(older, now), isOn(older, older), isOn(now, now), isOn(now, older)], [true, true, true, false])
  assert.deepEqual([isOn({ database: 'i/00000001/7' }, now), isOn(history(2), now)], [false, false])
})
