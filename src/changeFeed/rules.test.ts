import assert from 'node:assert/strict'
import { test } from 'vitest'
import { maxWaitsEach, maxWaitsHere, whatIsFull } from './rules.ts'

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
