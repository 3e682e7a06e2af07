import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { gathersFor, maxWaitsEach, maxWaitsHere, whatIsFull } from './rules.ts'
import type { Snapshot } from './snapshot.ts'

const few = { here: 0, ofKey: 0, ofOrganization: 0 }

test('a key, an organization and a process have so many readers that wait, and no more', () => {
  assert.equal(whatIsFull(few, 50), undefined)
  const last = { here: maxWaitsHere - 1, ofKey: maxWaitsEach - 1, ofOrganization: 49 }
  assert.equal(whatIsFull(last, 50), undefined)
  assert.equal(whatIsFull({ ...last, ofKey: maxWaitsEach }, 50), 'key')
  assert.equal(whatIsFull({ ...last, ofOrganization: 50 }, 50), 'organization')
  assert.equal(whatIsFull({ ...last, here: maxWaitsHere }, 50), 'process')
})

test('without a limit of the organization the process is the limit', () => {
  assert.equal(whatIsFull({ ...few, ofOrganization: 4_999, here: 4_999 }, null), undefined)
  assert.equal(whatIsFull({ ...few, ofOrganization: 5_000, here: 5_000 }, null), 'process')
})

test('a reader that has just read lets 40 ms of changes come together; one that comes later or reads on in a batch does not', () => {
  const baseAt = new Date('2026-03-02T09:00:00.000Z')
  const after = (ms: number) => gathersFor({ baseAt }, new Date(baseAt.getTime() + ms))
  assert.deepEqual([0, 5, 40, 60_000].map(after), [40, 35, 0, 0])
  // The clock of another process may be behind.
  assert.equal(after(-500), 40)
  const target = '1:1:' as unknown as Snapshot
  const batch = { target, targetAt: baseAt, after: { seq: 1, changeId: newId() }, lastSeq: 9 }
  assert.equal(gathersFor({ baseAt, batch }, baseAt), 0)
})
