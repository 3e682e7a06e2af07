import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type ExternalSource, judgeSources } from './freshness.ts'

const morning = new Date('2026-03-02T08:00:00Z')
const noon = new Date('2026-03-02T12:00:00Z')
const current: ExternalSource = { copy: 'current', lastSyncedAt: noon }
const usable: ExternalSource = { copy: 'usable', lastSyncedAt: morning }
const missing: ExternalSource = { copy: 'missing', lastSyncedAt: null }

const incomplete = ['availability_incomplete']

test('without external calendars an answer is complete', () => {
  assert.deepEqual(judgeSources([], false), {
    state: 'complete',
    external: 'none',
    lastSyncedAt: null,
    offersSlots: true,
    warnings: [],
  })
})

test('with current copies it is complete, as of the oldest of them', () => {
  const older: ExternalSource = { copy: 'current', lastSyncedAt: morning }
  assert.deepEqual(judgeSources([current, older], false), {
    state: 'complete',
    external: 'current',
    lastSyncedAt: morning,
    offersSlots: true,
    warnings: [],
  })
})

test('an old copy closes the answer, unless the caller makes do with it', () => {
  const closed = { state: 'stale', external: 'stale', lastSyncedAt: morning, offersSlots: false, warnings: incomplete }
  assert.deepEqual(judgeSources([current, usable], false), closed)
  assert.deepEqual(judgeSources([current, usable], true), { ...closed, offersSlots: true })
})

test('nothing makes up for a missing copy', () => {
  const partial = { state: 'partial', external: 'partial', offersSlots: false, warnings: incomplete }
  assert.deepEqual(judgeSources([current, missing], true), { ...partial, lastSyncedAt: noon })
  assert.deepEqual(judgeSources([usable, missing], true), { ...partial, lastSyncedAt: morning })
  assert.deepEqual(judgeSources([missing, missing], true), {
    state: 'unavailable',
    external: 'unavailable',
    lastSyncedAt: null,
    offersSlots: false,
    warnings: incomplete,
  })
})
