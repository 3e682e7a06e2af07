import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Uuid } from '../shapes/ids.ts'
import { type Vote, winner } from './score.ts'

/**
 * Slots as `weight@start`, the first is number 0. Votes: the number of the slot an accept selects, `c` a counter, `d` a
 * decline, `c*3` three of them.
 */
type Case = [name: string, slots: string, votes: string, wins: number]

// Scores worked out by hand.
const table: Case[] = [
  ['one slot alone', '0@0', 'd c', 0],
  ['1 + 0 against 1 + 1', '1@0 1@60', '1', 1],
  ['1 + 2 against 1 + 1', '1@0 1@60', '0 1 0', 0],
  ['2.5 against 1 + 1: a weight outbids an accept', '2.5@60 1@0', '1', 0],
  ['10 against 0 + 9', '10@60 0@0', '1*9', 0],
  ['10 against 0 + 10: tie, the earlier start', '10@60 0@0', '1*10', 1],
  ['10 against 0 + 11', '10@0 0@60', '1*11', 1],
  ['1 against 1: the earlier start, though listed last', '1@60 1@30 1@0', 'd', 2],
  ['1 against 1 at the same start: the one listed first', '1@0 1@0', 'd', 0],
  ['2 over two lower ones that tie', '1@0 1@10 2@90', 'd', 2],
  ['0.9 + 1 = 1.9: tie, the earlier start', '1.9@60 0.9@0', '1', 1],
  ['0.9 + 1 = 1.9: tie, the other way round', '1.9@0 0.9@60', '1', 0],
  ['0.14 + 1 = 1.14: tie, though a binary sum is greater', '1.14@0 0.14@60', '1', 0],
  ['0.36 + 1 = 1.36: tie, though a binary sum is less', '1.36@60 0.36@0', '1', 1],
  ['1 + 3 against 1 + 1 + 3: counters add to every slot', '1@0 1@60', '1 c*10', 1],
  ['0 + 3 against 2 + 3: ten counters are no accept', '0@0 2@60', 'c*10', 1],
  ['1 against 1.1: declines count nothing', '1@60 1.1@90', 'd*40', 1],
  ['1.0000001 against 1', '1@0 1.0000001@60', 'c', 1],
  ['1e-7 against 0', '0@0 1e-7@60', 'c', 1],
  ['2e-7 against 1e-7', '1e-7@0 2e-7@60', 'c', 1],
  ['1e-7 + 1 = 1.0000001: tie', '1.0000001@60 1e-7@0', '1', 1],
  ['1e-7 + 1 against 1.0000002', '1e-7@0 1.0000002@60', '0', 1],
  ['1e-300 + 1 against 0 + 1: no digit is lost', '0@0 1e-300@60', '0 1', 1],
  ['5e-324, the least there is, against 0', '0@0 5e-324@60', 'c', 1],
  ['-0 is 0', '0@60 -0@0', 'c', 1],
  ['9.999999999999998 against 10', '9.999999999999998@0 10@60', 'c', 1],
  ['24 accepts against 25', '1@0 1@60', '0*24 1*25', 1],
  ['25 accepts against 25', '1@60 1@0', '0*25 1*25', 1],
]

/** Numbers stand for identifiers. */
const numbered = (nth: string | number) => String(nth) as Uuid

const slotsOf = (text: string) =>
  text.split(' ').map((slot, nth) => {
    const [weight, start] = slot.split('@').map(Number)
    return { id: numbered(nth), weight: weight!, startTime: new Date(start! * 60_000) }
  })

const votesOf = (text: string): Vote[] =>
  text.split(' ').flatMap((vote) => {
    const [kind, times = '1'] = vote.split('*')
    const one = kind === 'c' ? 'counter' : kind === 'd' ? 'decline' : 'accept'
    return Array(Number(times)).fill({ response: one, selectedSlotId: one === 'accept' ? kind : null })
  })

for (const [name, slots, votes, wins] of table) {
  test(`the winner of: ${name}`, () => {
    assert.equal(winner(slotsOf(slots), votesOf(votes)).id, String(wins))
    assert.equal(winner(slotsOf(slots), votesOf(votes).reverse()).id, String(wins), 'whoever responded first')
  })
}

test('a slot that a counter or a decline names scores nothing for it', () => {
  const votes = [
    { response: 'counter' as const, selectedSlotId: numbered(1) },
    { response: 'decline' as const, selectedSlotId: numbered(1) },
  ]
  assert.equal(winner(slotsOf('1@0 1@60'), votes).id, '0')
})
