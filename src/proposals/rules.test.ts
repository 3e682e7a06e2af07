import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { decideResolution, isOverdue } from './rules.ts'
import type { Vote } from './score.ts'

const only = newId()
const slots = [{ id: only, weight: 1, startTime: new Date(0) }]
const vote = (response: Vote['response']): Vote => ({ response, selectedSlotId: response === 'accept' ? only : null })

test('one accept or counter is enough to resolve, declines alone when they are everybody', () => {
  const table: [votes: Vote['response'][], participants: number, kind: string][] = [
    [[], 1, 'undecided'],
    [['decline'], 2, 'undecided'],
    [['decline', 'decline'], 3, 'undecided'],
    [['decline'], 1, 'all_declined'],
    [['decline', 'decline', 'decline'], 3, 'all_declined'],
    [['accept'], 50, 'confirmed'],
    [['counter'], 50, 'confirmed'],
    [['decline', 'counter'], 2, 'confirmed'],
    [['decline', 'decline', 'accept'], 3, 'confirmed'],
  ]
  for (const [votes, participants, kind] of table) {
    assert.equal(decideResolution(slots, votes.map(vote), participants).kind, kind, `${votes} of ${participants}`)
  }
})

test('a pending proposal is overdue from its very instant, an ended one never', () => {
  const at = (ms: number) => new Date(1_000 + ms)
  assert.equal(isOverdue({ status: 'pending', expiresAt: at(0) }, at(-1)), false)
  assert.equal(isOverdue({ status: 'pending', expiresAt: at(0) }, at(0)), true)
  assert.equal(isOverdue({ status: 'pending', expiresAt: at(0) }, at(1)), true)
  assert.equal(isOverdue({ status: 'pending', expiresAt: null }, at(0)), false)
  for (const status of ['confirmed', 'cancelled', 'expired']) {
    assert.equal(isOverdue({ status, expiresAt: at(0) }, at(1)), false, status)
  }
})
